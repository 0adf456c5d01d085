/** How many workers a night needs, from the measured time of a call in queue mode. */
import { EMPLOYEES } from './parts/queue.mts';
import { markdown, type Result } from './report.mts';

/** As many calls at once as the nodes of a process make at most by default. */
const CALLS_AT_ONCE = 64;

const HOURS = 8;

/** The part, the row and the column of the measured time: a worker with n8n's default settings. */
const MEASURED = ['queue', 'One worker, 10 chunks at once', 'Wall time'] as const;

/** What is to be done in a night. */
export interface Task {
	readonly employees: number;
	readonly callsEach: number;
	/** How long the service takes for a call, in milliseconds. */
	readonly serviceMs: number;
	/** The calls per second that the service allows; `undefined` for no limit. */
	readonly allowed: number | undefined;
}

/** What a task takes. */
export interface Plan {
	/** The fewest workers that bring more than fewer do, and do the task in a night if any number does. */
	readonly workers: number;
	readonly seconds: number;
	readonly limit: 'calls at once' | 'the allowed rate' | 'the workers';
}

/**
 * Plans a task.
 *
 * @param callMs how long a worker takes for a call if the service is fast, in milliseconds
 */
export function plan({ employees, callsEach, serviceMs, allowed }: Task, callMs: number): Plan {
	const calls = employees * callsEach;
	const [byWorker, byCalls] = [1000 / callMs, (CALLS_AT_ONCE * 1000) / serviceMs];
	const each = Math.min(byWorker, byCalls);
	const rate = allowed ?? Number.POSITIVE_INFINITY;
	const inTime = calls / (HOURS * 3600);
	const workers = Math.ceil(Math.min(inTime, rate) / each);
	const perSecond = Math.min(workers * each, rate);
	return {
		workers,
		seconds: calls / perSecond,
		limit:
			perSecond === rate ? 'the allowed rate' : each === byWorker ? 'the workers' : 'calls at once',
	};
}

/** Returns how long a worker took for a call, in milliseconds: the time of a run, by its calls. */
export function measuredCall(results: readonly Result[]): number {
	const [part, row, column] = MEASURED;
	const table = results.find(({ name }) => name === part)?.tables[0];
	const cells = table?.rows.find(({ name }) => name === row)?.cells;
	const cell = cells?.[table?.columns.indexOf(column) ?? -1];
	if (typeof cell !== 'object') throw new Error(`${part} has no ${column} of "${row}"`);
	return (cell.figure.median * 1000) / EMPLOYEES;
}

const tasks: readonly Task[] = [
	{ employees: 1000, callsEach: 1, serviceMs: 50, allowed: undefined },
	{ employees: 1000, callsEach: 10, serviceMs: 200, allowed: 10 },
	{ employees: 10_000, callsEach: 2, serviceMs: 50, allowed: undefined },
	{ employees: 10_000, callsEach: 10, serviceMs: 200, allowed: 50 },
	{ employees: 100_000, callsEach: 2, serviceMs: 50, allowed: undefined },
	{ employees: 100_000, callsEach: 10, serviceMs: 1000, allowed: undefined },
	{ employees: 100_000, callsEach: 10, serviceMs: 200, allowed: 10 },
	{ employees: 1_000_000, callsEach: 5, serviceMs: 50, allowed: 200 },
	{ employees: 1_000_000, callsEach: 5, serviceMs: 50, allowed: undefined },
	{ employees: 1_000_000, callsEach: 5, serviceMs: 1000, allowed: undefined },
];

function time(seconds: number): string {
	if (seconds < 90) return `${Math.ceil(seconds)} s`;
	if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`;
	return `${(seconds / 3600).toFixed(1)} h`;
}

function row(task: Task, callMs: number): string[] {
	const { employees, callsEach, serviceMs, allowed } = task;
	const { workers, seconds, limit } = plan(task, callMs);
	return [
		employees.toLocaleString('en'),
		String(callsEach),
		`${serviceMs} ms`,
		allowed === undefined ? 'any' : `${allowed}/s`,
		String(workers),
		allowed === undefined ? '–' : String(Math.floor((allowed / workers) * 1000) / 1000),
		time(seconds),
		limit,
	];
}

const HEAD = [
	...['Employees', 'Calls each', 'Service takes', 'Allows', 'Workers'],
	...['Requests per Second', 'Time', 'Limited by'],
];

/** A page with the table of these results between its `<!-- scale -->` and `<!-- end -->`. */
export function withScale(page: string, results: readonly Result[]): string {
	const callMs = measuredCall(results);
	const table = markdown([HEAD, ...tasks.map((task) => row(task, callMs))]);
	const text = `Measured: a worker takes ${callMs.toPrecision(2)} ms for a call. A night has ${HOURS} hours.\n\n${table}`;
	return page.replace(
		/(<!-- scale -->\n)[^]*?(\n<!-- end -->)/,
		(_, begin: string, end: string) => `${begin}\n${text}\n${end}`,
	);
}
