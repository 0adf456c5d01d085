/** The automatic concurrency against the best fixed one, with simulated services and over HTTP. */
import type * as adaptive from '../../nodes/shared/exchange/adaptiveLimit.ts';
import { chain, runWorkflow } from '../../dev/engine/index.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import {
	launchSandbox,
	type SandboxClient,
	type SandboxOptions,
} from '../../dev/sandbox/client.mts';
import { built } from '../dist.mts';
import { figureOf, ratioOf, type Figure } from '../measure.mts';
import { employees } from '../n8n/workflows.mts';
import { goal, type Goal, type Part, type Table } from '../report.mts';
import { fixedLimit, simulate, type Outcome } from '../simulated/run.mts';
import { OUTAGE, outages, services } from '../simulated/services.mts';

/** The calls of one run. */
const CALLS = 10_000;
const HTTP_CALLS = 4000;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
/** Requests per Second of the credential. */
const RATE = 200;
const RATED = ['50 ms, no limit', '10 workers', 'noisy'];
const HTTP_ROUNDS = 3;
const MOST_REFUSED = 0.01;
const FIXED = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 64];
const HTTP_FIXED = [5, 10, 20, 40, 64];

/** Two settings that differ by less than this are equally fast; the lower one is the better one. */
const TIE = 1.02;

const COLUMNS = ['Best fixed', 'Throughput', 'Calls at the service', 'Refused'];

/** The services over HTTP, by what they are. */
const sandboxes: Readonly<Record<string, SandboxOptions>> = {
	'50 ms, no limit': {},
	'10 workers': { workers: 10 },
	'20 at a time, then 429': { mostOpen: 20 },
};

type Run = Pick<Outcome, 'inFlight' | 'perSecond' | 'refused'>;

/** Outcomes by seed or round, of the best fixed setting and of the automatic one. */
interface Compared {
	readonly name: string;
	readonly best: number;
	readonly fixed: readonly Run[];
	readonly automatic: readonly Run[];
}

/**
 * Returns the lowest setting that is as fast as any, of those that are hardly ever refused. A
 * setting beyond one that is refused is not tried.
 */
async function bestOf(
	settings: readonly number[],
	run: (setting: number) => Run | Promise<Run>,
): Promise<number> {
	let [best, perSecond] = [Number.NaN, 0];
	for (const setting of settings) {
		const tried = await run(setting);
		if (tried.refused > MOST_REFUSED) break;
		if (tried.perSecond > perSecond * TIE) [best, perSecond] = [setting, tried.perSecond];
	}
	if (Number.isNaN(best)) throw new Error('Every setting is refused too often');
	return best;
}

/** @param processes how many processes of n8n use the service, each of which finds its own limit */
async function compareSimulated(processes: number): Promise<Compared[]> {
	const { AdaptiveLimit } = built<typeof adaptive>('exchange/adaptiveLimit');
	const compared: Compared[] = [];
	for (const [name, make] of Object.entries(services)) {
		const run = (seed: number, setting?: number): Run => {
			const limits = Array.from({ length: processes }, () =>
				setting === undefined ? new AdaptiveLimit() : fixedLimit(setting),
			);
			return simulate(make, limits, { calls: CALLS, seed });
		};
		const best = await bestOf(FIXED, (setting) => run(0, setting));
		compared.push({
			...{ name, best },
			fixed: SEEDS.map((seed) => run(seed, best)),
			automatic: SEEDS.map((seed) => run(seed)),
		});
	}
	return compared;
}

/** Returns after how many seconds from the end of an outage a second is 0.8 × as fast as the best. */
function backAfter(answeredAt: readonly number[], perSecond: number): number {
	const after = answeredAt.filter((at) => at >= OUTAGE.to);
	const first = after.find((at, index) => {
		const last = after[index + Math.ceil(0.8 * perSecond) - 1];
		return last !== undefined && last < at + 1000;
	});
	return first === undefined ? Infinity : (first - OUTAGE.to) / 1000;
}

