/** How many calls are in flight by default, and at which rate, on a simulated clock. */
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { Places } from '../../../nodes/shared/exchange/account.ts';
import { atNight } from '../../support/runs.mts';
import type { RequestHost } from '../../../nodes/shared/host/requests.ts';
import { createAccess } from '../../../nodes/shared/exchange/exchange.ts';
import { schedule } from '../../../nodes/shared/run/calls.ts';
import { connectionTo, requestTo } from '../../support/exchange.mts';

/** A clock that jumps from event to event; nothing really waits. */
class Clock {
	/** In milliseconds. */
	now = 0;
	/** The next event last. */
	readonly #events: Array<{ readonly at: number; readonly happen: () => void }> = [];

	/** @param late how late each timer is, in milliseconds */
	constructor(readonly late: number) {}

	async sleep(milliseconds: number): Promise<void> {
		const at = this.now + milliseconds + this.late;
		const place = this.#events.findLastIndex((event) => event.at > at);
		await new Promise<void>((happen) => this.#events.splice(place + 1, 0, { at, happen }));
	}

	/** Lets time pass until the work is done. */
	async pass(work: Promise<unknown>): Promise<void> {
		let isDone = false;
		void work.finally(() => (isDone = true));
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return;
			const event = this.#events.pop();
			if (event === undefined) throw new Error('Nothing is left to happen');
			this.now = event.at;
			event.happen();
		}
	}
}

/** A call as a service sees it. */
interface Arrival {
	/** In milliseconds. */
	readonly at: number;
	/** How many came before. */
	readonly index: number;
	/** How many are at the service, with this one. */
	readonly inFlight: number;
}

/** How a service answers. */
interface Service {
	/** How long it works on a call, in milliseconds. */
	readonly duration: number;
	/** Whether it refuses a call at once, by HTTP 503. */
	readonly refuses?: (call: Arrival) => boolean;
}

/** What came of a batch. */
interface Batch {
	/** The calls at the service, those that were refused among them. */
	readonly arrivals: readonly Arrival[];
	readonly refused: number;
	/** When each call was answered, in milliseconds. */
	readonly answeredAt: readonly number[];
	/** How many calls failed in the end. */
	readonly failed: number;
}

let batches = 0;

/** The settings of the node and the credential, and the timers of its process. */
interface Setting {
	/** Automatic if there is none. */
	readonly concurrency?: number | undefined;
	readonly requestsPerSecond?: number;
	/** How late each timer is, in milliseconds. */
	readonly late?: number;
	/** How long all calls wait for another token at first, in milliseconds. */
	readonly renewal?: number;
}

/** Makes calls as a run of a node does, with a credential of its own. */
async function makeCalls(
	{ duration, refuses = () => false }: Service,
	calls: number,
	{ concurrency, requestsPerSecond, late = 0, renewal = 0 }: Setting = {},
): Promise<Batch> {
	const clock = new Clock(late);
	const { setSimulatedClock } = globalThis as unknown as {
		setSimulatedClock: (clock?: Clock) => void;
	};
	const [arrivals, answeredAt]: [Arrival[], number[]] = [[], []];
	let [inFlight, refused] = [0, 0];
	const url = 'https://payroll.example';
	const serve = async () => {
		const call = { at: clock.now, index: arrivals.length, inFlight: inFlight + 1 };
		arrivals.push(call);
		inFlight += 1;
		const isRefused = refuses(call);
		await clock.sleep(isRefused ? 1 : duration);
		inFlight -= 1;
		if (isRefused) refused += 1;
		else answeredAt.push(clock.now);
		return { answer: { statusCode: isRefused ? 503 : 200, headers: {}, body: [] }, token: '' };
	};
	const credentialId = `simulated ${(batches += 1)}`;
	let access_token = 'token';
	const host = {
		credentialId,
		send: serve,
		readCredential: () => ({ oauthTokenData: { access_token, refresh_token: 'refresh' } }),
		async renewTokens() {
			await clock.sleep(renewal);
			access_token = 'renewed';
		},
	} as unknown as RequestHost;
	const limits = { timeoutMs: 60_000, maxBytes: 1000, isAdaptive: concurrency === undefined };
	const connection = connectionTo(url, {
		requestsPerSecond,
		expiresAt: renewal > 0 ? Date.now() + 30_000 : undefined,
	});
	const { exchange } = createAccess(host, connection, limits);
	const call = async () =>
		await exchange(requestTo(url), ({ status }) => {
			if (status !== 200) throw new Error(String(status));
			return status;
		});
	setSimulatedClock(clock);
	try {
		const batch = schedule({
			count: calls,
			concurrency: concurrency ?? 64,
			writesInOrder: false,
			prepare: (index) => ({ key: String(index), run: call }),
			stopsAt: () => false,
		});
		await clock.pass(batch);
		const failed = (await batch).filter((outcome) => typeof outcome !== 'number').length;
		return { arrivals, refused, answeredAt, failed };
	} finally {
		setSimulatedClock(undefined);
	}
}

