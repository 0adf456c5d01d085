import { setImmediate as tick } from 'node:timers/promises';
import { Turns, turnToRead } from '../../../nodes/shared/http/turns.ts';
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

/** Counts the rounds of the event loop. */
function countRounds(): { readonly count: () => number; readonly end: () => void } {
	let rounds = 0;
	let next = setImmediate(function again() {
		rounds += 1;
		next = setImmediate(again);
	});
	return { count: () => rounds, end: () => clearImmediate(next) };
}

/** In which round each of five answers of this size is read that arrive at once. */
async function roundsOf(bytes: number): Promise<number[]> {
	const { count, end } = countRounds();
	const answers = Array.from({ length: 5 }, () => Buffer.alloc(bytes));
	const rounds = answers.map(async (answer) => {
		await turnToRead(answer);
		return count();
	});
	try {
		return await Promise.all(rounds);
	} finally {
		end();
	}
}

it('large answers that arrive at once are read in rounds of the event loop of their own', async () => {
	expect(new Set(await roundsOf(2 ** 19)).size).toBe(5);
});

it('small answers do not wait', async () => {
	expect(await roundsOf(2 ** 18)).toEqual([0, 0, 0, 0, 0]);
});
