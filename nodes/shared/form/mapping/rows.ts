/** Input items as rows of a sheet and as calls: what their columns say, which make one call, and its request. */
import { type IDataObject, isExpression } from 'n8n-workflow';
import {
	type Fields,
	isScalar,
	onceFor,
	type RecordContent,
	type ScalarField,
} from '../../contract/fields';
import { keysOf, requestRows, type RequestRows, subjectOf } from '../../contract/operation';
import {
	at,
	collect,
	collectPartly,
	invalidInput,
	invalidValue,
	type Path,
	validated,
} from '../../values/InputError';
import { formatValue } from '../../errors/words';
import { AUTOMATIC } from '../../host/nodes';
import { inTurns } from '../../http/wait';
import { refuseName, trimmed } from '../../values/kind';
import { checkReadable } from '../../values/scalars';
import {
	groupedBy,
	isEmpty,
	isObject,
	isSet,
	knownValues,
	ownEntry,
	setterOf,
	valueAt,
} from '../../values/values';
import { type InputItem, type InputItems, ROW_NUMBER } from '../inputItem';
import { columnsOf, label, parameterName, rowsOfItems, specify, wayOf, WAYS } from '../fields';
import {
	type CheckedRequest,
	checkedRequest,
	checkScalar,
	type Notice,
	noticeOf,
	notSentNotices,
	readScalarParameter,
} from '../requestValues';
import { checkUsualFields, readGiven } from '../requestForm';
import { automaticCells, cellValue, comparable, formOf } from './columns';
import { mappedValues, matchedPath, readMapper } from './mapper';

/** Reads the columns of an input item once. @throws {InputError} with every column that is ambiguous or cannot be read */
const rowOf = onceFor((rows: RequestRows) =>
	onceFor((item: InputItem) => {
		const { isAutomatic, stored, given } = readMapper(item, columnsOf(rows.name), AUTOMATIC);
		checkReadable(given);
		const expressions = JSON.stringify(Object.values(stored).filter((own) => isExpression(own)));
		const isNamed = (column: string): boolean => {
			const own = JSON.stringify(column).slice(1, -1);
			// `.Naam` is not in `.Naam2`.
			const isIn = (name: string) =>
				expressions.split(name).some((rest, i) => i > 0 && !/^[\p{L}\p{N}_$]/u.test(rest));
			return [`.${own}`, `'${own}'`, `\\"${own}\\"`].some(isIn);
		};
		collect(Object.entries(stored), ([id, value]) => {
			if (!value || typeof value !== 'string' || !Object.hasOwn(item.json, value)) return;
			// Where each cost center has a column, its name is the code, and another field has its cells.
			if (isNamed(value)) return;
			const text = 'is the name of a column. Drag the column into the field.';
			throw invalidValue(value, text).at(id.split('.'));
		});
		const filled = Object.entries(given).filter(([, cell]) => isSet(cellValue(cell)));
		const cells = isAutomatic
			? automaticCells(rows.fields, given)
			: mappedValues(rows.fields, Object.fromEntries(filled));
		const { known, unknown } = knownValues(rows, cells, cellValue);
		const others = isAutomatic ? unknown : Object.keys(item.json).filter((name) => !isNamed(name));
		return {
			/** The values of the keys and the record by element, without what is blank. */
			known,
			/** The columns that are for no field. */
			unknown: others.filter((name) => name !== ROW_NUMBER),
			/** Whether a column is for a field of the request, perhaps one that a sheet leaves out of this row as blank. */
			isMapped: (name: string) =>
				isAutomatic
					? formOf(rows.fields).idsOf(item.columns).has(name)
					: Object.hasOwn(stored, name),
			/** Whether columns are found by their names. */
			isAutomatic,
			/** Whether a mapped column has a value. One that the builder typed is the same for all rows. */
			isFilled: isAutomatic
				? Object.keys(known).length > 0
				: filled.some(([id]) => isExpression(ownEntry(stored, id))),
		};
	}),
);

