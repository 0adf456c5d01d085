/** What an AI model reads as the answer of a tool: each character costs, and its context is limited. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../values/values';

/** What a person looks at in a dry run: the model has its changes as lines of text. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['envelope', 'request']);

/** Returns the record of a write, or of its dry run, without what only a person looks at. */
export function briefRecord(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !FOR_PEOPLE.has(name)));
}

/** The values of a record by their paths: `{ CostCenter: { Code: '4100' } }` → `CostCenter.Code`. */
function cellsOf(record: object, outer = ''): Array<[string, unknown]> {
	return Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
		return isObject(value) ? cellsOf(value, `${outer}${name}.`) : [[outer + name, value]];
	});
}

/**
 * Returns records as a table, in which the names of columns stand once, after the keys of the call. A single
 * record stays as it is.
 */
export function tableOf(keys: IDataObject, records: readonly IDataObject[]): IDataObject {
	const [first] = records;
	if (first !== undefined && records.length === 1) return first;
	const shared = Object.entries(keys).filter(([name, value]) => {
		return records.every((record) => record[name] === value);
	});
	const beside = Object.fromEntries(shared);
	const cells = records.map((record) => new Map(cellsOf(record)));
	const names = new Set(cells.flatMap((row) => [...row.keys()]));
	const columns = [...names].filter((name) => !Object.hasOwn(beside, name));
	const rows = cells.map((row) => columns.map((name) => row.get(name) ?? null));
	return { ...beside, columns, rows } as IDataObject;
}