/** By service: the seconds from the end of an outage until the automatic setting is fast again. */
function measureOutages(): Array<{ readonly name: string; readonly figure: Figure }> {
	const { AdaptiveLimit } = built<typeof adaptive>('exchange/adaptiveLimit');
	return Object.entries(outages).map(([name, { make, perSecond }]) => {
		const back = SEEDS.map((seed) => {
			const load = { calls: 30 * perSecond, seed };
			return backAfter(simulate(make, [new AdaptiveLimit()], load).answeredAt, perSecond);
		});
		return { name, figure: figureOf(back) };
	});
}

/** By service: the calls in a second with Requests per Second. */
function measureRate(): Array<{ readonly name: string; readonly figure: Figure }> {
	const { AdaptiveLimit } = built<typeof adaptive>('exchange/adaptiveLimit');
	return RATED.map((name) => {
		const make = services[name];
		if (make === undefined) throw new Error(`No service '${name}'`);
		const load = { calls: CALLS, requestsPerSecond: RATE };
		const run = (seed: number) => simulate(make, [new AdaptiveLimit()], { ...load, seed });
		return { name, figure: figureOf(SEEDS.map((seed) => run(seed).perSecond)) };
	});
}

/** Reads cost centers on n8n's engine; `setting` 0 is automatic. */
async function runOverHttp(
	sandbox: SandboxClient,
	payroll: Payroll,
	setting: number,
): Promise<Run> {
	// A credential of its own: what was learned with another one is not known.
	const credential = await payroll.connect(sandbox);
	const node = payroll.node('payrollEmployee', credential, {
		...getCostCenters,
		options: { concurrency: setting },
	});
	await sandbox.reset();
	const { credentials, host } = payroll;
	const start = performance.now();
	const { error } = await runWorkflow({
		...chain(employees(HTTP_CALLS), node),
		...{ host, credentials },
	});
	const milliseconds = performance.now() - start;
	// A fixed setting that the service refuses too often fails.
	if (error !== undefined && setting === 0) throw error;
	const { openMs, refused, soapExecuted } = await sandbox.stats();
	const answered = soapExecuted.CostCenter_Get ?? 0;
	return {
		perSecond: error === undefined ? (answered * 1000) / milliseconds : 0,
		inFlight: openMs / milliseconds,
		refused: refused / (answered + refused),
	};
}

async function compareOverHttp(): Promise<Compared[]> {
	const compared: Compared[] = [];
	const payroll = await Payroll.load();
	for (const [name, options] of Object.entries(sandboxes)) {
		const sandbox = await launchSandbox({
			...{ employees: HTTP_CALLS, latencyMs: 50, schemaValidation: false },
			...options,
		});
		try {
			const run = async (setting: number) => await runOverHttp(sandbox, payroll, setting);
			const best = await bestOf(HTTP_FIXED, run);
			const [fixed, automatic]: [Run[], Run[]] = [[], []];
			for (let round = 0; round < HTTP_ROUNDS; round += 1) {
				fixed.push(await run(best));
				automatic.push(await run(0));
			}
			compared.push({ name, best, fixed, automatic });
		} finally {
			await sandbox.stop();
		}
	}
	return compared;
}

const ratios = ({ fixed, automatic }: Compared, what: 'inFlight' | 'perSecond') =>
	ratioOf(
		automatic.map((run) => run[what]),
		fixed.map((run) => run[what]),
	);

const refusedPercent = ({ automatic }: Compared) =>
	figureOf(automatic.map(({ refused }) => refused * 100));

/** What is refused beyond what any number of calls is. */
const addedPercent = ({ automatic, fixed }: Compared) =>
	figureOf(automatic.map(({ refused }, run) => 100 * (refused - (fixed[run]?.refused ?? 0))));

