import fc from 'fast-check';
import { schedule } from '../../../nodes/shared/run/schedule.ts';

const tick = (turns: number) =>
	Array.from({ length: turns }).reduce<Promise<void>>((before) => before.then(), Promise.resolve());

interface PieceOfTest {
	readonly key: string;
	readonly turns: number;
	readonly fails: boolean;
	readonly isInvalid?: boolean;
}

/** Runs pieces that take the given numbers of turns, and records what happened when. */
async function play(pieces: readonly PieceOfTest[], concurrency: number, stops: boolean) {
	const running = new Map<string, number>();
	const started: number[] = [];
	const prepared: number[] = [];
	let ahead = 0;
	let inFlight = 0;
	let most = 0;
	const outcomes = await schedule({
		count: pieces.length,
		concurrency,
		stopsAt: () => stops,
		prepare(index) {
			const { key = '', turns = 0, fails = false, isInvalid = false } = pieces[index] ?? {};
			prepared.push(index);
			ahead = Math.max(ahead, prepared.length - started.length);
			if (isInvalid) throw new Error(`prepare ${index}`);
			return {
				key,
				async run() {
					expect(running.has(key)).toBe(false);
					running.set(key, index);
					started.push(index);
					inFlight += 1;
					most = Math.max(most, inFlight);
					await tick(turns);
					inFlight -= 1;
					running.delete(key);
					if (fails) throw new Error(String(index));
					return index;
				},
			};
		},
	});
	return { outcomes, started, most, prepared, ahead };
}

const piece = fc.record({
	key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
	turns: fc.nat(6),
	fails: fc.constant(false),
});

it('runs every piece once, in order for each key, never more at once than allowed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(piece, { maxLength: 40 }),
			fc.integer({ min: 1, max: 8 }),
			async (pieces, concurrency) => {
				const { outcomes, started, most } = await play(pieces, concurrency, true);
				expect(outcomes).toEqual(pieces.map((_, value) => ({ ok: true, value })));
				expect(most).toBeLessThanOrEqual(concurrency);
				for (const key of new Set(pieces.map((p) => p.key))) {
					const order = started.filter((index) => pieces[index]?.key === key);
					expect(order).toEqual([...order].sort((a, b) => a - b));
				}
			},
		),
	);
});

it('one at a time means: in input order, whatever the keys', async () => {
	const pieces = ['a', 'a', 'b', 'a', 'c', 'b'].map((key) => ({ key, turns: 3, fails: false }));
	expect((await play(pieces, 1, true)).started).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a busy key keeps no place from others', async () => {
	const pieces = [
		{ key: 'a', turns: 20, fails: false },
		{ key: 'a', turns: 1, fails: false },
		{ key: 'b', turns: 1, fails: false },
		{ key: 'c', turns: 1, fails: false },
	];
	expect((await play(pieces, 2, true)).started).toEqual([0, 2, 3, 1]);
});

it('begins nothing after a failure that stops, and lets what was begun end', async () => {
	const pieces = [
		{ key: 'a', turns: 1, fails: true },
		{ key: 'b', turns: 9, fails: false },
		{ key: 'a', turns: 1, fails: false },
		{ key: 'c', turns: 1, fails: false },
	];
	const { outcomes, started } = await play(pieces, 2, true);
	expect(started).toEqual([0, 1]);
	expect(outcomes).toEqual([
		{ ok: false, error: new Error('0') },
		{ ok: true, value: 1 },
		undefined,
		undefined,
	]);
});

it('does not begin a piece that waited for the one that failed', async () => {
	const pieces = [
		{ key: 'a', turns: 30, fails: true },
		{ key: 'a', turns: 1, fails: false },
		{ key: 'b', turns: 1, fails: false },
	];
	const { outcomes, started } = await play(pieces, 2, true);
	expect(started).toEqual([0, 2]);
	expect(outcomes[1]).toBeUndefined();
});

