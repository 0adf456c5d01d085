import { setImmediate as tick } from 'node:timers/promises';
import { BoundedMap } from '../../../nodes/shared/http/boundedMap.ts';
import { Spending } from '../../../nodes/shared/session/spending.ts';
import { isCollectedAfter } from '../../support/garbage.mts';

let spending: Spending;
beforeEach(() => (spending = new Spending()));

/** What spending a refresh token gives. */
const brings = (accessToken: string, isReplaced = true) => ({ accessToken, isReplaced });

describe('a refresh token', () => {
	it('is spent once for simultaneous callers', async () => {
		let spendings = 0;
		const spend = async () => {
			spendings += 1;
			await tick();
			return brings('second');
		};
		const all = Array.from({ length: 3 }, async () => await spending.once('id', 'first', spend));
		expect(await Promise.all(all)).toEqual(['second', 'second', 'second']);
		expect(spendings).toBe(1);
	});

	it('is not spent again later, unless it was not replaced', async () => {
		const spend = async () => await Promise.resolve(brings('a'));
		await spending.once('id', 'first', spend);
		await expect(spending.once('id', 'first', spend)).rejects.toThrow(
			'The credential needs to be reconnected',
		);
		const keep = async () => await Promise.resolve(brings('b', false));
		expect(await spending.once('id', 'kept', keep)).toBe('b');
		expect(await spending.once('id', 'kept', keep)).toBe('b');
	});

	it('may be spent once for each credential and app', async () => {
		const spend = async () => await Promise.resolve(brings('a'));
		for (const [credential, client] of [
			[spending, 'id'],
			[spending, 'other'],
			[new Spending(), 'id'],
		] as const) {
			expect(await credential.once(client, 'first', spend)).toBe('a');
		}
	});

	it('is tried again after a failure', async () => {
		const fail = async () => await Promise.reject(new Error('no network'));
		const spend = async () => await Promise.resolve(brings('a'));
		await expect(spending.once('id', 'first', fail)).rejects.toThrow('no network');
		expect(await spending.once('id', 'first', spend)).toBe('a');
	});
});

it('the accounts of a credential are renewed one at a time, also after a failure', async () => {
	const order: string[] = [];
	const spend = (name: string, fails = false) =>
		async function () {
			order.push(`${name} begins`);
			await tick();
			order.push(`${name} ends`);
			if (fails) throw new Error('no network');
			return brings(name);
		};
	await Promise.allSettled([
		spending.once('id', 'anna', spend('anna', true)),
		spending.once('id', 'bert', spend('bert')),
	]);
	expect(order).toEqual(['anna begins', 'anna ends', 'bert begins', 'bert ends']);
});

it('what a renewal brings is forgotten when it ends', async () => {
	const isForgotten = isCollectedAfter(async () => {
		const brought = brings('second');
		await spending.once('id', 'first', async () => await Promise.resolve(brought));
		return [brought];
	});
	expect(await isForgotten).toBe(true);
});

it('a bounded map drops the least recently used entry', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1);
	map.set('b', 2);
	expect(map.get('a')).toBe(1);
	map.set('c', 3);
	expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
	expect(map.getOrCreate('c', () => 4)).toBe(3);
	expect(map.getOrCreate('d', () => 4)).toBe(4);
	expect(map.get('a')).toBeUndefined();
	map.delete('d');
	expect(map.get('d')).toBeUndefined();
});
