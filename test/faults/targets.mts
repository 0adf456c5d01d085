/** What faults are tried on: the SOAP operations in both versions, and lists of the REST interface. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { soapOperations } from '../../nodes/shared/contract/operations.ts';
import { rowElement } from '../../nodes/shared/contract/fields.ts';
import { keysOf, type Operation, resultField } from '../../nodes/shared/contract/operation.ts';
import {
	getDepartments,
	getHourCodes,
	type SoapCall,
	soapCalls,
} from '../../dev/package/calls.mts';

/** How a node's failure is handled. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** One call of the package. */
export interface Target {
	/** As a column is headed, for example `CostCenter_Get 1.1`. */
	readonly name: string;
	/** The service's name of the operation; the end of its path for a list. */
	readonly operation: string;
	/** Element of one record of its list, or key that every record of the JSON list has. */
	readonly record: string | undefined;
	readonly kind: 'soapRead' | 'restRead' | 'insert' | 'update';
	readonly effect: 'read' | 'write';
	readonly soapVersion: '1.1' | '1.2';
	readonly node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';
	/** A write of each cell has values of its own, so that none finds what another wrote. */
	readonly parameters: (cell: string) => INodeParameters;
	/** Whether the node reads the current records before it writes. */
	readonly readsFirst: boolean;
	readonly input: IDataObject;
	/** What its error says it was about, as text and by the service's own names. */
	readonly keysText: string;
	readonly keys: IDataObject;
	/** Each of n8n's three settings is used by some targets. */
	readonly onError: OnError;
}

type Draft = Omit<Target, 'name' | 'effect' | 'soapVersion' | 'onError'>;

/** What a call is about, as an error's text and data: its keys, the subject first. */
function aboutOf(
	{ request }: Operation,
	{ parameters, id }: SoapCall,
): Pick<Target, 'keysText' | 'keys'> {
	const own = Object.keys(keysOf(request.fields)).map(
		(name, i) => [name, i === 0 ? id : parameters[lowerFirst(name)]] as const,
	);
	const words = own.map(([name, value]) => `${name.replace('Id', ' ID')} ${String(value)}`);
	return { keysText: `${words.join(', ')}.`, keys: Object.fromEntries(own) };
}

/** `AddressId` → `addressId`, as n8n names the parameter. */
function lowerFirst(name: string): string {
	return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The parameters with a street and a cost center that no other cell has. */
function marked(parameters: INodeParameters, cell: string): INodeParameters {
	const text = JSON.stringify(parameters).replaceAll(/"(?:Keizersgracht|4900)"/g, `"${cell}"`);
	return JSON.parse(text) as INodeParameters;
}

/** Updates keep what other cells write at the same time. */
const KEEPING = { keepOthers: true, totalMustBe100: false };

function draftOf(call: SoapCall): Draft {
	const { name, node, parameters, id } = call;
	const operation = soapOperations.find((one) => one.name === name);
	if (operation === undefined) throw new Error(`${name} is no operation of the contract`);
	const { effect }: Operation = operation;
	const [, result] = resultField(operation) ?? [];
	const write = result === undefined ? 'update' : 'insert';
	const readsFirst = name === 'CostCenter_Update' || name === 'Address_Insert';
	const more = name === 'CostCenter_Update' ? KEEPING : { skipIfExists: true };
	return {
		operation: name,
		record: result?.kind === 'list' ? rowElement(result) : undefined,
		kind: effect === 'read' ? 'soapRead' : write,
		node,
		parameters: (cell) => ({ ...marked(parameters, cell), ...(readsFirst && more) }),
		readsFirst,
		input: { id },
		...aboutOf(operation, call),
	};
}

const soap = soapCalls.map(draftOf);

const rest: Draft = {
	operation: 'hourcodes',
	record: 'description',
	kind: 'restRead',
	node: 'payrollHourCodes',
	parameters: () => getHourCodes,
	readsFirst: false,
	input: { id: 100 },
	keysText: 'Company ID 100.',
	keys: { CompanyId: 100 },
};

const list: Draft = {
	...rest,
	operation: 'departments',
	record: 'name',
	node: 'payrollCompany',
	parameters: () => getDepartments,
	keysText: 'companyId 100.',
	keys: { companyId: 100 },
};

function target(draft: Draft, soapVersion: '1.1' | '1.2', name: string, onError: OnError): Target {
	const effect = draft.kind === 'soapRead' || draft.kind === 'restRead' ? 'read' : 'write';
	return { ...draft, name, effect, soapVersion, onError };
}

/** The columns of the table. */
export const targets: readonly Target[] = [
	...soap.map((draft) => target(draft, '1.1', `${draft.operation} 1.1`, 'stopWorkflow')),
	...soap.map((draft) => target(draft, '1.2', `${draft.operation} 1.2`, 'continueRegularOutput')),
	target(rest, '1.1', 'REST hourcodes', 'continueErrorOutput'),
	target(list, '1.1', 'REST departments', 'stopWorkflow'),
];
