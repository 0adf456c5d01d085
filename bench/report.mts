/** The report of a benchmark: tables of figures, and the goals that they meet or miss. */
import type { Figure } from './measure.mts';

/** The unit of a figure; `×` is a ratio. */
export type Unit = 'kB' | 'MB' | 'MB/s' | 'ms' | 's' | 'µs' | '×' | '';

/** A figure with its unit, or a text. */
export type Cell = string | { readonly figure: Figure; readonly unit: Unit };

/** A table, whose first column names the rows. */
export interface Table {
	readonly title: string;
	readonly columns: readonly string[];
	readonly rows: ReadonlyArray<{ readonly name: string; readonly cells: readonly Cell[] }>;
}

/** A goal, and whether the figure meets it. */
export interface Goal {
	readonly goal: string;
	readonly wanted: string;
	readonly measured: Cell;
	readonly holds: boolean;
}

/** What one part of the benchmark found. */
export interface Findings {
	readonly tables: readonly Table[];
	readonly goals: readonly Goal[];
}

/** A part of the benchmark, chosen by its name. */
export interface Part {
	readonly name: string;
	readonly title: string;
	/** How it was measured, in a sentence or two. */
	readonly about: string;
	measure(): Promise<Findings>;
}

/** A part's result in the results file: what it found, when, and on which machine. */
export interface Result extends Omit<Part, 'measure'>, Findings {
	/** ISO 8601. */
	readonly date: string;
	readonly machine: string;
}

type Bound =
	| { readonly atLeast: number }
	| { readonly atMost: number }
	| { readonly exactly: number };

/** Returns a goal: the median must meet a bound, or every sample an exact value. */
export function goal(text: string, figure: Figure, unit: Unit, bound: Bound): Goal {
	const goalOf = (sign: string, limit: number, holds: boolean): Goal => ({
		goal: text,
		wanted: `${sign} ${number(limit)}${spaced(unit)}`,
		measured: { figure, unit },
		holds,
	});
	if ('atLeast' in bound) return goalOf('≥', bound.atLeast, figure.median >= bound.atLeast);
	if ('atMost' in bound) return goalOf('≤', bound.atMost, figure.median <= bound.atMost);
	const holds = figure.min === bound.exactly && figure.max === bound.exactly;
	return goalOf('=', bound.exactly, holds);
}

/** Rounds to three significant digits; a large number has no decimals. */
function number(value: number): string {
	if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
	return String(Number(value.toPrecision(3)));
}

function spaced(unit: Unit): string {
	if (unit === '') return '';
	return ` ${unit}`;
}

/** `12.5 ms (11.9–13)`: the median, the smallest and the largest; one number if all are equal. */
export function text(cell: Cell): string {
	if (typeof cell === 'string') return cell;
	const { figure, unit } = cell;
	const spread =
		number(figure.min) === number(figure.max)
			? ''
			: ` (${number(figure.min)}–${number(figure.max)})`;
	return `${number(figure.median)}${spaced(unit)}${spread}`;
}

/** Formats a Markdown table with aligned columns; the first row is its head. */
function markdown(rows: ReadonlyArray<readonly string[]>): string {
	const [head = []] = rows;
	const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [line(head), line(rule), ...rows.slice(1).map(line)].join('\n');
}

function tableText({ title, columns, rows }: Table): string {
	const cells = rows.map((row) => [row.name, ...row.cells.map(text)]);
	return markdown([[title, ...columns], ...cells]);
}

/** The goals of all parts, one line each. */
export function goalsText(results: readonly Result[]): string {
	const rows = results.flatMap(({ goals }) =>
		goals.map(({ goal: what, wanted, measured, holds }) => [
			what,
			wanted,
			text(measured),
			holds ? 'yes' : 'no',
		]),
	);
	return markdown([['Goal', 'Wanted', 'Measured', 'Holds'], ...rows]);
}

/** A part's tables, under its title. */
export function resultText({ title, about, tables, date, machine }: Result): string {
	const when = `Measured on ${date.slice(0, 10)}, ${machine}.`;
	return [`### ${title}`, about, ...tables.map(tableText), when].join('\n\n');
}
