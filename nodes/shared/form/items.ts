import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { RequestOf, SoapOperation } from '../contract/soapOperation';
import { checkFilledRecord, knownValues, type Values } from '../contract/values';
import { at, collect, together } from '../errors/InputError';
import { ITEMS, requestList, specify, type RequestList } from './requestForm';
import { checkScalar, readScalarParameter } from './requestValues';
import { unsimplifier } from './simplify';

/** A request whose rows are input items, as they were read or simplified. */
export interface ItemsRequest<O extends SoapOperation> {
	readonly request: RequestOf<O>;
	/** Paths of the items' fields that are no part of the request. */
	readonly unknown: readonly string[];
}

/** Whether the builder chose to give the rows of a list as input items; the same for all of them. */
export function takesItems(context: IExecuteFunctions, { name }: RequestList): boolean {
	return context.getNodeParameter(specify(name), 0, '') === ITEMS;
}

/** Gives an input item by its index, simplified columns in the place of the elements they hold. */
type ItemReader = (index: number) => Values;

function itemReader(context: IExecuteFunctions, request: Fields): ItemReader {
	const items = context.getInputData();
	const unsimplify = unsimplifier({ ...request, ...requestList(request)?.list.of.fields });
	return (index) => unsimplify(items[index]?.json ?? {});
}

/** The scalars of an item's request: those that say whom and when from the item, others from the form. */
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
 * What can be read of the values that say whom and when a request is about, for messages about one
 * that cannot be made.
 *
 * @param keys the names of these values
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
 * Groups input items by the scalars of their request (for example employee, period and year), in the
 * order of their first items. An item whose scalars cannot be read is a group of its own.
 *
 * @returns the items' indices, group by group
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
			// Its error is the one of the call that is made from it alone.
			key = `item ${index}`;
		}
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [index]);
		else group.push(index);
	}
	return [...groups.values()];
}

/**
 * Makes one request of a group of input items, each of them a row of the list.
 *
 * @throws {InputError} with every value of the items that is not allowed; the items are rows
 */
export function readItems<O extends SoapOperation>(
	context: IExecuteFunctions,
	operation: O,
	{ name, list }: RequestList,
	items: readonly number[],
): ItemsRequest<O> {
	const fields: Fields = operation.request;
	const read = itemReader(context, fields);
	const unknown = new Set<string>();
	const rowOf = (item: Values): Values => {
		const parted = knownValues(list.of.fields, item);
		checkFilledRecord(list.of, parted.known);
		for (const field of parted.unknown) if (!Object.hasOwn(fields, field)) unknown.add(field);
		return parted.known;
	};
	const given = at(name, () => collect(items, (index, row) => at(row, () => read(index))));
	const [scalars, rows] = together(
		() => readScalars(context, operation, given[0] ?? {}, items[0] ?? 0),
		() => at(name, () => collect(given, (item, row) => at(row, () => rowOf(item)))),
	);
	const values: Values = { ...scalars, [name]: rows };
	const inOrder = Object.keys(fields).map((element) => [element, values[element]]);
	return { request: Object.fromEntries(inOrder) as RequestOf<O>, unknown: [...unknown] };
}
