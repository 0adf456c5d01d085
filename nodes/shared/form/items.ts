import type { IDataObject } from 'n8n-workflow';
import type { Fields, ScalarField } from '../contract/fields';
import { isScalar } from '../contract/schemaFields';
import { keysOf } from '../contract/soapOperation';
import { at, collect, invalidInput } from '../errors/InputError';
import { checkFilledRecord } from '../values/checkValues';
import { knownValues } from '../values/knownValues';
import type { Values } from '../values/values';
import { Columns, placeColumns } from './columns';
import type { InputItem, InputItems } from './inputItem';
import { flatten, label } from './names';
import { ITEMS, requestList, specify, type RequestList } from './requestForm';
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

/** Returns a function that reads an input item: its values by element. */
function itemReader(request: Fields): (item: InputItem) => Values {
	const columns = rowColumns(request);
	return ({ json }) => placeColumns(json, (column) => columns.find(column)?.path);
}

/**
 * Reads a scalar of a request from the form; a key from the values of an item, if rows are items.
 */
function readScalar(
	request: Fields,
	name: string,
	field: ScalarField,
	item: InputItem,
	given: Values | undefined,
): unknown {
	if (given === undefined || !field.isKey) return readScalarParameter(item, name, field);
	if (Object.hasOwn(given, name)) return checkScalar(given[name], field);
	const names = rowColumns(request).namesOf({ path: [name], label: label(name, field) });
	throw invalidInput(`is missing: name a column ${names}.`, 'VALUE_REQUIRED');
}

/**
 * Reads the keys of a request (employee or company, and period) for error messages. Keys that are
 * missing or not allowed are omitted.
 */
export function readableKeys(item: InputItem, request: Fields): IDataObject {
	const isRow = listOfItems(item, request) !== undefined;
	const readable: IDataObject = {};
	for (const [name, field] of Object.entries(keysOf(request))) {
		try {
			const given = isRow ? itemReader(request)(item) : undefined;
			readable[name] = readScalar(request, name, field as ScalarField, item, given) as number;
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
export function groupItems(request: Fields, items: InputItems): InputItems[] {
	if (listOfItems(items[0], request) === undefined) return items.map((item) => [item]);
	const read = itemReader(request);
	const scalars = Object.entries(request).filter((entry): entry is [string, ScalarField] =>
		isScalar(entry[1]),
	);
	return groupBy(items, (item) => {
		const given = read(item);
		const key = scalars.map(([name, field]) => readScalar(request, name, field, item, given));
		return JSON.stringify(key);
	});
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
	const unknown = new Set<string>();
	const list = listOfItems(first, request);
	const read = itemReader(request);
	const ofItems = <V, T>(name: string, all: readonly V[], work: (one: V) => T): T[] =>
		at(name, () => collect(all, (one, row) => at(row, () => work(one))));
	const given = list && ofItems(list.name, items, read);
	const values = collect(Object.entries(request), ([name, field]) => {
		if (given && field.kind === 'list') {
			const rows = ofItems(name, given, (item) => {
				const separated = knownValues(field.of, item);
				checkFilledRecord(field.of, separated.known);
				for (const path of separated.unknown) if (!Object.hasOwn(request, path)) unknown.add(path);
				return separated.known;
			});
			return [name, rows];
		}
		return at(name, () => [
			name,
			isScalar(field)
				? readScalar(request, name, field, first, given?.[0])
				: readRecordParameter(first, name, field),
		]);
	});
	return { request: Object.fromEntries(values) as Values, unknown: [...unknown] };
}
