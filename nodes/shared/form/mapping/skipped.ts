/** Rows of a sheet that are no data: blank ones and totals. */
import type { Fields } from '../../contract/fields';
import { requestList, subjectOf } from '../../contract/operation';
import { joinNames } from '../../errors/words';
import { inTurns } from '../../host/eventLoop';
import { valueAt } from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import { ROW_NUMBER, rowName } from '../names';
import { cellValue } from './columns';
import { rowOf, type Row } from './rows';

/** Text of a cell that names a total, in Dutch or English. */
const TOTAL =
	/^(?:(?:sub|eind|grand|general|algemeen)?[ -]?tot(?:aal|al|alen|als)|totaal generaal|som|sum) ?:?$/i;

const isBlank = (cell: unknown): boolean => cellValue(cell) === undefined;
const isTotalText = (cell: unknown): cell is string =>
	typeof cell === 'string' && TOTAL.test(cell.trim());

/** Whether no cell of an item has a value. */
function isBlankItem({ json }: InputItem): boolean {
	return Object.entries(json).every(([column, cell]) => column === ROW_NUMBER || isBlank(cell));
}

/**
 * Returns the text that shows a row to be a total; `undefined` if it may be data: it names an employee or
 * company, or a record.
 */
function totalIn(request: Fields, { json }: InputItem, { cells }: Row): string | undefined {
	const { matchOn = [] } = requestList(request)?.list ?? {};
	const identity = [[subjectOf(request)], ...matchOn].map((path) => valueAt(cells, path));
	if (!identity.every((cell) => isBlank(cell) || isTotalText(cell))) return undefined;
	return Object.values(json).find(isTotalText)?.trim();
}

/** A row as far as it can be read: if not, its call fails. */
function readableRow(request: Fields, item: InputItem): Row | undefined {
	try {
		return rowOf(request, item);
	} catch {
		return undefined;
	}
}

/** Input items that are rows, and what is to be said of those that were skipped. */
export interface KeptRows {
	readonly rows: readonly InputItem[];
	readonly notices: ReadonlyArray<{ readonly isProblem: boolean; readonly text: string }>;
}

function skipNotices(
	blank: readonly InputItem[],
	totals: ReadonlyMap<InputItem, string>,
): KeptRows['notices'] {
	const names = blank.map((item) => rowName(item).replace('Row ', ''));
	const [single = ''] = names;
	const blankText =
		names.length === 1
			? `Row ${single} is blank and was skipped`
			: `Rows ${joinNames(names)} are blank and were skipped`;
	const texts = [...totals].map(
		([item, text]) => `${rowName(item)} looks like a total row ("${text}") and was skipped`,
	);
	return [
		...(blank.length > 0 ? [{ isProblem: false, text: blankText }] : []),
		...texts.map((text) => ({ isProblem: true, text })),
	];
}

/**
 * Separates input items that are rows from blank rows and totals. A row without a value in a mapped column
 * is blank; if no row has one, the columns are probably not those of the sheet: then only a row
 * without any value is.
 */
export async function withoutSkipped(request: Fields, items: InputItems): Promise<KeptRows> {
	const rows: InputItem[] = [];
	const unmapped: InputItem[] = [];
	const totals = new Map<InputItem, string>();
	for await (const item of inTurns(items)) {
		const row = readableRow(request, item);
		const total = row && totalIn(request, item, row);
		if (total !== undefined) totals.set(item, total);
		else (row?.isFilled === false ? unmapped : rows).push(item);
	}
	const isMapped = rows.length > 0;
	const blank = unmapped.filter((item) => isMapped || isBlankItem(item));
	const notices = skipNotices(blank, totals);
	return { rows: isMapped ? rows : unmapped.filter((item) => !isBlankItem(item)), notices };
}
