import type {
	FieldType,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { describe, parameter } from './describe.mts';

interface Assignment {
	name: string;
	value: unknown;
	type: FieldType;
}

/** Sets a value at a dotted name in an object of plain data. */
function assign(target: IDataObject, [name = '', ...inner]: string[], value: unknown): void {
	if (inner.length === 0) target[name] = value as IDataObject[string];
	else assign((target[name] ??= {}) as IDataObject, inner, value);
}

/** The value of a field, of the type that was chosen for it. */
function typed(context: IExecuteFunctions, { name, value, type }: Assignment): unknown {
	if (value === undefined || value === null) return null;
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const checked = workflow.validateFieldType(name, type === 'string' ? text : value, type);
	if (checked.valid) return checked.newValue ?? null;
	throw new workflow.NodeOperationError(context.getNode(), checked.errorMessage);
}

/** The fields that are set, by their dotted names. */
function fields(context: IExecuteFunctions, index: number): Array<[string, unknown]> {
	if (context.getNodeParameter('mode', index) === 'raw') {
		const json = context.getNodeParameter('jsonOutput', index);
		const parsed = typeof json === 'string' ? workflow.jsonParse<IDataObject>(json) : json;
		return Object.entries(parsed as IDataObject);
	}
	const assignments = context.getNodeParameter('assignments.assignments', index, []);
	return (assignments as Assignment[]).map((one) => [one.name, typed(context, one)]);
}

/** Edit Fields with fields to set by dotted names, or as JSON; each item keeps its pairing. */
export const editFields: INodeType = {
	description: describe('set', 'Edit Fields', [
		parameter('mode', 'string', 'manual'),
		parameter('jsonOutput', 'json', '{}'),
		parameter('assignments', 'assignmentCollection', {}),
		parameter('includeOtherFields', 'boolean', false),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const changed = this.getInputData().map((item, index): INodeExecutionData => {
			const keepsOthers = this.getNodeParameter('includeOtherFields', index) === true;
			const json: IDataObject = keepsOthers ? structuredClone(item.json) : {};
			for (const [name, value] of fields(this, index)) assign(json, name.split('.'), value);
			return { json, pairedItem: { item: index } };
		});
		return [changed];
	},
};