/** Whether a column of an input item is for a field of a request whose rows are input items. */
export function isUsed(request: Fields, item: InputItem, column: string): boolean {
	const rows = rowsOfItems(item, request);
	try {
		return rows !== undefined && !rowOf(rows)(item).unknown.includes(column);
	} catch {
		return false;
	}
}

/** Returns the columns of rows that are for no field. Where rows that make one call differ, the texts are joined. */
export function otherColumns(rows: RequestRows, items: InputItems): IDataObject {
	const cells = items.flatMap((item) => {
		const own = rowOf(rows)(item).unknown.filter((name) => Object.hasOwn(item.json, name));
		return own.map((name) => ({ name, cell: item.json[name] }));
	});
	const joined = [...groupedBy(cells, ({ name }) => name)].map(([name, group]) => {
		// A merged cell has its value in the first of its rows.
		const filled = group.filter(({ cell }) => !isEmpty(cell));
		const texts = new Set(filled.map(({ cell }) => comparable(trimmed(cell))));
		return [name, texts.size > 1 ? [...texts].join(', ') : (filled[0] ?? group[0]).cell] as const;
	});
	return Object.fromEntries(joined) as IDataObject;
}

/** What a column is called that says from when a row applies, and what its values look like. */
const EFFECTIVE =
	/ingang|effecti|vanaf|geldig|valid|since|from|start|begin|mutatie|wijziging|per ?datum/i;
const OTHER_DATE = /geboorte|birth|dienst|hire|employ|print|creat|export|import/i;
const DATE = /^(?:\d{4}-\d\d?-\d\d?(?!\d)|\d\d?[-/.]\d\d?[-/.]\d{4}$)/;

/** Returns notices about columns for no field, and about an effective date beside a period that is the same for all rows. */
function columnNotices(rows: RequestRows, items: InputItems): Notice[] {
	const [{ json }] = items;
	const { known } = rowOf(rows)(items[0]);
	const unknown = [...new Set(items.flatMap((item) => rowOf(rows)(item).unknown))];
	const [, ...periods] = Object.keys(keysOf(rows.fields));
	const isFixed = periods.some((name) => !isSet(known[name]));
	const dates = unknown.filter((name) => {
		const cell = String(json[name] ?? '');
		const isDated = DATE.test(cell) && /dat(?:um|e)/i.test(name);
		const isDate = EFFECTIVE.test(name) ? /\d/.test(cell) : isDated;
		return isFixed && isDate && !OTHER_DATE.test(name);
	});
	const effective =
		'All rows are for the period of the form, although this column looks like an effective date';
	return [...noticeOf('unusual', effective, dates), ...notSentNotices(unknown)];
}

/**
 * Reads a scalar of a request: from the form; if input items are rows, a key from the row, the period also from the form.
 *
 * @throws {InputError} if it is missing, not of the field's kind, or in both and not the same
 */
