import { setImmediate as tick } from 'node:timers/promises';
import { Turns } from '../../../nodes/shared/http/turns.ts';
import { isCollectedAfter } from '../../support/garbage.mts';

it('work is done one after the other, also after a failure', async () => {
	const turns = new Turns();
	const order: string[] = [];
	const work = (name: string, fails = false) =>
		async function () {
			order.push(`${name} begins`);
			await tick();
			order.push(`${name} ends`);
			if (fails) throw new Error('no network');
			return name;
		};
	const done = await Promise.allSettled([
		turns.do(work('anna', true)),
		turns.do(work('bert')),
		turns.do(work('chris')),
	]);
	const ends = order.map((_, index) => (index % 2 === 0 ? 'begins' : 'ends'));
	const names = ['anna', 'anna', 'bert', 'bert', 'chris', 'chris'];
	expect(order).toEqual(names.map((name, index) => `${name} ${ends[index]}`));
	expect(done).toMatchObject([{ status: 'rejected' }, { value: 'bert' }, { value: 'chris' }]);
});

it('what the work brings is forgotten when it ends', async () => {
	const turns = new Turns();
	const isForgotten = isCollectedAfter(async () => {
		const brought = {};
		await turns.do(async () => await Promise.resolve(brought));
		return [brought];
	});
	expect(await isForgotten).toBe(true);
});
