/** Runs clients against a simulated service. */
import type { AdaptiveLimit, CallEnd } from '../../nodes/shared/exchange/adaptiveLimit.ts';
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
	/** When each call was answered, in milliseconds. */
	readonly answeredAt: readonly number[];
}

function endOf(how: 'answered' | 'lost' | 'refused', retryAfterMs: number | undefined): CallEnd {
	if (how === 'answered') return how;
	return retryAfterMs === undefined ? 'dropped' : 'throttled';
}

/** Decides how many calls are in flight. */
export type Limit = Pick<AdaptiveLimit, 'end' | 'limit'>;

/** A limit that never changes. */
export function fixedLimit(limit: number): Limit {
	return { limit, end: () => 0 };
}

/** What the clients do. */
export interface Load {
	/** The calls of each client. */
	readonly calls: number;
	readonly seed: number;
	/** How many requests each client may send in a second; no limit if there is none. */
	readonly requestsPerSecond?: number;
}

/** The time between the starts of two clients. */
const STAGGER_MS = 1000;

/**
 * Makes calls as the package does: a call that is refused or lost waits and is sent again, and a
 * pause that the service asks for holds all calls of the client that was told.
 *
 * @param limits those of the clients, which are processes of n8n that use the same service
 */
export function simulate(
	make: (world: World) => Service,
	limits: readonly Limit[],
	{ calls, seed, requestsPerSecond = Infinity }: Load,
): Outcome {
	const clock = new Clock();
	const random = randomFrom(seed);
	const service = make({ clock, random });
	let [inFlight, sent, refused, attempts] = [0, 0, 0, 0];
	let [area, since] = [0, 0];
	const answeredAt: number[] = [];

	function count(change: number): void {
		area += inFlight * (clock.now - since);
		since = clock.now;
		inFlight += change;
	}

	/** Returns what begins the client's calls. */
	function client(limit: Limit): () => void {
		/** The attempts that each waiting call has behind it. */
		const waiting = new Array<number>(calls).fill(0);
		let [open, pausedUntil, nextTurn] = [0, 0, 0];

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

		/** Gives waiting calls a place, in which they wait for their turn. */
		function send(): void {
			while (clock.now >= pausedUntil && open < limit.limit) {
				const before = waiting.shift();
				if (before === undefined) return;
				open += 1;
				const turn = Math.max(clock.now, nextTurn);
				nextTurn = turn + 1000 / requestsPerSecond;
				if (turn === clock.now) call(before + 1);
				else clock.after(turn - clock.now, () => call(before + 1));
			}
		}

		function call(attempt: number): void {
			attempts = Math.max(attempts, attempt);
			count(1);
			sent += 1;
			const start = clock.now;
			service((how, retryAfterMs) => {
				count(-1);
				const milliseconds = limit.end(endOf(how, retryAfterMs), start, clock.now, open);
				open -= 1;
				if (how === 'answered') {
					answeredAt.push(clock.now);
				} else {
					if (how === 'refused') refused += 1;
					if (retryAfterMs !== undefined) pause(retryAfterMs);
					// The package gives up after some attempts; here, they are counted.
					const last = Math.min(attempt, 3);
					const delay = retryDelay({ kind: 'unreached' }, 'read', last, random());
					retry(retryAfterMs ?? delay ?? 0, attempt);
				}
				if (milliseconds > 0) pause(milliseconds);
				send();
			});
		}

		return send;
	}

	limits.forEach((limit, index) => clock.after(index * STAGGER_MS, client(limit)));
	clock.run();
	const expected = calls * limits.length;
	const answered = answeredAt.length;
	if (answered !== expected) throw new Error(`${answered} of ${expected} calls were answered`);
	const end = answeredAt.at(-1) ?? 0;
	return {
		perSecond: (expected * 1000) / end,
		inFlight: area / end,
		refused: refused / sent,
		attempts,
		answeredAt,
	};
}
