import type { IDataObject } from 'n8n-workflow';
import type { Fields, ScalarField } from '../contract/fields';
import { isScalar } from '../contract/schemaFields';
import type { SoapOperation } from '../contract/soapOperation';
import { at, collect, collectAll, faulty, texts } from '../errors/InputError';
import { checkFilledRecord } from '../values/checkValues';
import { knownValues, type Values } from '../values/values';
import { Columns, placeColumns } from './columns';
import type { InputItem, InputItems } from './inputItem';
import { label } from './names';
import { ITEMS, requestList, specify, type RequestList } from './requestForm';
import { checkScalar, readRequest, readScalarParameter } from './requestValues';
import { columnsOf } from './simplify';

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
	return new Columns(columnsOf({ ...request, ...requestList(request)?.list.of.fields }));
}

/** Returns a function that reads an input item: its values by element. */
function itemReader(request: Fields): (item: InputItem) => Values {
	const columns = rowColumns(request);
	return ({ json }) => placeColumns(json, (column) => columns.find(column)?.path);
}

/** Reads a key of a request from the values of an item. */
function readItemKey(request: Fields, name: string, field: ScalarField, given: Values): unknown {
	if (!Object.hasOwn(given, name)) {
		const names = rowColumns(request).namesOf({ path: [name], label: label(name, field) });
		throw faulty(texts.values.noColumn, { names });
	}
	return checkScalar(given[name], field);
}

/** Reads the scalars of an item's request: keys from the item, other scalars from the form. */
function readScalars({ request, keys }: SoapOperation, item: InputItem, given: Values): Values {
	const values = collect(Object.entries(request), ([name, field]) => {
		if (!isScalar(field)) return [];
		const read = (): unknown =>
			keys.includes(name)
				? readItemKey(request, name, field, given)
				: readScalarParameter(item, name, field);
		return [[name, at(name, read)] as const];
	});
	return Object.fromEntries(values.flat());
}

/**
 * Reads the keys of a request (employee or company, and period) for error messages. Keys that are
 * missing or not allowed are omitted.
 *
 * @param keys names of the key elements
 */
export function readableKeys(
	item: InputItem,
	request: Fields,
	keys: readonly string[],
): IDataObject {
	const isRow = listOfItems(item, request) !== undefined;
	const readable: IDataObject = {};
	for (const name of keys) {
		try {
			const given = isRow ? itemReader(request)(item) : undefined;
			const field = request[name] as ScalarField;
			const value = given
				? checkScalar(given[name], field)
				: readScalarParameter(item, name, field);
			readable[name] = value as IDataObject[string];
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
export function groupBy(items: InputItems, keyOf: (item: InputItem) => string): InputItems[] {
	const groups = new Map<string, [InputItem, ...InputItem[]]>();
	for (const item of items) {
		let key: string;
		try {
			key = keyOf(item);
		} catch {
			key = `item ${item.index}`;
		}
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [item]);
		else group.push(item);
	}
	return [...groups.values()];
}

/**
 * Groups input items into calls: if they are rows, by the scalars of their request (for example
 * employee, period and year), see {@link groupBy}; otherwise, each item is one call.
 */
export function groupItems(operation: SoapOperation, items: InputItems): InputItems[] {
	if (listOfItems(items[0], operation.request) === undefined) return items.map((item) => [item]);
	const read = itemReader(operation.request);
	return groupBy(items, (item) => JSON.stringify(readScalars(operation, item, read(item))));
}

/**
 * Reads the request of a call from the form; if rows are input items, one row from each item.
 *
 * @throws {InputError} with every value that is not allowed; the index of a row from an item is an
 * index into `items`
 */
export function readCallRequest(operation: SoapOperation, items: InputItems): CallRequest {
	const list = listOfItems(items[0], operation.request);
	if (list !== undefined) return readItems(operation, list, items);
	return { request: readRequest(items[0], operation), unknown: [] };
}

/** Builds one request from a group of input items, one row per item. */
function readItems(
	operation: SoapOperation,
	{ name, list }: RequestList,
	items: InputItems,
): CallRequest {
	const fields: Fields = operation.request;
	const read = itemReader(fields);
	const unknown = new Set<string>();
	const rowOf = (item: Values): Values => {
		const separated = knownValues(list.of.fields, item);
		checkFilledRecord(list.of, separated.known);
		for (const field of separated.unknown) if (!Object.hasOwn(fields, field)) unknown.add(field);
		return separated.known;
	};
	const given = at(name, () => collect(items, (item, row) => at(row, () => read(item))));
	const [scalars, rows] = collectAll(
		() => readScalars(operation, items[0], given[0] ?? {}),
		() => at(name, () => collect(given, (item, row) => at(row, () => rowOf(item)))),
	);
	const values: Values = { ...scalars, [name]: rows };
	const inOrder = Object.keys(fields).map((element) => [element, values[element]]);
	return { request: Object.fromEntries(inOrder), unknown: [...unknown] };
}
