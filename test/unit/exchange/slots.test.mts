import type { IExecuteFunctions } from 'n8n-workflow';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { CallEnd } from '../../../nodes/shared/exchange/adaptiveLimit.ts';
import { slotsOf } from '../../../nodes/shared/exchange/slots.ts';
import { contextOf } from '../../support/host.mts';

let credentials = 0;

/** A context with a credential that no other test has. */
const newContext = () => contextOf(`own ${(credentials += 1)}`);

/** Asks for so many places; returns the numbers of those that were given, in that order. */
function ask(context: IExecuteFunctions, count: number): number[] {
	const given: number[] = [];
	for (let number = 0; number < count; number += 1) {
		void slotsOf(context)
			.take(undefined)
			.then(() => given.push(number));
	}
	return given;
}

/** Ends a call; returns how long to send nothing. */
const end = (context: IExecuteFunctions, how: CallEnd) =>
	slotsOf(context).end(how, performance.now());

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('four calls have a place at first; the others get theirs in the order of their asking', async () => {
	const context = newContext();
	const given = ask(context, 8);
	await settled();
	expect(given).toEqual([0, 1, 2, 3]);
	for (const expected of [5, 6, 7, 8]) {
		end(context, 'ignored');
		await settled();
		expect(given).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(0, expected));
	}
});

it('a throttled call takes places away, and a second one asks for a pause', async () => {
	const context = newContext();
	const given = ask(context, 10);
	await settled();
	expect(end(context, 'throttled')).toBe(0);
	for (let call = 0; call < 3; call += 1) end(context, 'ignored');
	await settled();
	expect(given).toHaveLength(6);
	expect(end(context, 'dropped')).toBe(1000);
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
		ask(contextOf(credential), 4);
		await settled();
		const cancel = new AbortController();
		const context = contextOf(credential);
		const waiting = slotsOf(context).take(cancel.signal);
		const next = ask(contextOf(credential), 1);
		return { context, cancel, waiting, next };
	}

	it('takes no place', async () => {
		const { context, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		expect(next).toHaveLength(0);
		end(context, 'ignored');
		await settled();
		expect(next).toHaveLength(1);
	});

	it('passes on a place that it gets at the same moment', async () => {
		const { context, cancel, waiting, next } = await waitInLine();
		cancel.abort();
		end(context, 'ignored');
		await expect(waiting).rejects.toBeInstanceOf(CancelledError);
		await settled();
		expect(next).toHaveLength(1);
	});
});
