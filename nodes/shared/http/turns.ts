import { giveTurn } from '../host/eventLoop';

/** Lets callers take turns, in the order in which they ask. */
export class Turns {
	/** Ends with the last turn that was asked for. */
	private last: Promise<void> = Promise.resolve();

	/** Does work in a turn of its own. */
	async do<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.last.then(work);
		const end = (): void => undefined;
		this.last = turn.then(end, end);
		return await turn;
	}
}

/** An answer of this size is read within a few milliseconds. */
const LARGE = 2 ** 18;

const ofLargeAnswers = new Turns();

/** Lets n8n do other work before a large answer is read: many may arrive at once. */
export async function turnToRead({ length }: Uint8Array): Promise<void> {
	if (length > LARGE) await ofLargeAnswers.do(giveTurn);
}