// The jitter of retries, from the minimal standard generator of random numbers (Park and Miller).
beforeEach(() => {
	let state = 1;
	const next = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
	jest.spyOn(Math, 'random').mockImplementation(next);
});
afterEach(() => jest.restoreAllMocks());

/** How many calls were in flight whenever one arrived in this time, in milliseconds. */
function inFlight({ arrivals }: Batch, from: number, to = Infinity): number[] {
	return arrivals.filter(({ at }) => at >= from && at < to).map((call) => call.inFlight);
}

/** How many calls were answered in a second, from a time on. */
const answeredIn = ({ answeredAt }: Batch, from: number) =>
	answeredAt.filter((at) => at >= from && at < from + 1000).length;

describe('a service that takes 50 ms', () => {
	it('and refuses no call gets 16 at once, then one more for each round, and 32 at most', async () => {
		const batch = await makeCalls({ duration: 50 }, 1400);
		const rounds = Array.from({ length: 20 }, (_, round) => round);
		expect(
			rounds.map((round) => Math.max(...inFlight(batch, round * 50, round * 50 + 50))),
		).toEqual(rounds.map((round) => Math.min(32, 16 + round)));
		expect(Math.max(...inFlight(batch, 1000))).toBe(32);
		expect(answeredIn(batch, 1000)).toBe(32 * 20);
	});

	it('and refuses calls beyond ten gets five to eleven, and does three quarters of what it could', async () => {
		const refuses = ({ inFlight }: { inFlight: number }) => inFlight > 10;
		const batch = await makeCalls({ duration: 50, refuses }, 2000);
		const settled = inFlight(batch, 1000, 5000);
		expect(Math.min(...settled)).toBeGreaterThanOrEqual(5);
		expect(Math.max(...settled)).toBe(11);
		expect(answeredIn(batch, 2000)).toBeGreaterThanOrEqual(150);
		expect(batch.refused / batch.arrivals.length).toBeLessThan(0.03);
		expect(batch.failed).toBe(0);
	});

	it.each([1, 8])('and refuses %d of 600 in a round gets at least ten again', async (count) => {
		const refuses = ({ index }: { index: number }) => index >= 40 && index < 40 + count;
		const batch = await makeCalls({ duration: 50, refuses }, 600);
		const refusal = batch.arrivals[40]?.at ?? Number.NaN;
		// Half of 18 at once, ten after a round: those that began before count no further.
		expect(Math.min(...inFlight(batch, refusal + 50))).toBeGreaterThanOrEqual(8);
		const last = (batch.answeredAt.at(-1) ?? 0) - 50;
		expect(Math.min(...inFlight(batch, refusal + 250, last))).toBeGreaterThanOrEqual(10);
		expect(batch).toMatchObject({ refused: count, failed: 0 });
	});

	atNight(
		'and has an outage of 3 s gets one at a time, and 32 again within four seconds',
		async () => {
			const refuses = ({ at }: { at: number }) => at >= 2000 && at < 5000;
			const batch = await makeCalls({ duration: 50, refuses }, 5000);
			expect(Math.max(...inFlight(batch, 2500, 5000))).toBe(1);
			expect(Math.min(...inFlight(batch, 7000, 9000))).toBeGreaterThan(16);
			expect(Math.max(...inFlight(batch, 7000, 9000))).toBe(32);
			expect(batch.failed).toBe(0);
		},
	);
});

describe('Requests per Second alone bounds the rate', () => {
	it.each([
		[10, undefined, 0, 0],
		[10, 64, 0, 0],
		[10, 64, 0, 3000],
		[200, undefined, 0, 0],
		[200, 64, 0, 0],
		[200, 64, 5, 0],
	])(
		'of %d, with the concurrency %s, timers that are %d ms late, and a token that takes %d ms',
		async (rate, concurrency, late, renewal) => {
			const setting = { concurrency, requestsPerSecond: rate, late, renewal };
			const batch = await makeCalls({ duration: 100 }, 3 * rate, setting);
			const times = batch.arrivals.map(({ at }) => at);
			const most = Math.max(
				...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length),
			);
			// Two calls may begin together if a timer is late, or what it waits for.
			expect(most - rate).toBeLessThanOrEqual(late + renewal === 0 ? 0 : 2);
			expect(answeredIn(batch, 1000 + renewal)).toBeGreaterThanOrEqual(0.95 * rate);
		},
	);
});

it('the places of a credential are given in the order of asking, and none to a run that is cancelled while it waits', async () => {
	const places = new Places(2);
	const given: string[] = [];
	const ask = async (name: string, signal?: AbortSignal) =>
		await places.take(signal).then(() => given.push(name));
	const cancel = new AbortController();
	for (const name of ['a', 'b', 'c']) void ask(name);
	const waiting = ask('cancelled', cancel.signal);
	for (const name of ['d', 'e']) void ask(name);
	cancel.abort();
	await expect(waiting).rejects.toBeInstanceOf(CancelledError);
	expect(given).toEqual(['a', 'b']);
	for (const more of ['c', 'd', 'e']) {
		places.leave();
		await new Promise((resolve) => setImmediate(resolve));
		expect(given.at(-1)).toBe(more);
	}
});