function table(title: string, compared: readonly Compared[]): Table {
	return {
		title,
		columns: COLUMNS,
		rows: compared.map((one) => ({
			name: one.name,
			cells: [
				String(one.best),
				{ figure: ratios(one, 'perSecond'), unit: '×' },
				{ figure: ratios(one, 'inFlight'), unit: '×' },
				{ figure: refusedPercent(one), unit: '%' },
			],
		})),
	};
}

function worst<T>(
	compared: readonly T[],
	figure: (one: T) => Figure,
	isWorse: (a: number, b: number) => boolean,
): Figure {
	return compared
		.map(figure)
		.reduce((found, other) => (isWorse(other.median, found.median) ? other : found));
}

const isLess = (a: number, b: number): boolean => a < b;
const isMore = (a: number, b: number): boolean => a > b;

/** The goals, each for the service where it is furthest from being met. */
function goals(where: string, compared: readonly Compared[]): Goal[] {
	const name = `Automatic concurrency, ${where}`;
	const throughput = (what: string, atLeast: number, isMeant: (of: string) => boolean): Goal[] => {
		const meant = compared.filter((one) => isMeant(one.name));
		if (meant.length === 0) return [];
		const least = worst(meant, (one) => ratios(one, 'perSecond'), isLess);
		return [goal(`${name}: ${what}`, least, '×', { atLeast })];
	};
	const longest = worst(compared, (one) => ratios(one, 'inFlight'), isMore);
	const mostRefused = worst(compared, addedPercent, isMore);
	return [
		...throughput("throughput of the best fixed one's", 0.8, () => true),
		...throughput('the same with single and random 503s', 0.85, (of) => of.includes('503')),
		...throughput('the same with a fast operation first', 0.9, (of) => of.includes('fast')),
		goal(`${name}: calls at the service`, longest, '×', { atMost: 2 }),
		goal(`${name}: calls refused in addition`, mostRefused, '%', { atMost: 100 * MOST_REFUSED }),
	];
}

export const adaptiveConcurrency: Part = {
	name: 'adaptive',
	title: 'Automatic concurrency',
	about: `*Concurrency: Automatic* against the best fixed number, which is found by trying up to ${FIXED.length} of them (${HTTP_FIXED.length} over HTTP) and is refused in at most ${100 * MOST_REFUSED} % of its calls: what is refused more often can be faster, the automatic one among them. Throughput and the mean number of calls at the service, served or waiting, are relative to it; each run begins without experience. The simulated services answer ${CALLS.toLocaleString('en')} calls on a simulated clock, with ${SEEDS.length} seeds; noon is after 4 s, and an outage of 3 s begins then. Each of *two processes* makes so many calls, the second from 1 s on, and their fixed number is that of each. Over HTTP, n8n's engine reads the cost centers of ${HTTP_CALLS.toLocaleString('en')} employees from the sandbox.`,
	async measure() {
		const simulated = await compareSimulated(1);
		const outage = measureOutages();
		const rated = measureRate();
		const overHttp = await compareOverHttp();
		const back = worst(outage, ({ figure }) => figure, isMore);
		const slowest = worst(rated, ({ figure }) => figure, isLess);
		return {
			tables: [
				table('Simulated service', simulated),
				{
					title: 'Simulated service, outage of 3 s',
					columns: ["Back at 0.8 × the best fixed one's throughput after"],
					rows: outage.map(({ name, figure }) => ({ name, cells: [{ figure, unit: 's' }] })),
				},
				{
					title: `Simulated service, ${RATE} Requests per Second`,
					columns: ['Calls in a second'],
					rows: rated.map(({ name, figure }) => ({ name, cells: [{ figure, unit: '' }] })),
				},
				table('Simulated service, two processes', await compareSimulated(2)),
				table('Service over HTTP', overHttp),
			],
			goals: [
				...goals('simulated', simulated),
				goal('Automatic concurrency: back after an outage of 3 s', back, 's', { atMost: 10 }),
				goal(`Automatic concurrency: calls with ${RATE} Requests per Second`, slowest, '', {
					atLeast: 0.95 * RATE,
				}),
				...goals('over HTTP', overHttp),
			],
		};
	},
};
