/** How a call ended; `throttled`: refused with `Retry-After`; `ignored`: says nothing about the load. */
export type CallEnd = 'answered' | 'dropped' | 'ignored' | 'throttled';

// Each constant names a row of the benchmark that needs it (docs/dev/benchmark.md).

/** A lower one is too slow: "20 fast answers, then 500 ms". */
const FIRST_LIMIT = 4;

/** The highest limit. */
export const MAX_LIMIT = 64;

/** Largest and smallest factor of a step: "noisy" and "10 workers". */
const [MAX_STEP, MIN_STEP] = [2, 1.25];

/** How clear a trial must be, "1 worker" (two processes), and its longest duration: "noisy". */
const [STANDARD_ERRORS, MAX_ROUNDS] = [2, 10];

/** Most rounds between two trials: "exponential, 10 workers". */
const MAX_REST = 64;

/** The share of dropped calls that is too much, and of how many: "0.3 % random 503s, 10 workers". */
const [MAX_DROPPED, DROPPED_AMONG] = [1 / 8, 16];

/** No second try of a refused limit, and no calls if a lower one is refused: "100 per second". */
const [HOLD_MS, PAUSE_MS] = [30_000, 1000];

/** Counts the answers at one limit. */
class Measurement {
	calls = 0;
	/** When the first call that began at this limit was answered. */
	private from = Number.NaN;
	private to = 0;
	private sum = 0;
	private squares = 0;

	constructor(
		readonly limit: number,
		readonly begun: number,
	) {}

	add(start: number, now: number): void {
		if (Number.isNaN(this.from) && start >= this.begun) this.from = now;
		if (!(now > this.from)) return;
		this.calls += 1;
		this.to = now;
		this.sum += now - start;
		this.squares += (now - start) ** 2;
	}

	/** Each call in flight answered once is a round. */
	get rounds(): number {
		return this.calls / this.limit;
	}

	/** Logarithm of Kleinrock's power: throughput / mean time. A queue lowers it. */
	get logPower(): number {
		return Math.log(this.calls ** 2 / (this.to - this.from) / this.sum);
	}

	/** Variance of `logPower`, estimated from the times of the calls. */
	get variance(): number {
		return (4 * Math.max(0, (this.squares * this.calls) / this.sum ** 2 - 1)) / this.calls;
	}
}

/**
 * Finds how many calls a service bears at the same time, by hill climbing with an adaptive step. A
 * trial changes the limit by a step. If the power rises, the limit is kept and the step grows.
 * Otherwise, the limit goes back and the step shrinks; after the smallest one, the direction changes.
 */
export class AdaptiveLimit {
	private measured = new Measurement(FIRST_LIMIT, Number.NEGATIVE_INFINITY);
	/** The measurement before the trial; `undefined` without a trial. */
	private before: Measurement | undefined;
	private step = MAX_STEP;
	private isRising = true;
	/** Rounds to wait before the next trial. */
	private rest = 1;
	/** The share of dropped calls, among the last ones. */
	private dropped = 0;
	/** When too many were dropped, and whether a call that began later was answered. */
	private fellAt = Number.NEGATIVE_INFINITY;
	private isProven = true;
	/** The limit that was too high then. */
	private ceiling = Number.POSITIVE_INFINITY;

	/** The number of calls that may be in flight. */
	get limit(): number {
		return this.measured.limit;
	}

	/**
	 * Records the end of a call that began at `start`, one of `taken` calls.
	 *
	 * @returns how long to send nothing, in milliseconds; usually 0
	 */
	end(end: CallEnd, start: number, now: number, taken: number): number {
		if (end === 'ignored') return 0;
		const isDropped = end === 'answered' ? 0 : 1;
		this.dropped += (isDropped - this.dropped) / Math.max(DROPPED_AMONG, this.limit);
		if (end !== 'answered') return this.drop(start, now, end === 'throttled');
		this.isProven ||= start >= this.fellAt;
		// Too few calls tell nothing about the limit.
		if (taken >= this.limit / 2) this.measured.add(start, now);
		else this.move(this.limit, now);
		// Answers may come in bunches, so that only whole rounds are comparable.
		if (this.measured.calls > 0 && Number.isInteger(this.measured.rounds)) this.judge(now);
		return 0;
	}

	private drop(start: number, now: number, isThrottled: boolean): number {
		if (start < this.fellAt) return 0;
		if (!this.isProven) {
			// An outage: the number of calls is not the reason.
			if (now > this.fellAt + 2 * PAUSE_MS) this.restart();
			return PAUSE_MS;
		}
		if (this.dropped <= MAX_DROPPED && !isThrottled) return 0;
		this.ceiling = Math.max(2, this.limit);
		this.fellAt = now;
		this.isProven = false;
		this.dropped = 0;
		this.step = MIN_STEP;
		if (this.before && this.before.limit < this.limit) this.takeBack(this.before, now);
		else this.move(Math.max(1, Math.floor(this.limit / 2)), now);
		return 0;
	}

	/** Forgets what was refused, and searches as at the beginning. */
	private restart(): void {
		this.ceiling = Number.POSITIVE_INFINITY;
		this.step = MAX_STEP;
		this.isRising = true;
		this.rest = 1;
	}

	private judge(now: number): void {
		const { before, measured } = this;
		const isLowered = before !== undefined && measured.limit < before.limit;
		// A service may count calls per second: after a refusal, a shorter success proves nothing.
		const isShort = this.ceiling < Infinity && now < measured.begun + PAUSE_MS && !isLowered;
		if (isShort || (before === undefined && measured.rounds < this.rest)) return;
		if (before !== undefined) {
			const gain = measured.logPower - before.logPower;
			const error = Math.sqrt(measured.variance + before.variance);
			if (Math.abs(gain) < STANDARD_ERRORS * error && measured.rounds < MAX_ROUNDS) return;
			if (gain <= 0) {
				this.rest = Math.min(MAX_REST, 2 * this.rest);
				this.takeBack(before, now);
				return;
			}
			if (measured.limit >= this.ceiling) this.restart();
			this.step = Math.min(MAX_STEP, this.step ** 2);
			this.rest = 1;
		}
		this.move(this.next(now), now);
		this.before = measured;
	}

	private takeBack({ limit }: Measurement, now: number): void {
		if (this.step === MIN_STEP) this.isRising = !this.isRising;
		this.step = Math.max(MIN_STEP, Math.sqrt(this.step));
		this.move(limit, now);
	}

	/** Returns the limit to try. */
	private next(now: number): number {
		const { limit } = this;
		const isHeld = now < this.fellAt + HOLD_MS;
		const top = Math.min(MAX_LIMIT, isHeld ? this.ceiling - 1 : this.ceiling);
		if (this.isRising && limit >= top) {
			this.isRising = false;
			this.step = MIN_STEP;
		}
		if (limit === 1) this.isRising = top > 1;
		if (!this.isRising) return Math.max(1, Math.min(limit - 1, Math.round(limit / this.step)));
		const most = this.ceiling < Infinity ? Math.ceil((limit + top) / 2) : top;
		return Math.min(most, Math.max(limit + 1, Math.round(limit * this.step)));
	}

	private move(limit: number, now: number): void {
		this.before = undefined;
		this.measured = new Measurement(limit, now);
	}
}
