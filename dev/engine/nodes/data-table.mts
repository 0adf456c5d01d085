import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameterResourceLocator,
	INodeType,
} from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { describe, parameter } from './describe.mts';

interface Column {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

interface Condition {
	keyName: string;
	condition: string;
	keyValue: string;
}

/** A table, without the row numbers and times that n8n adds. */
export interface DataTable {
	columns: Column[];
	rows: IDataObject[];
}

/** The data tables of this process, by name. */
export const dataTables = new Map<string, DataTable>();

function refuse(context: IExecuteFunctions, message: string): never {
	throw new workflow.NodeOperationError(context.getNode(), message);
}

/** The table that a node's parameters name. */
function tableOf(context: IExecuteFunctions): DataTable {
	const { value } = context.getNodeParameter('dataTableId', 0) as INodeParameterResourceLocator;
	return (
		dataTables.get(String(value)) ??
		refuse(context, `Data table with name "${String(value)}" not found`)
	);
}

/** A value as its column holds it; a date as the moment it is. */
function cell(context: IExecuteFunctions, { name, type }: Column, value: unknown): string | number {
	if (type === 'number' && typeof value === 'number') return value;
	if (typeof value !== 'string')
		return refuse(context, `"${name}" takes a ${type === 'number' ? 'number' : 'text'} here`);
	if (type !== 'date') return value;
	const time = new Date(value);
	if (Number.isNaN(time.getTime())) return refuse(context, `Invalid date string '${value}'`);
	return time.toISOString();
}

function create(context: IExecuteFunctions): INodeExecutionData[] {
	const name = context.getNodeParameter('tableName', 0) as string;
	const { createIfNotExists } = context.getNodeParameter('options', 0) as IDataObject;
	if (dataTables.has(name) && createIfNotExists !== true) {
		return refuse(context, `Data table "${name}" already exists`);
	}
	const { column } = context.getNodeParameter('columns', 0) as unknown as { column: Column[] };
	if (!dataTables.has(name)) dataTables.set(name, { columns: column, rows: [] });
	return [{ json: { name }, pairedItem: { item: 0 } }];
}

/** Adds rows; all of them are computed before the first is added. */
function insert(context: IExecuteFunctions): INodeExecutionData[] {
	const table = tableOf(context);
	const rows = context.getInputData().map((_, index) => {
		const { value } = context.getNodeParameter('columns', index) as { value: IDataObject };
		const cells = Object.entries(value).map(([name, given]) => {
			const column = table.columns.find((known) => known.name === name);
			return [
				name,
				cell(context, column ?? refuse(context, `There is no column "${name}"`), given),
			];
		});
		return Object.fromEntries(cells) as IDataObject;
	});
	table.rows.push(...rows);
	return rows.map((json, item) => ({ json: { ...json }, pairedItem: { item } }));
}

function deleteRows(context: IExecuteFunctions): INodeExecutionData[] {
	const table = tableOf(context);
	return context.getInputData().flatMap((_, item) => {
		const { conditions } = context.getNodeParameter('filters', item) as unknown as {
			conditions: Condition[];
		};
		const meets = (row: IDataObject): boolean =>
			conditions.every(({ keyName, condition, keyValue }) => {
				const column = table.columns.find(({ name }) => name === keyName);
				if (!column || condition !== 'lt') return refuse(context, 'Filter validation failed');
				return String(row[keyName]) < cell(context, column, keyValue);
			});
		const gone = table.rows.filter(meets);
		table.rows = table.rows.filter((row) => !gone.includes(row));
		return gone.map((json) => ({ json, pairedItem: { item } }));
	});
}

/** Data Table: makes a table, adds rows, and deletes those in which columns are less than a value. */
export const dataTable: INodeType = {
	description: describe('dataTable', 'Data Table', [
		parameter('resource', 'string', ''),
		parameter('operation', 'string', ''),
		parameter('tableName', 'string', ''),
		parameter('dataTableId', 'resourceLocator', ''),
		parameter('columns', 'json', {}),
		parameter('matchType', 'string', ''),
		parameter('filters', 'json', {}),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [resource, operation] = ['resource', 'operation'].map((name) =>
			String(this.getNodeParameter(name, 0)),
		);
		switch (`${resource} ${operation}`) {
			case 'table create':
				return [create(this)];
			case 'row insert':
				return [insert(this)];
			case 'row deleteRows':
				return [deleteRows(this)];
			default:
				return refuse(this, `The tests' engine cannot ${operation} a ${resource}`);
		}
	},
};
