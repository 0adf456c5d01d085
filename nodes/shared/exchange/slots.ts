import { AdaptiveLimit, type CallEnd, type CallStart } from './adaptiveLimit';
import { BoundedMap } from '../http/boundedMap';
import { credentialIdOf } from '../credential/connection';
import type { TransportContext } from '../host/context';
import { untilCancelled } from '../http/deadline';

/** A place for one call, until the call is over. */
export interface Slot {
	/**
	 * Records that the request is sent now.
	 *
	 * @param isDelayed whether the call waited for a pause or for Requests per Second: the number of
	 * places is not what limits the calls then
	 */
	begin(isDelayed: boolean): void;
	/**
	 * Records how the call ended, and gives the place to the next call.
	 *
	 * @returns how long no call should be sent, in milliseconds; usually 0
	 */
	end(how: CallEnd): number;
}

/** The places for the calls of one credential in this process: as many as the service bears. */
class Slots {
	private readonly limit = new AdaptiveLimit();
	private readonly waiting: Array<() => void> = [];
	private taken = 0;

	/**
	 * Waits for a place; calls get theirs in the order in which they ask. The place must be given
	 * back by `end`.
	 *
	 * @throws {CancelledError} if the user cancels the run meanwhile
	 */
	async take(context: TransportContext): Promise<Slot> {
		if (this.taken < this.limit.limit && this.waiting.length === 0) this.taken += 1;
		else await this.wait(context);
		return this.slot();
	}

	private async wait(context: TransportContext): Promise<void> {
		let give = (): void => undefined;
		const given = new Promise<void>((resolve) => (give = resolve));
		this.waiting.push(give);
		let isCancelled = true;
		try {
			await untilCancelled(context, given);
			isCancelled = false;
		} finally {
			if (isCancelled) this.leave(give);
		}
	}

	/** Gives up waiting, and the place if it was given at the same time. */
	private leave(give: () => void): void {
		const place = this.waiting.indexOf(give);
		if (place === -1) this.giveBack();
		else this.waiting.splice(place, 1);
	}

	private slot(): Slot {
		let start: CallStart | undefined;
		let isDelayed = false;
		return {
			begin: (waited) => {
				isDelayed = waited;
				start = this.limit.begin(performance.now());
			},
			end: (how) => {
				const isUsedUp = this.waiting.length > 0 && !isDelayed;
				const pauseMs =
					start === undefined ? 0 : this.limit.end(start, performance.now(), how, isUsedUp);
				this.giveBack();
				return pauseMs;
			},
		};
	}

	private giveBack(): void {
		this.taken -= 1;
		while (this.taken < this.limit.limit) {
			const give = this.waiting.shift();
			if (give === undefined) return;
			this.taken += 1;
			give();
		}
	}
}

const slots = new BoundedMap<string, Slots>(1000);

/** Returns the places for the calls of the credential that the context's node uses. */
export function slotsOf(context: TransportContext): Slots {
	return slots.getOrCreate(credentialIdOf(context), () => new Slots());
}
