/** The cost of an expired access token: token requests, and the time of the calls that meet it. */
import { launchSandbox } from '../../dev/sandbox/client.mts';
import { Account } from '../../dev/package/account.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import { figureOf, ratioOf, takeTurns, type Figure } from '../measure.mts';
import { goal, type Cell, type Part } from '../report.mts';

const PARALLEL = [1, 10, 100] as const;
const ROUNDS = 15;

const LATENCY = { latencyMs: 20, tokenLatencyMs: 50 };

/** The state of the token when the executions begin. */
const states = ['good', 'ending', 'ended', 'renewed'] as const;
type State = (typeof states)[number];

/** The result of executions that start at the same time. */
interface Sample {
	/** The median of their times, in milliseconds. */
	readonly milliseconds: number;
	/** The number of token requests. */
	readonly renewals: number;
}

/** Runs executions of one item each at the same time; returns their times in milliseconds. */
async function execute({ payroll, credential }: Account, parallel: number): Promise<number[]> {
	const node = payroll.node('payrollEmployee', credential, getCostCenters);
	return await Promise.all(
		Array.from({ length: parallel }, async (_, index) => {
			const start = performance.now();
			const { error } = await payroll.run([{ id: 1001 + (index % 50) }], node);
			if (error !== undefined) throw error;
			return performance.now() - start;
		}),
	);
}

let endings = 0;

/** Puts the token into a state. */
async function prepare(account: Account, state: State): Promise<void> {
	const { sandbox } = account;
	if (state === 'ended' || state === 'renewed') await sandbox.expireAccessTokens();
	if (state === 'good' || state === 'renewed') await execute(account, 1);
	if (state === 'ending') {
		endings += 1;
		// A new token each time: a token is renewed early only once.
		await account.storeToken(10 + (endings % 40));
	}
	await sandbox.reset();
}

async function sample(account: Account, state: State, parallel: number): Promise<Sample> {
	await prepare(account, state);
	const times = await execute(account, parallel);
	return { milliseconds: figureOf(times).median, renewals: await account.renewals() };
}

type Name = `${State} ${number}`;

/** Measures every state at every degree of parallelism, in turns. */
async function sampleAll(): Promise<(state: State, parallel: number) => readonly Sample[]> {
	const sandbox = await launchSandbox({ ...LATENCY, schemaValidation: false });
	try {
		const account = await Account.connect(await Payroll.load(), sandbox);
		for (const state of states) await sample(account, state, Math.max(...PARALLEL));
		const turns = PARALLEL.flatMap((parallel) =>
			states.map((state): [Name, () => Promise<Sample>] => [
				`${state} ${parallel}`,
				async () => await sample(account, state, parallel),
			]),
		);
		const samples = await takeTurns(Object.fromEntries(turns), ROUNDS);
		return (state, parallel) => samples[`${state} ${parallel}`] ?? [];
	} finally {
		await sandbox.stop();
	}
}

const times = (samples: readonly Sample[]) => samples.map(({ milliseconds }) => milliseconds);
const renewals = (samples: readonly Sample[]) => samples.map((one) => one.renewals);

/** The differences between two contenders, round by round. */
function extra(of: readonly number[], over: readonly number[]): Figure {
	return figureOf(of.map((value, round) => value - (over[round] ?? Number.NaN)));
}

export const session: Part = {
	name: 'session',
	title: 'Session',
	about: [
		"Executions of one item each (Cost Center: Get Many), started at the same time on n8n's engine in",
		`one process. The service takes ${LATENCY.latencyMs} ms for a call and ${LATENCY.tokenLatencyMs} ms for new tokens. A token that is`,
		'*about to end* is renewed before the call; one that *has ended* is rejected with HTTP 401 and',
		'renewed, and the call is sent again. The time of a round is the median of its executions; *more*',
		'is the difference to a valid token in the same round.',
	].join(' '),
	async measure() {
		const samples = await sampleAll();
		const ms = (figure: Figure): Cell => ({ figure, unit: 'ms' });
		const rows = PARALLEL.map((parallel) => {
			const good = times(samples('good', parallel));
			const more = (state: State): Cell => ms(extra(times(samples(state, parallel)), good));
			const ratio = (state: State): Cell => ({
				figure: ratioOf(times(samples(state, parallel)), good),
				unit: '×',
			});
			return {
				name: String(parallel),
				cells: [
					ms(figureOf(good)),
					more('ending'),
					ratio('ending'),
					more('ended'),
					ratio('ended'),
					more('renewed'),
				],
			};
		});
		const expiries = (parallel: number): Figure =>
			figureOf(
				(['ending', 'ended'] as const).flatMap((state) => renewals(samples(state, parallel))),
			);
		const without = PARALLEL.flatMap((parallel) =>
			(['good', 'renewed'] as const).flatMap((state) => renewals(samples(state, parallel))),
		);
		return {
			tables: [
				{
					title: 'Executions at once',
					columns: [
						'With a good token',
						'More: about to end',
						'',
						'More: has ended',
						'',
						'More: after that',
					],
					rows,
				},
			],
			goals: [
				...PARALLEL.map((parallel) =>
					goal(`Session: refreshes per expiry, ${parallel} at once`, expiries(parallel), '', {
						exactly: 1,
					}),
				),
				goal('Session: refreshes without an expiry', figureOf(without), '', { exactly: 0 }),
			],
		};
	},
};
