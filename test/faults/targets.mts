/** What every fault is tried on: the five SOAP operations in both versions, and the REST call. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../support/payroll.mts';

/** How a node's failure is handled. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** One call of the package. */
export interface Target {
	/** As a column is headed, for example `CostCenter_Get 1.1`. */
	readonly name: string;
	/** The service's name of the operation; `hourcodes` for the REST call. */
	readonly operation: string;
	/** Element of one record of its list, or key that every record of the JSON list has. */
	readonly record: string | undefined;
	readonly kind: 'soapRead' | 'restRead' | 'insert' | 'update';
	readonly effect: 'read' | 'write';
	readonly soapVersion: '1.1' | '1.2';
	readonly node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';
	readonly parameters: INodeParameters;
	readonly input: IDataObject;
	/** Each of the three ways of n8n is gone by some targets. */
	readonly onError: OnError;
}

type Draft = Pick<Target, 'operation' | 'record' | 'kind' | 'node' | 'parameters' | 'input'>;

// Reads and writes have employees of their own, so that what is read stays as it was.
const soap: readonly Draft[] = [
	{
		operation: 'CostCenter_Get',
		record: 'EmployeeCostCenter',
		kind: 'soapRead',
		node: 'payrollEmployee',
		parameters: getCostCenters,
		input: { id: 1003 },
	},
	{
		operation: 'CostCenter_Update',
		record: undefined,
		kind: 'update',
		node: 'payrollEmployee',
		parameters: updateCostCenters,
		input: { id: 1010 },
	},
	{
		operation: 'Address_GetListCurrent',
		record: 'EmployeeAddress',
		kind: 'soapRead',
		node: 'payrollEmployee',
		parameters: getAddresses,
		input: { id: 1003 },
	},
	{
		operation: 'Address_Insert',
		record: undefined,
		kind: 'insert',
		node: 'payrollEmployee',
		parameters: createAddress,
		input: { id: 1011 },
	},
	{
		operation: 'Address_Update',
		record: undefined,
		kind: 'update',
		node: 'payrollCompany',
		parameters: updateCompany,
		input: { id: 200 },
	},
];

const rest: Draft = {
	operation: 'hourcodes',
	record: 'description',
	kind: 'restRead',
	node: 'payrollHourCodes',
	parameters: getHourCodes,
	input: { id: 100 },
};

function target(draft: Draft, soapVersion: '1.1' | '1.2', name: string, onError: OnError): Target {
	const effect = draft.kind === 'insert' || draft.kind === 'update' ? 'write' : 'read';
	return { ...draft, name, effect, soapVersion, onError };
}

/** The columns of the table. */
export const targets: readonly Target[] = [
	...soap.map((draft) => target(draft, '1.1', `${draft.operation} 1.1`, 'stopWorkflow')),
	...soap.map((draft) => target(draft, '1.2', `${draft.operation} 1.2`, 'continueRegularOutput')),
	target(rest, '1.1', 'REST hourcodes', 'continueErrorOutput'),
];
