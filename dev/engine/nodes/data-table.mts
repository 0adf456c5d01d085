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
	keyValue: unknown;
}

/** A table; its rows have the columns that n8n adds: `id`, `createdAt` and `updatedAt`. */
export interface DataTable {
	columns: Column[];
	rows: IDataObject[];
}

/** The data tables of this process, by name. */
export const dataTables = new Map<string, DataTable>();

/** The columns of every table, which only n8n writes. */
const systemColumns: Column[] = [
	{ name: 'id', type: 'number' },
	{ name: 'createdAt', type: 'date' },
	{ name: 'updatedAt', type: 'date' },
];

let rowsInserted = 0;

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

function columnOf(context: IExecuteFunctions, columns: readonly Column[], name: string): Column {
	const found = columns.find((column) => column.name === name);
	return found ?? refuse(context, `There is no column "${name}"`);
}

/** A value as its column holds it; a date as the moment it is. */
function cell(
	context: IExecuteFunctions,
	{ name, type }: Column,
	value: unknown,
): string | number | null {
	if (value === undefined || value === null) return null;
	if (type === 'number' && typeof value === 'number') return value;
	if (type === 'number' || typeof value !== 'string')
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

/** The values that a node gives for a row: those of its form, or all fields of the item. */
function givenRow(context: IExecuteFunctions, { columns }: DataTable, index: number): IDataObject {
	const { mappingMode, value } = context.getNodeParameter('columns', index) as {
		mappingMode: string;
		value: IDataObject | null;
	};
	const item = context.getInputData()[index]?.json;
	const fields = Object.entries((mappingMode === 'autoMapInputData' ? item : value) ?? {});
	const isSystem = (name: string): boolean =>
		mappingMode === 'autoMapInputData' && systemColumns.some((column) => column.name === name);
	const cells = fields
		.filter(([name]) => !isSystem(name))
		.map(([name, given]) => [name, cell(context, columnOf(context, columns, name), given)]);
	return Object.fromEntries(cells) as IDataObject;
}

/** Adds rows, with null in the columns that they do not have. */
function add(table: DataTable, rows: IDataObject[]): IDataObject[] {
	const now = new Date().toISOString();
	const empty = Object.fromEntries(table.columns.map(({ name }) => [name, null]));
	const added = rows.map((row): IDataObject => {
		rowsInserted += 1;
		return { id: rowsInserted, createdAt: now, updatedAt: now, ...empty, ...row };
	});
	table.rows.push(...added);
	return added;
}

/** Adds rows; all of them are computed before the first is added. "Optimize Bulk" gives only their number. */
function insert(context: IExecuteFunctions): INodeExecutionData[] {
	const table = tableOf(context);
	const { optimizeBulk } = context.getNodeParameter('options', 0) as IDataObject;
	const rows = context.getInputData().map((_, index) => givenRow(context, table, index));
	const added = add(table, rows);
	if (optimizeBulk === true) return [{ json: { success: true, insertedRows: added.length } }];
	return added.map((json, item) => ({ json: { ...json }, pairedItem: { item } }));
}

/** Whether a cell meets a condition; an empty one is only not equal to a value. */
function meets(actual: unknown, condition: string, wanted: string | number): boolean | undefined {
	if (condition === 'eq') return actual === wanted;
	if (condition === 'neq') return actual !== wanted;
	if (condition !== 'lt') return undefined;
	return actual !== null && (actual as string | number) < wanted;
}

/** The rows that meet all conditions of a node. */
function selected(context: IExecuteFunctions, table: DataTable, index: number): IDataObject[] {
	const { conditions = [] } = context.getNodeParameter('filters', index) as unknown as {
		conditions?: Condition[];
	};
	if (conditions.length > 0 && context.getNodeParameter('matchType', index) !== 'allConditions')
		return refuse(context, "The tests' engine has only rows that meet all conditions");
	const columns = [...systemColumns, ...table.columns];
	return table.rows.filter((row) =>
		conditions.every(({ keyName, condition, keyValue }) => {
			const wanted = cell(context, columnOf(context, columns, keyName), keyValue);
			const answer = wanted === null ? undefined : meets(row[keyName], condition, wanted);
			return answer ?? refuse(context, `The tests' engine has no condition ${condition}`);
		}),
	);
}

/** What a node does with the rows that one item selects; gives the rows for that item. */
type RowOperation = (
	context: IExecuteFunctions,
	table: DataTable,
	rows: IDataObject[],
	index: number,
) => IDataObject[];

const rowOperations: Readonly<Record<string, RowOperation>> = {
	get(context, _, rows, index) {
		if (context.getNodeParameter('returnAll', index) === true) return rows;
		return refuse(context, "The tests' engine returns all rows");
	},
	deleteRows(_, table, rows) {
		table.rows = table.rows.filter((row) => !rows.includes(row));
		return rows;
	},
	update(context, table, rows, index) {
		const changes = { ...givenRow(context, table, index), updatedAt: new Date().toISOString() };
		return rows.map((row) => Object.assign(row, changes));
	},
	upsert(context, table, rows, index) {
		if (rows.length === 0) return add(table, [givenRow(context, table, index)]);
		return rowOperations.update?.(context, table, rows, index) ?? [];
	},
};

/** Data Table: makes a table; inserts, gets, updates, upserts and deletes rows. */
export const dataTable: INodeType = {
	description: describe('dataTable', 'Data Table', [
		parameter('resource', 'string', ''),
		parameter('operation', 'string', ''),
		parameter('tableName', 'string', ''),
		parameter('dataTableId', 'resourceLocator', ''),
		parameter('columns', 'json', {}),
		parameter('matchType', 'string', 'anyCondition'),
		parameter('filters', 'json', {}),
		parameter('returnAll', 'boolean', false),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [resource, operation = ''] = ['resource', 'operation'].map((name) =>
			String(this.getNodeParameter(name, 0)),
		);
		if (resource === 'table' && operation === 'create') return [create(this)];
		if (resource === 'row' && operation === 'insert') return [insert(this)];
		const run = resource === 'row' ? rowOperations[operation] : undefined;
		if (!run) return refuse(this, `The tests' engine cannot ${operation} a ${resource}`);
		const table = tableOf(this);
		const items = this.getInputData().flatMap((_, item) => {
			const rows = run(this, table, selected(this, table, item), item);
			return rows.map((row) => ({ json: { ...row }, pairedItem: { item } }));
		});
		return [items];
	},
};
