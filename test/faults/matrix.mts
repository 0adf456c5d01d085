/** The table as text: a row for every fault, a column for every target. */
import type { Group } from './fault.mts';
import type { Target } from './targets.mts';

/** What is known of one fault on one target; several runs where the fault has several ways. */
export interface Square {
	readonly runs: ReadonlyArray<{
		readonly outcome: string;
		readonly sent: number;
		readonly reached: number;
	}>;
	readonly problems: readonly string[];
}

const LETTERS: Readonly<Record<string, string>> = {
	complete: 'C',
	notApplied: 'N',
	unknown: 'U',
	error: 'E',
	none: '-',
};

const LEGEND = [
	'C complete   E error (read)   N error: not applied (write)   U error: may have been applied (write)',
	'x/y: sent x times, executed y times by the service   .: does not apply   !: not as expected',
];

/** `CostCenter_Get 1.1` → `CC_Get`, `1.1`. */
function heading({ name }: Target): [string, string] {
	const [operation = '', version = ''] = name.split(' ');
	const short = operation.replace('CostCenter', 'CC').replace('Address', 'Ad');
	return [short.replace('GetListCurrent', 'List'), version];
}

function shown(square: Square | undefined): string {
	if (square === undefined) return '.';
	const kinds = square.runs.map(
		({ outcome, sent, reached }) => `${LETTERS[outcome] ?? outcome}${sent}/${reached}`,
	);
	return [...new Set(kinds)].join(',') + (square.problems.length > 0 ? '!' : '');
}

/** Draws the table. */
export function matrix(
	groups: readonly Group[],
	targets: readonly Target[],
	squareOf: (group: number, fault: number, target: number) => Square | undefined,
): string {
	const rows = groups.flatMap(({ name, faults }, group) => [
		undefined,
		name,
		...faults.map((fault, at) => {
			const squares = targets.map((_target, target) => squareOf(group, at, target));
			const ways = Math.max(...squares.map((square) => square?.runs.length ?? 0));
			const title = ways > 1 ? `${fault.name} (up to ${ways})` : fault.name;
			return [`  ${title}`, ...squares.map(shown)];
		}),
	]);
	const headings = targets.map(heading);
	const table = [
		['', ...headings.map(([operation]) => operation)],
		['', ...headings.map(([, version]) => version)],
		...rows.filter((row) => Array.isArray(row)),
	];
	const widths = table[0]?.map((_cell, column) =>
		Math.max(...table.map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: readonly string[]): string =>
		row
			.map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
			.join('  ')
			.trimEnd();
	const lines = rows.map((row) => (Array.isArray(row) ? line(row) : (row ?? '')));
	return [...LEGEND, '', ...table.slice(0, 2).map(line), ...lines, ''].join('\n');
}
