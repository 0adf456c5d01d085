/**
 * How a call ended: with an answer, with HTTP 429 or 503, without an answer, or by an error that says
 * nothing about the service's load.
 */
export type CallEnd = 'answered' | 'failed' | 'lost' | 'refused';

/** The start of a call. */
export interface CallStart {
	/** On the monotonic clock, in milliseconds. */
	readonly at: number;
	/** The number of calls in flight, this one included. */
	readonly inFlight: number;
}

/** The mean time of the calls at a limit. */
interface Measured {
	readonly limit: number;
	readonly meanMs: number;
}

const FIRST_LIMIT = 4;

/** The highest limit. */
export const MAX_LIMIT = 64;

/** The least calls that one measurement takes, at first and later, and the most. */
const [FIRST_CALLS, MIN_CALLS, MAX_CALLS] = [8, 16, 160];

/** How precise a measurement must be: the change of the limit on trial, in standard errors. */
const STANDARD_ERRORS = 4;

/** Factor of the limit in one trial: at first, later, and downwards. */
const [FIRST_STEP, STEP_UP, STEP_DOWN] = [2, 1.3, 0.75];

/** The largest cut of the limit in one trial. */
const MAX_CUT = 0.5;

/** The share of a raise that must arrive as throughput, and of a cut that may be lost of it. */
const [WORTH_UP, WORTH_DOWN] = [0.25, 0.15];

/** The mean time, relative to the shortest one known, from which calls seem to wait in a queue. */
const SLOW = 1.3;

/** Growth of the shortest time known with each measurement, so that chance does not keep it low. */
const FORGET = 1.03;

/**
 * The mean time, relative to the shortest one so far, from which no higher limit is tried. Otherwise,
 * two processes would raise their limits against each other: a longer queue brings each of them more
 * throughput, at the other's expense.
 */
const QUEUED = 3;

/** Growth of the shortest time so far with each measurement. */
const FORGET_SLOWLY = 1.003;

/** The most measurements between two trials. */
const MAX_RESTS = 5;

/** Factor of the limit when the service refuses calls or does not answer. */
const FALL = 0.7;

/** The share of lost calls, among the last ones, that counts as overload. */
const MAX_LOST = 0.1;
const LOST_AMONG = 16;

/** For how many answers the limit stays below the number of calls that was refused. */
const [FIRST_HOLD, MAX_HOLD] = [2000, 16_000];

/** How long to send nothing if the lower limit is refused, too, and no pause is asked for. */
const PAUSE_MS = 1000;

/**
 * Finds how many calls a service bears at the same time. Throughput is the limit divided by the
 * mean time of a call, so a trial shows whether a higher limit brings more throughput or only a
 * queue. The limit doubles until it does not pay, then changes in small steps, ever less often.
 * When calls become slow, a lower limit is tried: the throughput stays the same if there is a
 * queue, and falls if the service itself has become slower. Refused and lost calls lower the limit
 * at once.
 */
export class AdaptiveLimit {
	private inFlight = 0;
	private allowed = FIRST_LIMIT;

	/** The limit that `allowed` rises to, by one with each answer. */
	private goal = FIRST_LIMIT;

	/** What was measured before the limit changed on trial; `undefined` without a trial. */
	private before: Measured | undefined;

	/** Whether the limit still doubles. */
	private isDoubling = true;

	/** Failed trials of a higher limit in a row. */
	private failures = 0;

	/** Whether to try a lower limit next, since a higher one brought nothing. */
	private triesLower = false;

	/** Measurements until the next trial, and between two trials. */
	private rests = 1;
	private restLength = 1;

	/** The shortest mean time known of the service as it is now, and so far. */
	private shortestMs = Number.POSITIVE_INFINITY;
	private shortestSoFarMs = Number.POSITIVE_INFINITY;

	/** The number of calls at which the service refused one, while this is remembered. */
	private ceiling = Number.POSITIVE_INFINITY;
	private held = 0;
	private hold = FIRST_HOLD;

