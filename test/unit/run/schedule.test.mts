import fc from 'fast-check';
import { schedule } from '../../../nodes/shared/run/calls.ts';

// Turns of the event loop would change who comes first.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const tick = (turns: number) =>
	Array.from({ length: turns }).reduce<Promise<void>>((before) => before.then(), Promise.resolve());

/** A piece of work: its key, the turns it takes, and whether its preparation or its run fails. */
interface Piece {
	readonly key?: string;
	readonly turns?: number;
	readonly fails?: boolean;
	readonly isInvalid?: boolean;
}

/** Runs pieces, and records what happened when. */
async function play(pieces: readonly Piece[], concurrency: number, stops = true) {
	const running = new Set<string>();
	const started: number[] = [];
	const prepared: number[] = [];
	let ahead = 0;
	let inFlight = 0;
	let most = 0;
	const outcomes = await schedule({
		count: pieces.length,
		concurrency,
		writesInOrder: false,
		stopsAt: () => stops,
		prepare(index) {
			const {
				key = `own ${index}`,
				turns = 1,
				fails = false,
				isInvalid = false,
			} = pieces[index] ?? {};
			prepared.push(index);
			ahead = Math.max(ahead, prepared.length - started.length);
			if (isInvalid) throw new Error(`prepare ${index}`);
			return {
				key,
				async run() {
					expect(running.has(key)).toBe(false);
					running.add(key);
					started.push(index);
					inFlight += 1;
					most = Math.max(most, inFlight);
					await tick(turns);
					inFlight -= 1;
					running.delete(key);
					if (fails) throw new Error(`run ${index}`);
					return index;
				},
			};
		},
	});
	return { outcomes, started, most, prepared, ahead };
}

const piece = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), turns: fc.nat(6) });
const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);
const ofA = (count: number, turns = 1): Piece[] => upTo(count).map(() => ({ key: 'a', turns }));
const failed = (message: string) => ({ status: 'failed', error: new Error(message) });

it('every piece runs once, in order for each key, and no more at once than allowed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(piece, { maxLength: 40 }),
			fc.integer({ min: 1, max: 8 }),
			async (pieces, concurrency) => {
				const { outcomes, started, most } = await play(pieces, concurrency);
				expect(outcomes).toEqual(pieces.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(concurrency);
				for (const key of new Set(pieces.map((p) => p.key))) {
					const order = started.filter((index) => pieces[index]?.key === key);
					expect(order).toEqual([...order].sort((a, b) => a - b));
				}
			},
		),
	);
});

it('one at a time, pieces run in input order, whatever their keys', async () => {
	const pieces = ['a', 'a', 'b', 'a', 'c', 'b'].map((key) => ({ key, turns: 3 }));
	expect((await play(pieces, 1)).started).toEqual([0, 1, 2, 3, 4, 5]);
});

it('a failure that stops lets running pieces end, and starts no others', async () => {
	const pieces = [{ key: 'a', fails: true }, { key: 'b', turns: 9 }, { key: 'a' }, { key: 'c' }];
	const { outcomes, started, prepared } = await play(pieces, 2);
	expect([...started, ...prepared]).toEqual([0, 1, 0, 1]);
	expect(outcomes).toEqual([failed('run 0'), 1, undefined, undefined]);
});

it('a failure that does not stop, in a run or a preparation, lets all others run', async () => {
	const pieces = ofA(4).map((each, i) => ({ ...each, isInvalid: i === 1, fails: i === 2 }));
	const { outcomes } = await play(pieces, 2, false);
	expect(outcomes).toEqual([0, failed('prepare 1'), failed('run 2'), 3]);
});

describe('a piece that cannot be prepared', () => {
	it('stops the run at its place: all earlier pieces run, and no later ones', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(piece, { minLength: 1, maxLength: 100 }),
				fc.nat(99),
				fc.integer({ min: 1, max: 8 }),
				async (pieces, place, concurrency) => {
					const at = place % pieces.length;
					const { outcomes, started, prepared } = await play(
						pieces.map((each, index) => ({ ...each, isInvalid: index === at })),
						concurrency,
					);
					expect([...started].sort((a, b) => a - b)).toEqual(upTo(at));
					expect(prepared).toEqual(upTo(at + 1));
					expect(outcomes).toEqual([
						...upTo(at),
						failed(`prepare ${at}`),
						...pieces.slice(at + 1).map(() => undefined),
					]);
				},
			),
		);
	});

	it('does not keep an earlier failure from stopping the pieces before it', async () => {
		const pieces = [
			{ key: 'a', turns: 9, fails: true },
			{ key: 'a' },
			{ key: 'b', isInvalid: true },
		];
		const { outcomes, started } = await play(pieces, 2);
		expect(started).toEqual([0]);
		expect(outcomes).toEqual([failed('run 0'), undefined, failed('prepare 2')]);
	});
});

it.each([2, 5])(
	'of the pieces that wait for a busy key, ten times the concurrency (%d) are prepared, no more',
	async (concurrency) => {
		expect((await play(ofA(200, 3), concurrency)).ahead).toBe(10 * concurrency);
	},
);