function readValue(request: Fields, item: InputItem, name: string, field: ScalarField): unknown {
	const rows = field.isKey === true ? rowsOfItems(item, request) : undefined;
	if (rows === undefined) return readScalarParameter(item, name, field);
	const { known, isMapped, isAutomatic } = rowOf(rows)(item);
	const cell = known[name];
	const isSubject = name === subjectOf(request);
	const parameter = parameterName(name);
	const beside = isSubject ? undefined : item.stored(parameter);
	// Only an expression can differ between the rows.
	const typed = isExpression(beside) ? item.read(parameter, '') : beside;
	if (!isEmpty(typed)) {
		const own = checkScalar(typed, field);
		if (!isSet(cell) || checkScalar(cell, field) === own) return own;
		const text = `in the row contradicts ${formatValue(typed)} in the field '${label(name, field)}'.`;
		throw invalidValue(cell, text);
	}
	if (isSet(cell)) return checkScalar(cell, field);
	const inForm = isSubject ? '' : `Enter it in the field '${label(name, field)}', or `;
	if (isMapped(name)) {
		const text = inForm ? `is empty. ${inForm}fill in the cell.` : 'is empty.';
		throw invalidInput(text, 'VALUE_EMPTY');
	}
	const how = isAutomatic
		? `name a column ${formOf(rows.fields).namesOf(name)}, or map the columns manually`
		: 'map a column to it';
	const ways = (inForm + how).replace(/^./, (first) => first.toUpperCase());
	throw invalidInput(`is missing. ${ways}.`, 'VALUE_REQUIRED');
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

/** Text of a cell that names a total, in Dutch or English. */
const TOTAL =
	/^(?:(?:sub|eind|grand|general|algemeen)?[ -]?tot(?:aal|al|alen|als)|totaal generaal|som|sum) ?:?$/i;

/**
 * Groups input items into calls: if they are rows of a list, by the scalars of their request (for example
 * employee, period and year) and their Domain, in the order of each group's first item; otherwise, each item
 * is one call. One whose keys cannot be read is a call of its own, which fails. Blank rows and totals make
 * none. A row without a value in a mapped column is blank; if no row has one, the columns are probably
 * not those of the sheet: then only a row without any value is.
 */
export async function groupItems(
	request: Fields,
	items: InputItems,
	domainOf: (item: InputItem) => string | undefined,
) {
	const chosen = rowsOfItems(items[0], request);
	const single = (all: readonly InputItem[]) => all.map((item): InputItems => [item]);
	if (chosen === undefined) return { groups: single(items), notices: [] };
	const isBlank = (cell: unknown): boolean => !isSet(cellValue(cell));
	const isTotalText = (cell: unknown): cell is string =>
		typeof cell === 'string' && TOTAL.test(cell.trim());
	const readRow = rowOf(chosen);
	// A row that names an employee or company, or a record, may be data.
	const identity = [[subjectOf(request)], ...chosen.matchOn];
	const filled: InputItem[] = [];
	const unmapped: InputItem[] = [];
	const skipped: string[] = [];
	for await (const item of inTurns(items)) {
		let row: ReturnType<typeof readRow>;
		try {
			row = readRow(item);
		} catch {
			// Its call fails.
			filled.push(item);
			continue;
		}
		const named = identity.map((path) => valueAt(row.known, path));
		const mayBeTotal = named.every((cell) => isBlank(cell) || isTotalText(cell));
		const total = mayBeTotal ? Object.values(item.json).find(isTotalText) : undefined;
		if (total !== undefined) skipped.push(`${item.rowNumber} (a total: "${total.trim()}")`);
		else (row.isFilled ? filled : unmapped).push(item);
	}
	const isMapped = filled.length > 0;
	const isBlankItem = ({ json }: InputItem): boolean =>
		Object.entries(json).every(([column, cell]) => column === ROW_NUMBER || isBlank(cell));
	const blank = unmapped.filter((item) => isMapped || isBlankItem(item));
	const rows = isMapped ? filled : unmapped.filter((item) => !isBlankItem(item));
	skipped.push(...blank.map((item) => `${item.rowNumber} (blank)`));
	const notices = noticeOf('notSent', 'Rows that were skipped', skipped);
	if (!chosen.isList) return { groups: single(rows), notices };
	const keys = new Map<InputItem, string>();
	for await (const item of inTurns(rows)) {
		try {
			const scalars = Object.entries(request).map(([name, field]) =>
				isScalar(field) ? readValue(request, item, name, field) : undefined,
			);
			keys.set(item, JSON.stringify([domainOf(item), scalars]));
		} catch {
			continue;
		}
	}
	const groups = groupedBy(rows, (item) => keys.get(item) ?? `item ${item.index}`);
	return { groups: [...groups.values()], notices };
}

const isFilled = (value: unknown): boolean =>
	isObject(value) ? Object.values(value).some(isFilled) : isSet(value);

/**
 * Reads the request of a call (docs/dev/interface.md, section 4.3) from the form, or one row from each input item:
 * the index of a row is then an index into `items`.
 */
export function readCallRequest(content: RecordContent, items: InputItems): CheckedRequest {
	const request = content.fields;
	const [first] = items;
	const record = requestRows(request);
	const way = record && wayOf(first, record.name);
	if (record && !Object.hasOwn(WAYS, String(way))) {
		// n8n hides the fields of the form then: all of them would be missing.
		at(specify(record.name), () => refuseName(way, Object.keys(WAYS)));
	}
	const rows = rowsOfItems(first, request);
	// Columns that contradict each other are told once. No other row is in such a call.
	const { result: row, problems: contradictions } = validated(() => rows && rowOf(rows)(first));
	if (rows && contradictions.length > 0) {
		const outer = rows.isList ? [rows.name, 0] : [rows.name];
		const problems = contradictions.map((problem) => {
			const isKey = Object.hasOwn(request, String(problem.path[0]));
			return isKey ? problem : { ...problem, path: [...outer, ...problem.path] };
		});
		return { values: {}, xml: '', problems, notices: [] };
	}
	const entries = Object.entries(request);
	const read = collectPartly(
		entries,
		([name, field]) => {
			if (isScalar(field)) return readValue(request, first, name, field);
			if (rows === undefined) return record && readGiven(first, record);
			const own = items.map((item) => {
				const known = Object.entries(rowOf(rows)(item).known);
				return Object.fromEntries(known.filter(([column]) => !Object.hasOwn(request, column)));
			});
			return rows.isList ? own : own[0];
		},
		([name]) => name,
	);
	const given = Object.fromEntries(entries.map(([name], i) => [name, read.results[i]]));
	const checked = checkedRequest(content, given, rows && first);
	const { values } = checked;
	const problems = [...read.problems, ...checked.problems];
	const rowIn = (path: Path): number => (typeof path[1] === 'number' ? path[1] : -1);
	if (record) {
		const { name: own, isList } = record;
		// Of a blank row in a list, the rules of cost centers say what it needs.
		const mayBeBlank = isList || problems.some(({ path }) => path[0] === own);
		/** Says how to name the column of a field that no input item has; empty if one has it, even if it is blank. */
		const lacking = (id: string): string => {
			if (!rows || row?.isAutomatic !== true || row.isMapped(id)) return '';
			return `No column is for it: name one ${formOf(rows.fields).namesOf(id)}, or map the columns manually.`;
		};
		const matched = matchedPath(request, first);
		const unmatched = matched && lacking(matched.join('.'));
		const incomplete = collectPartly(
			[given[own] ?? []].flat(),
			(value) => {
				checkUsualFields(first, record, value, lacking);
				if (matched && unmatched) {
					const text = `is empty, and rows are matched on it. ${unmatched}`;
					throw invalidInput(text, 'VALUE_EMPTY').at(matched);
				}
				if (mayBeBlank || isFilled(value)) return;
				throw invalidInput('has no value in any of its fields.', 'VALUE_EMPTY');
			},
			(_, i) => (isList ? [own, i] : own),
		);
		problems.push(...incomplete.problems);
	}
	problems.sort((a, b) => rowIn(a.path) - rowIn(b.path));
	for (const { path } of problems) {
		const [name = '', , ...inner] = path.map(String);
		const list = values[name];
		if (name !== rows?.name || !Array.isArray(list)) {
			values[name] = undefined;
			continue;
		}
		const own: unknown = list[rowIn(path)];
		const isIdentity = rows.matchOn.some((found) => inner.every((step, i) => step === found[i]));
		if (isIdentity) list[rowIn(path)] = undefined;
		else if (isObject(own)) setterOf(own)(inner, undefined);
	}
	const notices = [...checked.notices, ...(rows ? columnNotices(rows, items) : [])];
	return { ...checked, problems, notices };
}
