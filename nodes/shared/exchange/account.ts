/** What all runs with one credential share in this process: its session, and who waits for whom. */
import { CancelledError } from '../errors/ServiceError';
import type { ExchangeResponse } from '../http/answer';
import { BoundedMap } from '../http/boundedMap';
import { askedPause } from '../http/failures';
import { pause, untilCancelled } from '../http/wait';
import { Session } from '../session/session';

/**
 * How a call ended: `refused` by HTTP 429 or 503, or by a lost connection, which a gateway reports with 502 or
 * 504; `aborted` without saying anything about the load of the service.
 */
export type CallEnd = 'aborted' | 'answered' | 'refused';

/**
 * Places for so many at once; one place lets them take turns. The number of those for calls follows AIMD (additive
 * increase, multiplicative decrease, as in TCP): one more after a round without a refusal, half after
 * a refusal. A round is as many answers as there are places. What began before the number was last
 * halved does not count, so that it is halved at most once a round.
 */
export class Places {
	/** Answers in the current round. */
	private answers = 0;
	private halvedAt = Number.NEGATIVE_INFINITY;
	private taken = 0;
	private readonly waiting: Array<() => void> = [];

	/** @param limit number of places at first */
	constructor(
		private limit: number,
		private readonly maximum = limit,
	) {}

	/** Waits for a place, in the order of asking. @throws {CancelledError} if the user cancels the run meanwhile */
	async take(cancel: AbortSignal | undefined): Promise<void> {
		// While there is a place, nobody waits.
		if (this.taken < this.limit) {
			this.taken += 1;
			return;
		}
		let enter = (): void => undefined;
		const entered = new Promise<void>((resolve) => (enter = resolve));
		this.waiting.push(enter);
		await untilCancelled(cancel, entered).catch((error: unknown) => {
			const index = this.waiting.indexOf(enter);
			if (index >= 0) this.waiting.splice(index, 1);
			else this.leave();
			throw error;
		});
	}

	/** Gives a place back; that of a call, which began at this time, on the monotonic clock. */
	leave(end: CallEnd = 'aborted', began = 0): void {
		this.taken -= 1;
		if (end === 'refused' && began >= this.halvedAt) {
			[this.limit, this.answers] = [Math.max(1, Math.floor(this.limit / 2)), 0];
			this.halvedAt = performance.now();
		}
		if (end === 'answered' && began >= this.halvedAt) this.answers += 1;
		if (this.answers >= this.limit) {
			[this.limit, this.answers] = [Math.min(this.maximum, this.limit + 1), 0];
		}
		for (const enter of this.waiting.splice(0, Math.max(0, this.limit - this.taken))) {
			this.taken += 1;
			enter();
		}
	}
}

/** How late a timer may be without making the next call late, too, in milliseconds. */
const TIMER_MS = 10;

/** Lets calls wait for the pause that the service asked for, and be sent no faster than the credential allows. */
class Pace {
	/** End of the last pause that the service asked for, on the monotonic clock. */
	private pausedUntil = 0;

	/** Earliest time for the next request of a rate-limited credential, on the monotonic clock. */
	private next = 0;

	private readonly turns = new Places(1);

	/**
	 * Waits for the turn of a request.
	 *
	 * @param ready what else it waits for: within its turn, since those that wait together would be sent at once
	 * @throws {CancelledError} if the user cancels the run meanwhile
	 */
	async turn(
		cancel: AbortSignal | undefined,
		perSecond: number | undefined,
		ready: () => Promise<void>,
	): Promise<void> {
		const isLimited = perSecond !== undefined;
		// One call after another, so that a cancelled call leaves no gap.
		if (isLimited) await this.turns.take(cancel);
		try {
			const due = isLimited ? Math.max(this.next, performance.now()) : 0;
			// Another answer may extend the pause meanwhile.
			const left = () => Math.max(due, this.pausedUntil) - performance.now();
			while (left() > 0) await pause(cancel, left());
			await ready();
			if (!isLimited) return;
			if (cancel?.aborted) throw new CancelledError();
			this.next = Math.max(due, performance.now() - TIMER_MS) + 1000 / perSecond;
		} finally {
			if (isLimited) this.turns.leave();
		}
	}

	/** Records the pause that an answer asks for, of all calls of the credential. */
	applyRetryAfter(response: ExchangeResponse): void {
		if (![403, 429, 503].includes(response.status)) return;
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + askedPause(response));
	}
}

/** What is known of each employee or company while somebody works on it. */
const known = new Map<string, { users: number; changes: number; turns: Places }>();

/**
 * One change at a time of each employee or company, across the runs of this process: of all credentials, since two may
 * lead to the same service. Who changes one holds no other, and waits for nothing but the service: so nobody waits for ever.
 */
const subjects = {
	/** Begins work on one of them, from reading its records to reading them again. */
	visit(subject: string) {
		const own = known.get(subject) ?? { users: 0, changes: 0, turns: new Places(1) };
		known.set(subject, own);
		own.users += 1;
		let isChanging = false;
		return {
			/** How many changes of it have begun or ended: what was read is up to date if only the own one has since. */
			get changes() {
				return own.changes;
			},
			/** Waits until no other change of it is under way, and begins one. @throws {CancelledError} */
			async change(cancel: AbortSignal | undefined): Promise<void> {
				await own.turns.take(cancel);
				isChanging = true;
				own.changes += 1;
			},
			/** Ends the change and the visit. */
			leave() {
				if (isChanging) {
					own.changes += 1;
					own.turns.leave();
				}
				own.users -= 1;
				if (own.users === 0) known.delete(subject);
			},
		};
	},
};

const newState = () => ({
	pace: new Pace(),
	places: { read: new Places(16, 32), write: new Places(8) },
	session: new Session(),
	subjects,
});

export type CredentialState = ReturnType<typeof newState>;

/** By the id of the credential. The three nodes share this module, and so this map. */
const states = new BoundedMap<string, CredentialState>(1000);

/** Returns what the runs with a credential share, by its id. */
export function credentialStateOf(id: string): CredentialState {
	return states.getOrCreate(id, newState);
}
