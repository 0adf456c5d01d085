/**
 * The items that the nodes must return for the sandbox's sample data, derived from that data alone.
 */
import type { IDataObject } from 'n8n-workflow';
import { sampleState, type Row } from '../../dev/sandbox/state.mts';

/** Number of employees in the sandbox by default. */
const state = sampleState(60);

/** Elements that are not texts, by docs/interface.md, section 2. */
const kinds: Readonly<Record<string, (text: string) => IDataObject[string]>> = {
	Id: Number,
	Percentage: Number,
	Default: (text) => text === 'true',
};

function record(row: Row): IDataObject {
	const entries = Object.entries(row).map(([name, value]): [string, IDataObject[string]] => [
		name,
		typeof value === 'string' ? (kinds[name]?.(value) ?? value) : record(value),
	]);
	return Object.fromEntries(entries);
}

const period = { Period: 6, Year: 2026 };

/** Items by operation, for the parameters of `dev/package/payroll.mts`. */
const items: Readonly<Record<string, (id: number) => readonly IDataObject[] | undefined>> = {
	CostCenter_Get: (EmployeeId) =>
		state.employees
			.get(EmployeeId)
			?.costCenters.map((row) => ({ EmployeeId, ...period, ...record(row) })),
	Address_GetListCurrent: (EmployeeId) =>
		state.employees.get(EmployeeId)?.addresses.map((row) => ({ EmployeeId, ...record(row) })),
	hourcodes: (id) => state.companies.get(id)?.hourCodes.map((code) => ({ CompanyId: id, ...code })),
	CostCenter_Update: (EmployeeId) => [{ EmployeeId, ...period, success: true }],
	Address_Insert: (EmployeeId) => [{ EmployeeId, ...period }],
	Address_Update: (CompanyId) => [{ CompanyId, success: true }],
	revocation: () => [
		{
			success: true,
			refreshTokenRevoked: true,
			accessTokenRevoked: false,
			note:
				'The identity server does not revoke access tokens: the last one may be accepted until it ends, an hour after it was issued. ' +
				'The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it.',
		},
	],
};

/**
 * The items of a call that succeeds; an address that is created has the `Id` that the service gives
 * it beside these.
 *
 * @param id the employee or company that the call is about
 */
export function sampleItems(operation: string, id: number): IDataObject[] {
	const found = items[operation]?.(id);
	if (found === undefined) throw new Error(`The sample data have no ${operation} of ${id}`);
	return [...found];
}
