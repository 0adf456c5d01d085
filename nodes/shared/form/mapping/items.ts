/** Input items as calls: which items make one call, which rows of a sheet are no data, and the request of a call. */
import type { IDataObject } from 'n8n-workflow';
import {
	type Fields,
	isScalar,
	type RecordContent,
	type RecordField,
	type RecordList,
	type ScalarField,
} from '../../contract/fields';
import { keysOf, subjectOf } from '../../contract/operation';
import {
	validated,
	collect,
	collectPartly,
	invalidInput,
	type Path,
	pathText,
} from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import { inTurns } from '../../host/eventLoop';
import { groupedBy, isObject, isSet, setterOf, valueAt } from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import {
	DECIMAL_COMMA,
	FRACTIONS,
	isGivenAsJson,
	ONLY_THESE_LABEL,
	ROW_NUMBER,
	rowNumber,
	rowsOfItems,
} from '../names';
import {
	type CheckedRequest,
	checkedRequest,
	checkUsualFields,
	lackingFields,
	readGiven,
	readScalarParameter,
} from '../requestValues';
import { cellValue } from './columns';
import { readKey, type Row, rowOf } from './rows';

/** The request of a call. What is refused is left out; a row, if it is not known which record it is. */
export interface CallRequest extends CheckedRequest {
	/** Paths of the fields of input items that are rows, if they are not part of the request. */
	readonly unknown: readonly string[];
}

/** Reads a scalar of a request: from the form, a key from the row if input items are rows. @throws {InputError} */
function readValue(request: Fields, item: InputItem, name: string, field: ScalarField): unknown {
	const isInRow = field.isKey === true && rowsOfItems(item, request) !== undefined;
	return isInRow ? readKey(request, item, name, field) : readScalarParameter(item, name, field);
}

/** Reads the keys of a request for error messages. Those that are missing or not allowed are left out. */
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

/** Text of a cell that names a total, in Dutch or English. */
const TOTAL =
	/^(?:(?:sub|eind|grand|general|algemeen)?[ -]?tot(?:aal|al|alen|als)|totaal generaal|som|sum) ?:?$/i;

/** Input items as the calls that they make, and notices about those that make none. */
interface GroupedItems {
	readonly groups: readonly InputItems[];
	readonly notices: ReadonlyArray<{ readonly isProblem: boolean; readonly text: string }>;
}

/**
 * Groups input items into calls: if they are rows of a list, by the scalars of their request (for example
 * employee, period and year), see {@link groupBy}; otherwise, each item is one call. Blank rows and totals
 * make none. A row without a value in a mapped column is blank; if no row has one, the columns are probably
 * not those of the sheet: then only a row without any value is.
 */