	/** When the limit last fell, and the answers since then. */
	private fellAt = Number.NEGATIVE_INFINITY;
	private answers = 0;

	/** The share of lost calls, among the last ones. */
	private lost = 0;

	/** When the limit last changed, and from when on calls are measured at it. */
	private changedAt = Number.NEGATIVE_INFINITY;
	private measuredFrom: number | undefined;
	private count = 0;
	private sum = 0;
	private squares = 0;

	/** The number of calls that may be in flight. */
	get limit(): number {
		return this.allowed;
	}

	/** Records the start of a call, at this time in milliseconds. */
	begin(at: number): CallStart {
		this.inFlight += 1;
		return { at, inFlight: this.inFlight };
	}

	/**
	 * Records the end of a call.
	 *
	 * @param now the time in milliseconds
	 * @param isUsedUp whether further calls waited for a place; otherwise, there is nothing to measure
	 * @returns how long to send nothing, in milliseconds; usually 0
	 */
	end(call: CallStart, now: number, end: CallEnd, isUsedUp: boolean): number {
		this.inFlight -= 1;
		if (end === 'failed') return 0;
		this.lost += ((end === 'lost' ? 1 : 0) - this.lost) / Math.max(LOST_AMONG, this.allowed);
		if (end === 'answered') this.answered(call, now, isUsedUp);
		else if (end === 'refused') return this.refused(call, now);
		else if (this.lost > MAX_LOST && call.at >= this.fellAt) this.fall(this.allowed, now);
		return 0;
	}

	private answered(call: CallStart, now: number, isUsedUp: boolean): void {
		if (this.held > 0) this.held -= 1;
		else this.ceiling = Number.POSITIVE_INFINITY;
		if (call.at >= this.fellAt) this.answers += 1;
		if (!isUsedUp) return;
		if (this.allowed < this.goal) {
			this.allowed += 1;
			if (this.allowed === this.goal) this.remeasure(now);
		} else if (call.at >= this.changedAt) {
			this.measure(call, now);
		}
	}

	/**
	 * Measures a call that began at the present limit. Small steps are judged once the limit has had
	 * time to work; doubling shows at once.
	 */
	private measure(call: CallStart, now: number): void {
		this.measuredFrom ??= now;
		if (!this.isDoubling && call.at < this.measuredFrom) return;
		const time = now - call.at;
		this.count += 1;
		this.sum += time;
		this.squares += time * time;
		const least = this.isDoubling ? FIRST_CALLS : MIN_CALLS;
		if (this.count < Math.max(least, this.allowed)) return;
		const meanMs = this.sum / this.count;
		const variance = Math.max(0, this.squares / this.count - meanMs ** 2);
		const error = Math.sqrt(variance / this.count) / meanMs;
		if (this.count < MAX_CALLS && error * STANDARD_ERRORS > this.change()) return;
		this.decide({ limit: this.allowed, meanMs }, now);
	}

	/** The relative change of the limit that a measurement serves to judge. */
	private change(): number {
		if (this.before === undefined) return Math.log(this.step());
		return Math.abs(Math.log(this.allowed / this.before.limit));
	}

	private step(): number {
		return this.isDoubling ? FIRST_STEP : STEP_UP;
	}

	/** Keeps or takes back the limit that was measured, and tries another one if it is time. */
	private decide(seen: Measured, now: number): void {
		const { before } = this;
		this.shortestSoFarMs = Math.min(this.shortestSoFarMs * FORGET_SLOWLY, seen.meanMs);
		if (before !== undefined && !pays(before, seen)) {
			this.takeBack(before, seen, now);
			return;
		}
		const isRaised = before !== undefined && seen.limit > before.limit;
		if (before === undefined) {
			this.rests -= 1;
			if (!this.isDoubling) {
				this.shortestMs = Math.min(this.shortestMs * FORGET, seen.meanMs);
			}
		} else {
			this.failures = 0;
			this.restLength = 1;
			this.rests = 1;
		}
		const isQueued = seen.meanMs > QUEUED * this.shortestSoFarMs;
		const triesHigher = !isQueued && (isRaised || this.rests <= 0 || this.isDoubling);
		const next =
			this.lower(seen, before === undefined) ?? (triesHigher ? this.higher(seen) : seen.limit);
		this.move(next, next === seen.limit ? undefined : seen, now);
	}

