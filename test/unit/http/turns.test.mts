import { turnToRead } from '../../../nodes/shared/http/turns.ts';

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
