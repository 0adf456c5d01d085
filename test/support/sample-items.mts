/** The items that the nodes must return for the sandbox's sample data. */
import type { IDataObject } from 'n8n-workflow';
import { soapCalls } from '../../dev/package/calls.mts';
import { sampleCompany } from '../../dev/package/sample-records.mts';

/** The items of the operations that are not SOAP. */
const others: Readonly<Record<string, (id: number) => readonly IDataObject[]>> = {
	hourcodes: (id) => sampleCompany(id).hourCodes.map((code) => ({ CompanyId: id, ...code })),
	departments: (companyId) =>
		['Magazijn & Expeditie', 'R&D', 'Café', "Directie 's-Hertogenbosch", 'Verkoop'].map(
			(name, i) => ({ companyId, departmentId: `d-${i + 1}`, name }),
		),
};

/**
 * The items of a call that succeeds, for the parameters of `dev/package/calls.mts`.
 *
 * @param id the employee or company of the call
 */
export function sampleItems(operation: string, id: number): IDataObject[] {
	const items = others[operation] ?? soapCalls.find(({ name }) => name === operation)?.items;
	if (items === undefined) throw new Error(`There is no call of ${operation}`);
	return [...items(id)];
}
