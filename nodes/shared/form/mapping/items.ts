import type { IDataObject } from 'n8n-workflow';
import {
	isRecordList,
	isScalar,
	type Field,
	type Fields,
	type RecordField,
	type ScalarField,
} from '../../contract/fields';
import { keysOf } from '../../contract/operation';
import { at, collect } from '../../errors/InputError';
import { inTurns } from '../../host/eventLoop';
import { groupedBy, type Values } from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import { listOfItems, ROW_NUMBER } from '../names';
import { readRecordParameter, readScalarParameter } from '../requestValues';
import { readKey, readRecord, rowOf } from './rows';
import { withoutSkipped, type KeptRows } from './skipped';

/** The request of a call. */
export interface CallRequest {
	readonly request: Values;
	/** Paths of the fields of input items that are rows, if they are not part of the request. */
	readonly unknown: readonly string[];
}

/**
 * Reads a scalar of a request: from the form, a key from the row if input items are rows.
 *
 * @throws {InputError} if it is missing or not of the field's kind
 */
function readValue(request: Fields, item: InputItem, name: string, field: ScalarField): unknown {
	const isInRow = field.isKey === true && listOfItems(item, request) !== undefined;
	return isInRow ? readKey(request, item, name, field) : readScalarParameter(item, name, field);
}

/**
 * Reads the keys of a request (employee or company, and period) for error messages. Keys that are
 * missing or not allowed are omitted.
 */
export function readableKeys(item: InputItem, request: Fields): IDataObject {
	const readable: IDataObject = {};
	for (const [name, field] of Object.entries(keysOf(request))) {
		try {
			readable[name] = readValue(request, item, name, field as ScalarField) as number;
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
	items: readonly InputItem[],
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

/** Input items as the calls that they make, and notices about those that make none. */
export interface GroupedItems {
	readonly groups: readonly InputItems[];
	readonly notices: KeptRows['notices'];
}

/**
 * Groups input items into calls: if they are rows, by the scalars of their request (for example
 * employee, period and year), see {@link groupBy}, without blank rows and totals; otherwise, each item
 * is one call.
 */
export async function groupItems(request: Fields, items: InputItems): Promise<GroupedItems> {
	if (listOfItems(items[0], request) === undefined) {
		return { groups: items.map((item) => [item]), notices: [] };
	}
	const { rows, notices } = await withoutSkipped(request, items);
	const groups = await groupBy(rows, (item) =>
		JSON.stringify(
			Object.entries(request).map(([name, field]) =>
				isScalar(field) ? readValue(request, item, name, field) : undefined,
			),
		),
	);
	return { groups, notices };
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
	const isRows = listOfItems(first, request) !== undefined;
	const unknown = new Set<string>();
	const readRows = (record: RecordField): Values[] =>
		collect(items, (item, i) => {
			const row = at(i, () => readRecord(request, record, item));
			for (const path of rowOf(request, item).unknown) unknown.add(path);
			return row;
		});
	const valueOf = (name: string, field: Field): unknown => {
		const isList = isRecordList(field);
		if (isRows && isList) return readRows(field.of);
		if (isList || field.kind === 'record') return readRecordParameter(first, name, field);
		return readValue(request, first, name, field as ScalarField);
	};
	const values = collect(Object.entries(request), ([name, field]) =>
		at(name, () => [name, valueOf(name, field)]),
	);
	unknown.delete(ROW_NUMBER);
	return { request: Object.fromEntries(values) as Values, unknown: [...unknown] };
}
