/** Items as a table for a plain terminal. */
import type { IDataObject } from 'n8n-workflow';

interface Column {
	name: string;
	cells: string[];
	width: number;
	/** Numbers stand at the right edge, as in a ledger. */
	isNumeric: boolean;
}

export interface TableOptions {
	/** Most characters in a line. */
	width: number;
	/** Most items shown. */
	rows: number;
}

const GAP = '  ';
const NARROWEST = 4;

/** Scalars by dotted name: `{ CostCenter: { Code: 'A' } }` → `['CostCenter.Code', 'A']`. */
function flat(record: IDataObject, prefix = ''): Array<[string, unknown]> {
	return Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
		const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
		return isRecord ? flat(value as IDataObject, `${prefix}${name}.`) : [[prefix + name, value]];
	});
}

function shown(value: unknown): string {
	if (value === undefined) return '';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.replace(/\s+/g, ' ');
}

function longest(texts: readonly string[]): number {
	return Math.max(0, ...texts.map(({ length }) => length));
}

function cut(text: string, width: number): string {
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** Where a name may be broken: `HouseNumber` → `House`, `Number`. */
function pieces(name: string): string[] {
	return name.split(/(?=\.)|(?<=[a-z])(?=[A-Z])/);
}

/** A name over as few lines as the width allows. */
function wrapped(name: string, width: number): string[] {
	const lines: string[] = [];
	for (const piece of pieces(name)) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + piece.length <= width) lines[lines.length - 1] += piece;
		else lines.push(piece);
	}
	return lines;
}

function columnsOf(items: readonly IDataObject[]): Column[] {
	const rows = items.map((item) => new Map(flat(item)));
	const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
	return names.map((name) => {
		const values = rows.map((row) => row.get(name));
		const cells = values.map(shown);
		const isNumeric = values.every((value) => typeof value === 'number');
		return { name, cells, width: Math.max(name.length, longest(cells)), isNumeric };
	});
}

/** Breaks headings that are wider than their values, then cuts values, then headings too. */
function fit(columns: readonly Column[], width: number): void {
	const total = (): number =>
		columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length);
	const heading = ({ name }: Column): number => longest(pieces(name));
	const floors: Array<(column: Column) => number> = [
		(column) => Math.max(longest(column.cells), heading(column)),
		(column) => Math.max(NARROWEST, heading(column)),
		() => NARROWEST,
	];
	for (const floor of floors) {
		while (total() > width) {
			const roomy = columns.filter((column) => column.width > floor(column));
			const [widest] = roomy.sort((a, b) => b.width - a.width);
			if (widest === undefined) break;
			widest.width -= 1;
		}
	}
}

/** Draws items as lines; nested values are dotted columns, what does not fit ends with `…`. */
export function table(items: readonly IDataObject[], { width, rows }: TableOptions): string[] {
	if (items.length === 0) return ['(no items)'];
	const columns = columnsOf(items.slice(0, rows));
	fit(columns, width);
	const line = (textOf: (column: Column) => string): string =>
		columns
			.map((column) => {
				const text = cut(textOf(column), column.width);
				return column.isNumeric ? text.padStart(column.width) : text.padEnd(column.width);
			})
			.join(GAP)
			.trimEnd();
	const headings = columns.map((column) => wrapped(column.name, column.width));
	const height = Math.max(...headings.map(({ length }) => length));
	// Headings stand on the line below them, so the missing lines are on top.
	const heading = (index: number, column: Column): string => {
		const lines = headings[columns.indexOf(column)] ?? [];
		return lines[index - height + lines.length] ?? '';
	};
	const more = items.length - rows;
	return [
		...Array.from({ length: height }, (_none, index) => line((column) => heading(index, column))),
		line((column) => '─'.repeat(column.width)),
		...items.slice(0, rows).map((_item, index) => line(({ cells }) => cells[index] ?? '')),
		...(more > 0 ? [`… ${more} more`] : []),
	];
}
