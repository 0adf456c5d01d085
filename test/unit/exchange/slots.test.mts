import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { CallEnd } from '../../../nodes/shared/exchange/adaptiveLimit.ts';
import { Slots } from '../../../nodes/shared/exchange/slots.ts';

/** Asks for so many places; returns the numbers of those that were given, in that order. */
function ask(slots: Slots, count: number): number[] {
	const given: number[] = [];
	for (let number = 0; number < count; number += 1) {
		void slots.take(undefined).then(() => given.push(number));
	}
	return given;
}

/** Ends a call; returns how long to send nothing. */
const end = (slots: Slots, how: CallEnd) => slots.end(how, performance.now());

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('four calls have a place at first; the others get theirs in the order of their asking', async () => {
	const slots = new Slots();
	const given = ask(slots, 8);
	await settled();
	expect(given).toEqual([0, 1, 2, 3]);
	for (const expected of [5, 6, 7, 8]) {
		end(slots, 'ignored');
		await settled();
		expect(given).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(0, expected));
	}
});

it('a throttled call takes places away, and a second one asks for a pause', async () => {
	const slots = new Slots();
	const given = ask(slots, 10);
	await settled();
	expect(end(slots, 'throttled')).toBe(0);
	for (let call = 0; call < 3; call += 1) end(slots, 'ignored');
	await settled();
	expect(given).toHaveLength(6);
	expect(end(slots, 'dropped')).toBe(1000);
});

it('credentials have places of their own', async () => {
	ask(new Slots(), 4);
	const others = ask(new Slots(), 4);
	await settled();
	expect(others).toHaveLength(4);
});

describe('a run that is cancelled while it waits', () => {
	/** A run that waits behind four calls, and before another one. */
	async function waitInLine() {
		const slots = new Slots();
		ask(slots, 4);
		await settled();
		const cancel = new AbortController();
		const waiting = slots.take(cancel.signal);
		const next = ask(slots, 1);
		return { slots, cancel, waiting, next };
	}

	it('takes no place', async () => {
		const { slots, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		expect(next).toHaveLength(0);
		end(slots, 'ignored');
		await settled();
		expect(next).toHaveLength(1);
	});

	it('passes on a place that it gets at the same moment', async () => {
		const { slots, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		end(slots, 'ignored');
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		await settled();
		expect(next).toHaveLength(1);
	});
});
