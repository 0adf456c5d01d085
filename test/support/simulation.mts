/** Batches of calls by the package's exchange, against simulated services, on a simulated clock. */
import type { RequestHost } from '../../nodes/shared/host/requests.ts';
import { createAccess } from '../../nodes/shared/exchange/exchange.ts';
import { schedule } from '../../nodes/shared/run/schedule.ts';
import { connectionTo, requestTo } from './exchange.mts';

/** A clock that jumps from event to event; nothing really waits. */
export class Clock {
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
export interface Arrival {
	/** In milliseconds. */
	readonly at: number;
	/** How many came before. */
	readonly index: number;
	/** How many are at the service, with this one. */
	readonly inFlight: number;
}

/** How a service answers. */
export interface Service {
	/** How long it works on a call, in milliseconds. */
	readonly duration: number;
	/** Whether it refuses a call at once, by HTTP 503. */
	readonly refuses?: (call: Arrival) => boolean;
}

/** What came of a batch. */
export interface Batch {
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
export interface Setting {
	/** Automatic if there is none. */
	readonly concurrency?: number | undefined;
	readonly requestsPerSecond?: number;
	/** How late each timer is, in milliseconds. */
	readonly late?: number;
}

/** Makes calls as a run of a node does, with a credential of its own. */
export async function makeCalls(
	{ duration, refuses = () => false }: Service,
	calls: number,
	{ concurrency, requestsPerSecond, late = 0 }: Setting = {},
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
	const host = { credentialId, signed: () => ({ send: serve }) } as unknown as RequestHost;
	const limits = { timeoutMs: 60_000, maxBytes: 1000, isAdaptive: concurrency === undefined };
	const connection = connectionTo(url, { requestsPerSecond });
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
		const failed = (await batch).filter((outcome) => outcome?.ok !== true).length;
		return { arrivals, refused, answeredAt, failed };
	} finally {
		setSimulatedClock(undefined);
	}
}
