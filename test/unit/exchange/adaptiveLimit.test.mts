/** The limit that adapts to the service, on a simulated clock. */
import { fixedLimit, simulate } from '../../../bench/simulated/run.mts';
import { outages, OUTAGE, services } from '../../../bench/simulated/services.mts';
import {
	AdaptiveLimit,
	MAX_LIMIT,
	type CallEnd,
} from '../../../nodes/shared/exchange/adaptiveLimit.ts';

const SEEDS = [1, 2, 3];

/** The best fixed limit of each service. */
const best: Readonly<Record<string, number>> = {
	'50 ms, no limit': 64,
	'500 ms, no limit': 64,
	'1 worker': 1,
	'10 workers': 10,
	'40 workers': 40,
	'5 at a time, then 429': 5,
	'20 at a time, then 429': 20,
	'20 at a time, then 429 with Retry-After': 20,
	'100 per second, then 429': 5,
	'100 per second, then 429 with Retry-After': 5,
	'3 × slower at noon': 64,
	'3 × slower at noon, 20 workers': 20,
	'40 workers, 10 from noon': 40,
	'10 workers, 40 from noon': 40,
	noisy: 64,
	'noisy, 10 workers': 10,
	'exponential, 10 workers': 15,
	'spikes, 10 workers': 10,
	'overloaded from 15': 15,
	'1 % of connections lost, 10 workers': 12,
	'one 503 at the start': 64,
	'one 503': 64,
	'one 503, 10 workers': 10,
	'0.1 % random 503s': 64,
	'0.1 % random 503s, 10 workers': 10,
	'0.3 % random 503s': 64,
	'0.3 % random 503s, 10 workers': 10,
	'20 fast answers, then 50 ms': 64,
	'20 fast answers, then 500 ms': 64,
};

/** The least throughput, relative to that of the best fixed limit. */
function wanted(name: string): number {
	if (name.includes('503')) return 0.85;
	return name.includes('fast answers') ? 0.9 : 0.8;
}

it('every simulated service is tested', () => {
	expect(Object.keys(best)).toEqual(Object.keys(services));
});

it.each(Object.entries(services))('%s: fast, without a queue or refused calls', (name, make) => {
	for (const seed of SEEDS) {
		const run = { calls: 10_000, seed };
		const fixed = simulate(make, [fixedLimit(best[name] ?? Number.NaN)], run);
		const automatic = simulate(make, [new AdaptiveLimit()], run);
		expect(fixed.refused).toBeLessThanOrEqual(0.01);
		expect(automatic.perSecond / fixed.perSecond).toBeGreaterThanOrEqual(wanted(name));
		expect(automatic.inFlight / fixed.inFlight).toBeLessThanOrEqual(2);
		expect(automatic.refused - fixed.refused).toBeLessThanOrEqual(0.01);
		// More than the package makes would fail the call.
		expect(automatic.attempts).toBeLessThanOrEqual(4);
	}
});

it.each(['1 worker', '10 workers'])('%s: two processes do not fill its queue', (name) => {
	const make = services[name];
	if (make === undefined) throw new Error('Missing');
	for (const seed of SEEDS) {
		const run = { calls: 10_000, seed };
		const fixed = fixedLimit(best[name] ?? Number.NaN);
		const two = simulate(make, [fixed, fixed], run);
		const automatic = simulate(make, [new AdaptiveLimit(), new AdaptiveLimit()], run);
		expect(automatic.perSecond / two.perSecond).toBeGreaterThanOrEqual(0.95);
		expect(automatic.inFlight / two.inFlight).toBeLessThanOrEqual(6);
	}
});

it.each(Object.entries(outages))(
	'%s: fast again 10 s after an outage',
	(_, { make, perSecond }) => {
		const calls = 30 * perSecond;
		const { answeredAt, attempts } = simulate(make, [new AdaptiveLimit()], { calls, seed: 1 });
		const from = OUTAGE.to + 10_000;
		const answered = answeredAt.filter((at) => at >= from && at < from + 5000).length;
		expect(answered).toBeGreaterThanOrEqual(0.8 * 5 * perSecond);
		expect(attempts).toBeLessThanOrEqual(4);
	},
);

it.each(['50 ms, no limit', '10 workers', 'noisy'])('%s: 200 Requests per Second', (name) => {
	const make = services[name];
	if (make === undefined) throw new Error('Missing');
	for (const seed of SEEDS) {
		const run = { calls: 10_000, seed, requestsPerSecond: 200 };
		expect(simulate(make, [new AdaptiveLimit()], run).perSecond).toBeGreaterThanOrEqual(190);
	}
});

describe('the limit', () => {
	/** Lets calls of 50 ms end, as many at a time as are allowed. */
	function answer(
		limit: AdaptiveLimit,
		rounds: number,
		taken = (allowed: number) => allowed,
	): void {
		for (let start = 0; start < rounds * 50; start += 50) {
			for (let left = taken(limit.limit); left > 0; left -= 1) {
				limit.end('answered', start, start + 50, left);
			}
		}
	}

	/** A limit with the calls that are in flight, which all began at the same time. */
	function busy() {
		const limit = new AdaptiveLimit();
		return { limit, end: (how: CallEnd, start = 0) => limit.end(how, start, start + 5, 4) };
	}

	it('is four at first, and 64 at most', () => {
		const limit = new AdaptiveLimit();
		expect(limit.limit).toBe(4);
		simulate(services['50 ms, no limit'] as never, [limit], { calls: 10_000, seed: 1 });
		expect(limit.limit).toBeGreaterThan(40);
		expect(limit.limit).toBeLessThanOrEqual(MAX_LIMIT);
	});

	it('stays as long as less than half of it is used', () => {
		const limit = new AdaptiveLimit();
		answer(limit, 1000, () => 1);
		expect(limit.limit).toBe(4);
	});

	it('does not fall for two dropped calls, but for three in a row', () => {
		const { limit, end } = busy();
		for (const expected of [4, 4, 2]) {
			expect(end('dropped')).toBe(0);
			expect(limit.limit).toBe(expected);
		}
	});

	it('falls at once for a call that is refused with Retry-After', () => {
		const { limit, end } = busy();
		expect(end('throttled')).toBe(0);
		expect(limit.limit).toBe(2);
	});

	it('does not fall further while no call is answered; all calls pause instead', () => {
		const { limit, end } = busy();
		end('throttled');
		// Began before the limit fell.
		expect(end('dropped')).toBe(0);
		for (const start of [10, 20, 30]) expect(end('dropped', start)).toBe(1000);
		expect(limit.limit).toBe(2);
	});

	it('ignores a call that failed for another reason', () => {
		const { limit, end } = busy();
		for (let call = 0; call < 100; call += 1) expect(end('ignored')).toBe(0);
		expect(limit.limit).toBe(4);
	});
});
