/** The limit that adapts to the service, on a simulated clock. */
import { fixedLimit, simulate } from '../../../bench/simulated/run.mts';
import { services } from '../../../bench/simulated/services.mts';
import { AdaptiveLimit, MAX_LIMIT } from '../../../nodes/shared/exchange/adaptiveLimit.ts';

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
};

it('every simulated service is tested', () => {
	expect(Object.keys(best)).toEqual(Object.keys(services));
});

it.each(Object.entries(services))('%s: fast, without a queue or refused calls', (name, make) => {
	for (const seed of SEEDS) {
		const run = { calls: 10_000, seed };
		const fixed = simulate(make, [fixedLimit(best[name] ?? Number.NaN)], run);
		const automatic = simulate(make, [new AdaptiveLimit()], run);
		expect(fixed.refused).toBeLessThanOrEqual(0.01);
		expect(automatic.perSecond / fixed.perSecond).toBeGreaterThanOrEqual(0.8);
		expect(automatic.inFlight / fixed.inFlight).toBeLessThanOrEqual(2);
		expect(automatic.refused).toBeLessThanOrEqual(0.01);
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

/** Makes calls one after the other in pairs of start and end, all with this duration. */
function answer(limit: AdaptiveLimit, count: number, isUsedUp = true): void {
	for (let call = 0; call < count; call += 1) {
		limit.end(limit.begin(call * 50), (call + 1) * 50, 'answered', isUsedUp);
	}
}

describe('the limit', () => {
	it('is four at first, and 64 at most', () => {
		const limit = new AdaptiveLimit();
		expect(limit.limit).toBe(4);
		answer(limit, 10_000);
		expect(limit.limit).toBe(MAX_LIMIT);
	});

	it('stays as long as it is not used up', () => {
		const limit = new AdaptiveLimit();
		answer(limit, 10_000, false);
		expect(limit.limit).toBe(4);
	});

	it('does not fall for a single lost call, but for the second one', () => {
		const limit = new AdaptiveLimit();
		limit.end(limit.begin(0), 10, 'lost', true);
		expect(limit.limit).toBe(4);
		limit.end(limit.begin(10), 20, 'lost', true);
		expect(limit.limit).toBe(2);
	});

	it('falls below the number of calls that was refused', () => {
		const limit = new AdaptiveLimit();
		const starts = [0, 0, 0, 0].map((at) => limit.begin(at));
		const [, second, third] = starts;
		if (second === undefined || third === undefined) throw new Error('Missing');
		expect(limit.end(third, 5, 'refused', true)).toBe(0);
		expect(limit.limit).toBe(2);
		// Sent before the limit fell: its place stays empty until a call is answered.
		expect(limit.end(second, 6, 'refused', true)).toBe(0);
		expect(limit.limit).toBe(1);
		limit.end(limit.begin(7), 57, 'answered', true);
		expect(limit.limit).toBe(2);
	});

	it('does not fall further while no call is answered; all calls pause instead', () => {
		const limit = new AdaptiveLimit();
		limit.end(limit.begin(0), 5, 'refused', true);
		const fallen = limit.limit;
		for (const at of [10, 20, 30]) {
			expect(limit.end(limit.begin(at), at + 5, 'refused', true)).toBe(1000);
		}
		expect(limit.limit).toBe(fallen);
	});

	it('counts a call as over that failed for another reason', () => {
		const limit = new AdaptiveLimit();
		limit.end(limit.begin(0), 5, 'failed', true);
		expect(limit.begin(10).inFlight).toBe(1);
		expect(limit.limit).toBe(4);
	});
});