describe('a piece that cannot be prepared', () => {
	const sorted = (indices: readonly number[]) => [...indices].sort((a, b) => a - b);
	const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);

	it('stops at its place: every earlier piece runs and no later one, whatever the concurrency', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(piece, { minLength: 1, maxLength: 100 }),
				fc.nat(99),
				fc.integer({ min: 1, max: 8 }),
				async (pieces, place, concurrency) => {
					const at = place % pieces.length;
					const isInvalid = (_: unknown, index: number) => index === at;
					const { outcomes, started, prepared } = await play(
						pieces.map((each, index) => ({ ...each, isInvalid: isInvalid(each, index) })),
						concurrency,
						true,
					);
					expect(sorted(started)).toEqual(upTo(at));
					expect(prepared).toEqual(upTo(at + 1));
					expect(outcomes).toEqual([
						...upTo(at).map((value) => ({ ok: true, value })),
						{ ok: false, error: new Error(`prepare ${at}`) },
						...pieces.slice(at + 1).map(() => undefined),
					]);
				},
			),
		);
	});

	it.each([1, 2, 50])(
		'at the end of a thousand of one key: 999 run at concurrency %d',
		async (concurrency) => {
			const pieces = upTo(1000).map((i) => ({
				...{ key: 'a', turns: 1, fails: false },
				isInvalid: i === 999,
			}));
			expect((await play(pieces, concurrency, true)).started).toEqual(upTo(999));
		},
	);

	it('lets an earlier failure stop the pieces that wait before it', async () => {
		const { outcomes, started } = await play(
			[
				{ key: 'a', turns: 9, fails: true },
				{ key: 'a', turns: 1, fails: false },
				{ key: 'b', turns: 1, fails: false, isInvalid: true },
			],
			2,
			true,
		);
		expect(started).toEqual([0]);
		expect(outcomes).toEqual([
			{ ok: false, error: new Error('0') },
			undefined,
			{ ok: false, error: new Error('prepare 2') },
		]);
	});
});

describe('of prepared pieces that wait for a busy key', () => {
	const ofA = (count: number) =>
		Array.from({ length: count }, () => ({ key: 'a', turns: 3, fails: false }));

	it.each([2, 5])('there are ten times the concurrency (%d), and no more', async (concurrency) => {
		expect((await play(ofA(200), concurrency, true)).ahead).toBe(10 * concurrency);
	});

	it('so many keep a later piece waiting, and no longer', async () => {
		const b = { key: 'b', turns: 1, fails: false };
		expect((await play([...ofA(21), b], 2, true)).started.slice(0, 3)).toEqual([0, 1, 21]);
		expect((await play([...ofA(20), b], 2, true)).started.slice(0, 3)).toEqual([0, 20, 1]);
	});
});

it('pieces without a key wait for none', async () => {
	let inFlight = 0;
	let most = 0;
	const run = async () => {
		inFlight += 1;
		most = Math.max(most, inFlight);
		await tick(3);
		inFlight -= 1;
	};
	const prepare = () => ({ key: undefined, run });
	await schedule({ count: 30, concurrency: 3, stopsAt: () => true, prepare });
	expect(most).toBe(3);
});

it('goes on after a failure that does not stop, also one of preparing', async () => {
	const outcomes = await schedule({
		count: 4,
		concurrency: 2,
		stopsAt: () => false,
		prepare(index) {
			if (index === 1) throw new Error('prepare');
			return {
				key: 'a',
				run: async () => {
					if (index === 2) throw new Error('run');
					return index;
				},
			};
		},
	});
	expect(outcomes).toEqual([
		{ ok: true, value: 0 },
		{ ok: false, error: new Error('prepare') },
		{ ok: false, error: new Error('run') },
		{ ok: true, value: 3 },
	]);
});

it('works off thousands of pieces of one key', async () => {
	const pieces = Array.from({ length: 20_000 }, () => ({ key: 'a', turns: 0, fails: false }));
	const { started } = await play(pieces, 10, true);
	expect(started).toEqual(pieces.map((_, i) => i));
});