	private takeBack(before: Measured, seen: Measured, now: number): void {
		if (seen.limit < before.limit) {
			// The service itself has become slower.
			this.shortestMs = before.meanMs;
		} else {
			this.failures += 1;
			// One failure while doubling may be chance.
			this.isDoubling &&= this.failures < 2;
			this.triesLower = !this.isDoubling;
		}
		this.rest();
		this.move(before.limit, undefined, now);
	}

	/** Returns the lower limit to try; `undefined` if there is no reason to. */
	private lower({ limit, meanMs }: Measured, isRest: boolean): number | undefined {
		const isBlind = isRest && this.triesLower;
		this.triesLower = false;
		if (limit === 1 || !(isBlind || meanMs > SLOW * this.shortestMs)) return undefined;
		const without = isBlind ? STEP_DOWN : (1.1 * this.shortestMs) / meanMs;
		return Math.max(1, Math.floor(limit * Math.max(MAX_CUT, Math.min(STEP_DOWN, without))));
	}

	/** Returns the higher limit to try; the same limit if there is none. */
	private higher({ limit }: Measured): number {
		const below = this.ceiling - 1;
		const middle = Number.isFinite(below) ? Math.ceil((limit + below) / 2) : MAX_LIMIT;
		const stepped = Math.max(limit + 1, Math.round(limit * this.step()));
		return Math.max(limit, Math.min(stepped, middle, below, MAX_LIMIT));
	}

	private refused(call: CallStart, now: number): number {
		// A call that began before the limit fell tells nothing about the lower limit. No other call
		// takes its place until one is answered.
		if (call.at < this.fellAt) {
			this.allowed = Math.max(1, this.allowed - 1);
			return 0;
		}
		// If no calls were answered since, the number of calls is not what the service refuses.
		if (this.answers < this.goal && Number.isFinite(this.fellAt)) return PAUSE_MS;
		const inFlight = Math.min(this.allowed, call.inFlight);
		this.isDoubling = false;
		this.ceiling = Math.max(2, inFlight);
		this.held = this.hold;
		this.hold = Math.min(2 * this.hold, MAX_HOLD);
		this.fall(inFlight, now);
		return 0;
	}

	/** Lowers the limit: to that before a trial that exceeded it, otherwise by a part. */
	private fall(inFlight: number, now: number): void {
		const { before } = this;
		const isRaised = before !== undefined && inFlight > before.limit;
		const lower = isRaised ? before.limit : Math.floor(inFlight * FALL);
		this.fellAt = now;
		this.answers = 0;
		this.lost = 0;
		this.rest();
		this.move(Math.max(1, Math.min(lower, inFlight - 1)), undefined, now);
	}

	/** Makes the time until the next trial longer. */
	private rest(): void {
		this.restLength = Math.min(MAX_RESTS, 2 * this.restLength);
		this.rests = this.restLength;
	}

	private move(limit: number, before: Measured | undefined, now: number): void {
		this.before = before;
		this.goal = limit;
		this.allowed = Math.min(this.allowed, limit);
		this.remeasure(now);
	}

	private remeasure(now: number): void {
		this.changedAt = now;
		this.measuredFrom = undefined;
		this.count = 0;
		this.sum = 0;
		this.squares = 0;
	}
}

/** Whether a change of the limit is worth keeping. */
function pays(before: Measured, after: Measured): boolean {
	const factor = after.limit / before.limit;
	const throughput = (factor * before.meanMs) / after.meanMs;
	const share = factor > 1 ? WORTH_UP : WORTH_DOWN;
	return throughput >= 1 + (factor - 1) * share;
}
