/** Runs clients against a simulated service. */
import type { AdaptiveLimit } from '../../nodes/shared/exchange/adaptiveLimit.ts';
import { retryDelay } from '../../nodes/shared/http/retry.ts';
import { Clock, randomFrom } from './clock.mts';
import type { Service, World } from './services.mts';

/** What came of a run, of all clients together. */
export interface Outcome {
	/** Answered calls. */
	readonly perSecond: number;
	/** The mean number of calls at the service, served or waiting. */
	readonly inFlight: number;
	/** The share of the requests that were refused. */
	readonly refused: number;
	/** The most requests for one call. */
	readonly attempts: number;
}

/** Decides how many calls are in flight. */
export type Limit = Pick<AdaptiveLimit, 'begin' | 'end' | 'limit'>;

/** A limit that never changes. */
export function fixedLimit(limit: number): Limit {
	return { limit, begin: (at) => ({ at, inFlight: 0 }), end: () => 0 };
}

/** The time between the starts of two clients. */
const STAGGER_MS = 1000;

/**
 * Makes calls as the package does: a call that is refused or lost waits and is sent again, and a
 * pause that the service asks for holds all calls of the client that was told.
 *
 * @param limits those of the clients, which are processes of n8n that use the same service
 * @param calls the calls of each client
 */
export function simulate(
	make: (world: World) => Service,
	limits: readonly Limit[],
	{ calls, seed }: { readonly calls: number; readonly seed: number },
): Outcome {
	const clock = new Clock();
	const random = randomFrom(seed);
	const service = make({ clock, random });
	let [inFlight, answered, sent, refused, attempts] = [0, 0, 0, 0, 0];
	let [area, since, end] = [0, 0, 0];

	function count(change: number): void {
		area += inFlight * (clock.now - since);
		since = clock.now;
		inFlight += change;
	}

	/** Returns what begins the client's calls. */
	function client(limit: Limit): () => void {
		/** The attempts that each waiting call has behind it. */
		const waiting = new Array<number>(calls).fill(0);
		let [open, pausedUntil] = [0, 0];

		function pause(milliseconds: number): void {
			pausedUntil = Math.max(pausedUntil, clock.now + milliseconds);
			clock.after(milliseconds, send);
		}

		function retry(milliseconds: number, attempt: number): void {
			clock.after(milliseconds, () => {
				waiting.push(attempt);
				send();
			});
		}

		function send(): void {
			while (clock.now >= pausedUntil && open < limit.limit) {
				const before = waiting.shift();
				if (before === undefined) return;
				const attempt = before + 1;
				attempts = Math.max(attempts, attempt);
				count(1);
				open += 1;
				sent += 1;
				const start = limit.begin(clock.now);
				service((how, retryAfterMs) => {
					count(-1);
					open -= 1;
					if (how === 'answered') {
						answered += 1;
						end = clock.now;
					} else {
						if (how === 'refused') refused += 1;
						if (retryAfterMs !== undefined) pause(retryAfterMs);
						// The package gives up after some attempts; here, they are counted.
						const last = Math.min(attempt, 3);
						const delay = retryDelay({ kind: 'unreached' }, 'read', last, random());
						retry(retryAfterMs ?? delay ?? 0, attempt);
					}
					const milliseconds = limit.end(start, clock.now, how, waiting.length > 0);
					if (milliseconds > 0) pause(milliseconds);
					send();
				});
			}
		}

		return send;
	}

	limits.forEach((limit, index) => clock.after(index * STAGGER_MS, client(limit)));
	clock.run();
	const expected = calls * limits.length;
	if (answered !== expected) throw new Error(`${answered} of ${expected} calls were answered`);
	return {
		perSecond: (expected * 1000) / end,
		inFlight: area / end,
		refused: refused / sent,
		attempts,
	};
}
