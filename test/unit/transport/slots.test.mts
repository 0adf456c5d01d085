import type { IExecuteFunctions } from 'n8n-workflow';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { slotsOf, type Slot } from '../../../nodes/shared/exchange/slots.ts';
import { contextOf } from '../../support/host.mts';

let credentials = 0;

/** A context with a credential that no other test has. */
const newContext = () => contextOf(`own ${(credentials += 1)}`);

/** Asks for so many places; the list is of those that were given, in the order in which they were. */
function ask(context: IExecuteFunctions, count: number): Array<{ number: number; slot: Slot }> {
	const given: Array<{ number: number; slot: Slot }> = [];
	for (let number = 0; number < count; number += 1) {
		void slotsOf(context)
			.take(context)
			.then((slot) => given.push({ number, slot }));
	}
	return given;
}

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('four calls have a place at first; the others get theirs in the order of their asking', async () => {
	const given = ask(newContext(), 8);
	await settled();
	expect(given.map(({ number }) => number)).toEqual([0, 1, 2, 3]);
	for (const expected of [5, 6, 7, 8]) {
		given.at(-1)?.slot.end('failed');
		await settled();
		expect(given.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(0, expected));
	}
});

it('answers bring more places', async () => {
	const given = ask(newContext(), 400);
	for (let index = 0; index < 300; index += 1) {
		await settled();
		given[index]?.slot.begin(false);
		given[index]?.slot.end('answered');
	}
	await settled();
	expect(given.length).toBeGreaterThan(304);
});

it('calls that wait for a pause or for Requests per Second do not', async () => {
	const given = ask(newContext(), 400);
	for (let index = 0; index < 300; index += 1) {
		await settled();
		given[index]?.slot.begin(true);
		given[index]?.slot.end('answered');
	}
	await settled();
	expect(given).toHaveLength(304);
});

it('a refused call takes places away, and a second one asks for a pause', async () => {
	const given = ask(newContext(), 10);
	await settled();
	for (const { slot } of given) slot.begin(false);
	expect(given[3]?.slot.end('refused')).toBe(0);
	for (const { slot } of given.slice(0, 3)) expect(slot.end('failed')).toBe(0);
	await settled();
	expect(given).toHaveLength(6);
	given[4]?.slot.begin(false);
	expect(given[4]?.slot.end('refused')).toBe(1000);
});

it('credentials have places of their own', async () => {
	ask(newContext(), 4);
	const others = ask(newContext(), 4);
	await settled();
	expect(others).toHaveLength(4);
});

describe('a run that is cancelled while it waits', () => {
	/** A run that waits behind four calls, and before another one. */
	async function waitInLine() {
		const credential = `cancelled ${(credentials += 1)}`;
		const first = ask(contextOf(credential), 4);
		await settled();
		const cancel = new AbortController();
		const context = contextOf(credential, cancel.signal);
		const waiting = slotsOf(context).take(context);
		const next = ask(contextOf(credential), 1);
		return { first, cancel, waiting, next };
	}

	it('takes no place', async () => {
		const { first, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		expect(next).toHaveLength(0);
		first[0]?.slot.end('failed');
		await settled();
		expect(next).toHaveLength(1);
	});

	it('passes on a place that it gets at the same moment', async () => {
		const { first, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		first[0]?.slot.end('failed');
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		await settled();
		expect(next).toHaveLength(1);
	});
});
