import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { SoapOperation } from '../contract/soapOperation';
import { at, collect, collectAll } from '../errors/InputError';
import { checkFilledRecord } from '../values/checkValues';
import { knownValues, type Values } from '../values/values';
import { ITEMS, requestList, specify, type RequestList } from './requestForm';
import { checkScalar, readScalarParameter } from './requestValues';
import { unsimplifier } from './simplify';

/** A request whose rows are input items, raw or simplified. */
export interface ItemsRequest {
	readonly request: Values;
	/** Paths of the items' fields that are not part of the request. */
	readonly unknown: readonly string[];
}

/** Whether the builder chose input items as the rows of a list. All items share this choice. */
export function takesItems(context: IExecuteFunctions, { name }: RequestList): boolean {
	return context.getNodeParameter(specify(name), 0, '') === ITEMS;
}

/** Returns the input item with an index; simplified columns are converted back to elements. */
type ItemReader = (index: number) => Values;

function itemReader(context: IExecuteFunctions, request: Fields): ItemReader {
	const items = context.getInputData();
	const unsimplify = unsimplifier({ ...request, ...requestList(request)?.list.of.fields });
	return (index) => unsimplify(items[index]?.json ?? {});
}

/** Reads the scalars of an item's request: keys from the item, other scalars from the form. */
function readScalars(
	context: IExecuteFunctions,
	{ request, keys }: SoapOperation,
	item: Values,
	index: number,
): Values {
	const values = collect(Object.entries(request), ([name, field]) => {
		if (field.kind === 'list' || field.kind === 'record') return [];
		const read = (): unknown =>
			keys.includes(name)
				? checkScalar(item[name], field)
				: readScalarParameter(context, name, field, index);
		return [[name, at(name, read)] as const];
	});
	return Object.fromEntries(values.flat());
}

/**
 * Reads the keys of a request (employee or company, and period) for error messages. Keys that are
 * missing or not allowed are omitted.
 *
 * @param keys names of the key elements
 * @param index the input item
 */
export function readableKeys(
	context: IExecuteFunctions,
	request: Fields,
	keys: readonly string[],
	index: number,
): IDataObject {
	const list = requestList(request);
	const fromItem = list !== undefined && takesItems(context, list);
	const readable: IDataObject = {};
	for (const name of keys) {
		const field = request[name];
		if (field === undefined || field.kind === 'list' || field.kind === 'record') continue;
		try {
			const value = fromItem
				? checkScalar(itemReader(context, request)(index)[name], field)
				: readScalarParameter(context, name, field, index);
			readable[name] = value as IDataObject[string];
		} catch {
			continue;
		}
	}
	return readable;
}

/**
 * Groups input items by the scalars of their request (for example employee, period and year), in
 * the order of each group's first item. An item whose scalars are not valid is a group of its own.
 *
 * @returns the item indexes of each group
 */
export function groupItems(
	context: IExecuteFunctions,
	operation: SoapOperation,
): ReadonlyArray<readonly number[]> {
	const read = itemReader(context, operation.request);
	const groups = new Map<string, number[]>();
	for (const index of context.getInputData().keys()) {
		let key: string;
		try {
			key = JSON.stringify(readScalars(context, operation, read(index), index));
		} catch {
			// The item becomes a call of its own, which fails with this error.
			key = `item ${index}`;
		}
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [index]);
		else group.push(index);
	}
	return [...groups.values()];
}

/**
 * Builds one request from a group of input items, one row per item.
 *
 * @param items indexes of the items, at least one
 * @throws {InputError} with every value of the items that is not allowed; a row index is an index
 * into `items`
 */
export function readItems(
	context: IExecuteFunctions,
	operation: SoapOperation,
	{ name, list }: RequestList,
	items: readonly number[],
): ItemsRequest {
	const fields: Fields = operation.request;
	const read = itemReader(context, fields);
	const unknown = new Set<string>();
	const rowOf = (item: Values): Values => {
		const separated = knownValues(list.of.fields, item);
		checkFilledRecord(list.of, separated.known);
		for (const field of separated.unknown) if (!Object.hasOwn(fields, field)) unknown.add(field);
		return separated.known;
	};
	const given = at(name, () => collect(items, (index, row) => at(row, () => read(index))));
	const [scalars, rows] = collectAll(
		() => readScalars(context, operation, given[0] ?? {}, items[0] ?? 0),
		() => at(name, () => collect(given, (item, row) => at(row, () => rowOf(item)))),
	);
	const values: Values = { ...scalars, [name]: rows };
	const inOrder = Object.keys(fields).map((element) => [element, values[element]]);
	return { request: Object.fromEntries(inOrder), unknown: [...unknown] };
}
