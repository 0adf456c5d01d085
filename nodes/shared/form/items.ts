import type { IDataObject } from 'n8n-workflow';
import {
	isRecordList,
	isScalar,
	type Field,
	type Fields,
	type RecordField,
	type ScalarField,
} from '../contract/fields';
import { keysOf, requestList, type RequestList } from '../contract/operation';
import { at, collect, invalidInput } from '../errors/InputError';
import { inTurns } from '../host/eventLoop';
import { checkFilledRecord } from '../soap/writeFields';
import { knownValues } from '../values/knownValues';
import { checkReadable } from '../values/untyped';
import { groupedBy, type Values } from '../values/values';
import { cellValue, Columns, placeColumns } from './columns';
import type { InputItem, InputItems } from './inputItem';
import { flatten, ITEMS, label, specify } from './names';
import { checkScalar, readRecordParameter, readScalarParameter } from './requestValues';

/** The request of a call. */
export interface CallRequest {
	readonly request: Values;
	/** Paths of the fields of input items that are rows, if they are not part of the request. */
	readonly unknown: readonly string[];
}

/**
 * Returns the list of a request whose rows are input items; `undefined` if the builder did not choose
 * them. All items share this choice.
 */
export function listOfItems(item: InputItem, request: Fields): RequestList | undefined {
	const list = requestList(request);
	const isChosen = list !== undefined && item.readShared(specify(list.name), '') === ITEMS;
	return isChosen ? list : undefined;
}

/** The columns of input items that are rows: those of the request's keys, and of the row. */
function rowColumns(request: Fields): Columns {
	return new Columns(flatten({ ...request, ...requestList(request)?.list.of.fields }));
}

/** Returns the values of an input item that is a row, by element. */
function rowOf(columns: Columns, { json }: InputItem): Values {
	return placeColumns(json, (column) => columns.find(column)?.path);
}

type ScalarReader = (item: InputItem, name: string, field: ScalarField) => unknown;

/** Returns what reads the scalars of a request: from the form, keys from the item itself if it is a row. */
function scalarReader(request: Fields, first: InputItem): ScalarReader {
	if (listOfItems(first, request) === undefined) return readScalarParameter;
	const columns = rowColumns(request);
	return (item, name, field) => {
		if (!field.isKey) return readScalarParameter(item, name, field);
		const row = rowOf(columns, item);
		if (Object.hasOwn(row, name)) return checkScalar(row[name], field);
		const names = columns.namesOf({ path: [name], label: label(name, field) });
		throw invalidInput(`is missing: name a column ${names}.`, 'VALUE_REQUIRED');
	};
}

/**
 * Reads the keys of a request (employee or company, and period) for error messages. Keys that are
 * missing or not allowed are omitted.
 */
export function readableKeys(item: InputItem, request: Fields): IDataObject {
	const read = scalarReader(request, item);
	const readable: IDataObject = {};
	for (const [name, field] of Object.entries(keysOf(request))) {
		try {
			readable[name] = read(item, name, field as ScalarField) as number;
		} catch {
			continue;
		}
	}
	return readable;
}

/**
 * Groups input items by a key, in the order of each group's first item. An item whose key cannot be
 * determined is a group of its own: it becomes a call that fails with this error.
 */
export async function groupBy(
	items: InputItems,
	keyOf: (item: InputItem) => string,
): Promise<InputItems[]> {
	const keys = new Map<InputItem, string>();
	for await (const item of inTurns(items)) {
		try {
			keys.set(item, keyOf(item));
		} catch {
			continue;
		}
	}
	const groups = groupedBy(items, (item) => keys.get(item) ?? `item ${item.index}`);
	return [...groups.values()];
}

/**
 * Groups input items into calls: if they are rows, by the scalars of their request (for example
 * employee, period and year), see {@link groupBy}; otherwise, each item is one call.
 */
export async function groupItems(request: Fields, items: InputItems): Promise<InputItems[]> {
	if (listOfItems(items[0], request) === undefined) return items.map((item) => [item]);
	const read = scalarReader(request, items[0]);
	return await groupBy(items, (item) =>
		JSON.stringify(
			Object.entries(request).map(([name, field]) =>
				isScalar(field) ? read(item, name, field) : undefined,
			),
		),
	);
}

/**
 * Reads the request of a call from the form (docs/dev/interface.md, section 4.3); if rows are input
 * items, one row from each item.
 *
 * @throws {InputError} with every value that is missing, empty or not allowed; the index of a row
 * from an item is an index into `items`
 */
export function readCallRequest(request: Fields, items: InputItems): CallRequest {
	const [first] = items;
	const list = listOfItems(first, request);
	const columns = rowColumns(request);
	const read = (item: InputItem): Values => {
		checkReadable(item.json);
		return rowOf(columns, item);
	};
	const given = list && at(list.name, () => collect(items, (item, i) => at(i, () => read(item))));
	const unknown = new Set<string>();
	const checkRow = (record: RecordField, row: Values): Values => {
		const separated = knownValues(record, row, cellValue);
		checkFilledRecord(record, separated.known);
		for (const path of separated.unknown) if (!Object.hasOwn(request, path)) unknown.add(path);
		return separated.known;
	};
	const readScalarOf = scalarReader(request, first);
	const valueOf = (name: string, field: Field): unknown => {
		const isList = isRecordList(field);
		if (given && isList) return collect(given, (row, i) => at(i, () => checkRow(field.of, row)));
		if (isList || field.kind === 'record') return readRecordParameter(first, name, field);
		return readScalarOf(first, name, field as ScalarField);
	};
	const values = collect(Object.entries(request), ([name, field]) =>
		at(name, () => [name, valueOf(name, field)]),
	);
	return { request: Object.fromEntries(values) as Values, unknown: [...unknown] };
}

/**
 * Whether the input item before or after one has other rows for the same keys, and each item is a call of
 * its own: their rows may be meant as one list.
 *
 * @param asked the request of the item
 */
export function isSplit(request: Fields, item: InputItem, asked: Values): boolean {
	const list = requestList(request);
	if (list === undefined || listOfItems(item, request) !== undefined) return false;
	const partsOf = ({ [list.name]: rows, ...keys }: Values) =>
		[rows, keys].map((part) => JSON.stringify(part));
	const [rows, keys] = partsOf(asked);
	return item.neighbors.some((neighbor) => {
		try {
			const [otherRows, otherKeys] = partsOf(readCallRequest(request, [neighbor]).request);
			return otherKeys === keys && otherRows !== rows;
		} catch {
			return false;
		}
	});
}