export async function groupItems(request: Fields, items: InputItems): Promise<GroupedItems> {
	const chosen = rowsOfItems(items[0], request);
	if (chosen === undefined) return { groups: items.map((item) => [item]), notices: [] };
	const isBlank = (cell: unknown): boolean => cellValue(cell) === undefined;
	const isTotalText = (cell: unknown): cell is string =>
		typeof cell === 'string' && TOTAL.test(cell.trim());
	const filled: InputItem[] = [];
	const unmapped: InputItem[] = [];
	const totals: Array<readonly [row: number, text: string]> = [];
	for await (const item of inTurns(items)) {
		let row: Row;
		try {
			row = rowOf(request, item);
		} catch {
			// Its call fails.
			filled.push(item);
			continue;
		}
		// A row that names an employee or company, or a record, may be data.
		const identity = [[subjectOf(request)], ...chosen.matchOn].map((path) =>
			valueAt(row.known, path),
		);
		const mayBeTotal = identity.every((cell) => isBlank(cell) || isTotalText(cell));
		const total = mayBeTotal ? Object.values(item.json).find(isTotalText) : undefined;
		if (total !== undefined) totals.push([rowNumber(item), ` ("${total.trim()}")`]);
		else (row.isFilled ? filled : unmapped).push(item);
	}
	const isMapped = filled.length > 0;
	const isBlankItem = ({ json }: InputItem): boolean =>
		Object.entries(json).every(([column, cell]) => column === ROW_NUMBER || isBlank(cell));
	const blank = unmapped.filter((item) => isMapped || isBlankItem(item));
	const rows = isMapped ? filled : unmapped.filter((item) => !isBlankItem(item));
	const skipped = (
		all: ReadonlyArray<readonly [row: number, text: string]>,
		singular: string,
		plural: string,
	): string[] => {
		const [first] = all;
		if (first === undefined) return [];
		if (all.length === 1) return [`Row ${first[0]} ${singular}${first[1]} and was skipped.`];
		return [`Rows ${joinNames(all.map((row) => row.join('')))} ${plural} and were skipped.`];
	};
	const texts = [
		...skipped(
			blank.map((item) => [rowNumber(item), '']),
			'is blank',
			'are blank',
		),
		...skipped(totals, 'looks like a total row', 'look like total rows'),
	];
	const notices =
		texts.length === 0 ? [] : [{ isProblem: totals.length > 0, text: texts.join(' ') }];
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

const isFilled = (value: unknown): boolean =>
	isObject(value) ? Object.values(value).some(isFilled) : isSet(value);

/**
 * Reads the request of a call (docs/dev/interface.md, section 4.3) from the form; if rows are input items, one
 * row from each item. The index of a row is then an index into `items`.
 */
export function readCallRequest(content: RecordContent, items: InputItems): CallRequest {
	const request = content.fields;
	const [first] = items;
	const rows = rowsOfItems(first, request);
	// Columns that contradict each other are told once. No other row is in such a call.
	const { problems: contradictions } = validated(() => rows && rowOf(request, first));
	if (rows && contradictions.length > 0) {
		const outer = rows.isList ? [rows.name, 0] : [rows.name];
		const problems = contradictions.map((problem) => {
			const isKey = Object.hasOwn(request, String(problem.path[0]));
			return isKey ? problem : { ...problem, path: [...outer, ...problem.path] };
		});
		return { values: {}, xml: '', problems, notices: [], unknown: [] };
	}
	const entries = Object.entries(request);
	const read = collectPartly(
		entries,
		([name, field]) => {
			if (isScalar(field)) return readValue(request, first, name, field);
			if (name !== rows?.name) return readGiven(first, name, field as RecordField | RecordList);
			const own = items.map((item) => {
				const known = Object.entries(rowOf(request, item).known);
				return Object.fromEntries(known.filter(([column]) => !Object.hasOwn(request, column)));
			});
			return rows.isList ? own : own[0];
		},
		([name]) => name,
	);
	const given = Object.fromEntries(entries.map(([name], i) => [name, read.results[i]]));
	const isOn = (name: string) => first.readShared(name, false) === true;
	const cells = rows && { isComma: isOn(DECIMAL_COMMA), areFractions: isOn(FRACTIONS) };
	const checked = checkedRequest(content, given, cells);
	const { values } = checked;
	const refused = new Set(
		checked.problems.map(({ path }) =>
			pathText(path.slice(0, typeof path[1] === 'number' ? 2 : 1)),
		),
	);
	const { problems: incomplete } = collectPartly(
		entries,
		([name, field]) => {
			if (isScalar(field) || given[name] === undefined) return;
			const isJson = isGivenAsJson(first, name);
			if (field.kind === 'record' && name !== rows?.name) {
				checkUsualFields(first, field, given[name], isJson);
			} else if (field.kind === 'record') {
				// Each is a cell of its own, which may be refused already.
				collect(lackingFields(first, field, given[name]), ({ path }) => {
					const own = pathText([name, ...path]);
					if (checked.problems.some((problem) => pathText(problem.path) === own)) return;
					const text = `is empty. Fill it in, or turn on '${ONLY_THESE_LABEL}'.`;
					throw invalidInput(text, 'VALUE_REQUIRED').at(path);
				});
			}
			const path = (i: number) => (field.kind === 'record' ? [] : [i]);
			collect(
				[values[name]].flat(),
				(value, i) => {
					if (isFilled(value) || refused.has(pathText([name, ...path(i)]))) return;
					throw invalidInput('has no value in any of its fields.', 'VALUE_EMPTY');
				},
				(_, i) => path(i),
			);
		},
		([name]) => name,
	);
	const problems = [...read.problems, ...checked.problems, ...incomplete];
	const rowIn = (path: Path): number => (typeof path[1] === 'number' ? path[1] : -1);
	problems.sort((a, b) => rowIn(a.path) - rowIn(b.path));
	for (const { path } of problems) {
		const [name = '', , ...inner] = path.map(String);
		const list = values[name];
		if (name !== rows?.name || !Array.isArray(list)) {
			values[name] = undefined;
			continue;
		}
		const row: unknown = list[rowIn(path)];
		const isIdentity = rows.matchOn.some((found) => inner.every((step, i) => step === found[i]));
		if (isIdentity) list[rowIn(path)] = undefined;
		else if (isObject(row)) setterOf(row)(inner, undefined);
	}
	const unknown = rows ? items.flatMap((item) => rowOf(request, item).unknown) : [];
	return { ...checked, problems, unknown: [...new Set(unknown)] };
}
