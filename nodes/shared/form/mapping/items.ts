/** Input items as calls: which items make one call, which rows of a sheet are no data, and the request of a call. */
import type { IDataObject } from 'n8n-workflow';
import {
	type Fields,
	isRecordList,
	isScalar,
	type RecordField,
	type ScalarField,
} from '../../contract/fields';
import { keysOf, requestRows, subjectOf } from '../../contract/operation';
import { attempt, collectPartly, type Path, type Problem } from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import { inTurns } from '../../host/eventLoop';
import { groupedBy, valueAt, type Values } from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import { ROW_NUMBER, rowNumber, rowsOfItems } from '../names';
import { checkUsualFields, readRecordParameter, readScalarParameter } from '../requestValues';
import { readKey, readRecord, type Row, rowOf } from './rows';
import { cellValue } from './columns';

/** The request of a call. */
export interface CallRequest {
	/** What can be used: rows that cannot are `undefined`, other values are left out. */
	readonly request: Values;
	/** Paths of the fields of input items that are rows, if they are not part of the request. */
	readonly unknown: readonly string[];
	/** What is wrong with its values. */
	readonly problems: readonly Problem[];
}

/**
 * Reads a scalar of a request: from the form, a key from the row if input items are rows.
 *
 * @throws {InputError} if it is missing or not of the field's kind
 */
function readValue(request: Fields, item: InputItem, name: string, field: ScalarField): unknown {
	const isInRow = field.isKey === true && rowsOfItems(item, request) !== undefined;
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
interface GroupedItems {
	readonly groups: readonly InputItems[];
	readonly notices: KeptRows['notices'];
}

/**
 * Groups input items into calls: if they are rows of a list, by the scalars of their request (for example
 * employee, period and year), see {@link groupBy}; otherwise, each item is one call. Blank rows and totals
 * make none.
 */
export async function groupItems(request: Fields, items: InputItems): Promise<GroupedItems> {
	const chosen = rowsOfItems(items[0], request);
	if (chosen === undefined) return { groups: items.map((item) => [item]), notices: [] };
	const { rows, notices } = await withoutSkipped(request, items);
	if (!chosen.isList) return { groups: rows.map((item) => [item]), notices };
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
 * items, one row from each item. The index of a row is then an index into `items`.
 */
export function readCallRequest(request: Fields, items: InputItems): CallRequest {
	const [first] = items;
	const rows = rowsOfItems(first, request);
	const unknown = new Set<string>();
	const problems: Problem[] = [];
	/** The path of a value in a row, from the request. */
	const inRow = (path: Path, i: number): Path =>
		rows === undefined ? path : [rows.name, ...(rows.isList ? [i] : []), ...path];
	// Columns that contradict each other are told once. No other row is in such a call.
	const contradiction = attempt(() => rows && rowOf(request, first)).problems;
	if (contradiction.length > 0) {
		const placed = contradiction.map((one) => {
			const isKey = Object.hasOwn(request, String(one.path[0]));
			return isKey ? one : { ...one, path: inRow(one.path, 0) };
		});
		return { request: {}, unknown: [], problems: placed };
	}
	const readRow = (record: RecordField, item: InputItem, i: number): Values | undefined => {
		const row = readRecord(request, record, item);
		for (const column of rowOf(request, item).unknown) unknown.add(column);
		for (const one of row.problems) problems.push({ ...one, path: inRow(one.path, i) });
		return row.values;
	};
	const entries = Object.entries(request);
	const read = collectPartly(
		entries,
		([name, field]) => {
			if (rows?.name === name && rows.isList) {
				return items.map((item, i) => readRow(rows.of, item, i));
			}
			if (rows?.name === name) {
				const row = readRow(rows.of, first, 0);
				if (problems.length === 0) checkUsualFields(first, rows.of, row, false);
				return row;
			}
			if (field.kind === 'record' || isRecordList(field)) {
				return readRecordParameter(first, name, field);
			}
			return readValue(request, first, name, field as ScalarField);
		},
		([name]) => name,
	);
	return {
		request: Object.fromEntries(entries.map(([name], i) => [name, read.results[i]])),
		unknown: [...unknown],
		problems: [...read.problems, ...problems],
	};
}

/** Text of a cell that names a total, in Dutch or English. */
const TOTAL =
	/^(?:(?:sub|eind|grand|general|algemeen)?[ -]?tot(?:aal|al|alen|als)|totaal generaal|som|sum) ?:?$/i;

/** Says of rows, by their numbers, that they were skipped, and why. */
function skippedText(
	rows: ReadonlyArray<readonly [row: string, note?: string]>,
	one: string,
	several: string,
): string[] {
	const [only, ...others] = rows;
	if (only === undefined) return [];
	const [row, note = ''] = only;
	if (others.length === 0) return [`Row ${row} ${one}${note} and was skipped`];
	return [`Rows ${joinNames(rows.map((own) => own.join('')))} ${several} and were skipped`];
}

/** Input items that are rows, and what is to be said of those that were skipped. */
interface KeptRows {
	readonly rows: readonly InputItem[];
	readonly notices: ReadonlyArray<{ readonly isProblem: boolean; readonly text: string }>;
}

/**
 * Separates input items that are rows from blank rows and totals. A row without a value in a mapped column
 * is blank; if no row has one, the columns are probably not those of the sheet: then only a row
 * without any value is.
 */
async function withoutSkipped(request: Fields, items: InputItems): Promise<KeptRows> {
	const { matchOn = [] } = requestRows(request) ?? {};
	const isBlank = (cell: unknown): boolean => cellValue(cell) === undefined;
	const isTotalText = (cell: unknown): cell is string =>
		typeof cell === 'string' && TOTAL.test(cell.trim());
	const rows: InputItem[] = [];
	const unmapped: InputItem[] = [];
	const totals: Array<readonly [string, string]> = [];
	for await (const item of inTurns(items)) {
		let row: Row;
		try {
			row = rowOf(request, item);
		} catch {
			// Its call fails.
			rows.push(item);
			continue;
		}
		// A row that names an employee or company, or a record, may be data.
		const { cells } = row;
		const identity = [[subjectOf(request)], ...matchOn].map((path) => valueAt(cells, path));
		const mayBeTotal = identity.every((cell) => isBlank(cell) || isTotalText(cell));
		const total = mayBeTotal ? Object.values(item.json).find(isTotalText) : undefined;
		if (total === undefined) (row.isFilled ? rows : unmapped).push(item);
		else totals.push([String(rowNumber(item)), ` ("${total.trim()}")`]);
	}
	const isMapped = rows.length > 0;
	const isBlankItem = ({ json }: InputItem): boolean =>
		Object.entries(json).every(([column, cell]) => column === ROW_NUMBER || isBlank(cell));
	const blank = unmapped.filter((item) => isMapped || isBlankItem(item));
	const texts = [
		...skippedText(
			blank.map((item) => [String(rowNumber(item))]),
			'is blank',
			'are blank',
		),
		...skippedText(totals, 'looks like a total row', 'look like total rows'),
	];
	const notices =
		texts.length === 0 ? [] : [{ isProblem: totals.length > 0, text: `${texts.join('. ')}.` }];
	return { rows: isMapped ? rows : unmapped.filter((item) => !isBlankItem(item)), notices };
}
