/** The table as text: a row for each fault, a column for each target. */
import type { Fault, Group } from './fault.mts';
import type { Target } from './targets.mts';

/** What came of one fault on one target; one run for each variant of the fault. */
export interface Entry {
	readonly runs: ReadonlyArray<{
		readonly outcome: string;
		readonly sent: number;
		readonly executed: number;
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

const LEGEND =
	'C complete   E error (read)   N error: not applied (write)   U error: may have been applied (write)\n' +
	'x/y: sent x times, executed y times by the service   .: does not apply   !: not as expected';

/** `CostCenter_Get 1.1` → `CC_Get`, `1.1`. */
function heading({ name }: Target): [string, string] {
	const [operation = '', version = ''] = name.split(' ');
	const short = operation.replace('CostCenter', 'CC').replace('Address', 'Ad');
	return [short.replace('GetListCurrent', 'List'), version];
}

function shown(entry: Entry | undefined): string {
	if (entry === undefined) return '.';
	const kinds = entry.runs.map(
		({ outcome, sent, executed }) => `${LETTERS[outcome] ?? outcome}${sent}/${executed}`,
	);
	return [...new Set(kinds)].join(',') + (entry.problems.length > 0 ? '!' : '');
}

/** Draws the table. */
export function matrix(
	groups: readonly Group[],
	targets: readonly Target[],
	entryOf: (fault: Fault, target: Target) => Entry | undefined,
): string {
	const headings = targets.map(heading);
	const rowsOf = ({ faults }: Group): string[][] =>
		faults.map((fault) => {
			const entries = targets.map((target) => entryOf(fault, target));
			const variants = Math.max(...entries.map((entry) => entry?.runs.length ?? 0));
			const title = variants > 1 ? `${fault.name} (up to ${variants})` : fault.name;
			return [`  ${title}`, ...entries.map(shown)];
		});
	const head = [0, 1].map((line) => ['', ...headings.map((texts) => texts[line] ?? '')]);
	const bodies = groups.map(rowsOf);
	const all = [...head, ...bodies.flat()];
	const widths = ['', ...targets].map((_target, column) =>
		Math.max(...all.map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: readonly string[]): string =>
		row
			.map((text, column) => text.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd();
	const blocks = groups.map(({ name }, group) => [name, ...(bodies[group] ?? []).map(line)]);
	return [[LEGEND, '', ...head.map(line)], ...blocks].map((block) => block.join('\n')).join('\n\n');
}
