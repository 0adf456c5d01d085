import { figureOf, ratioOf, takeTurns } from '../../../bench/measure.mts';

describe('a figure', () => {
	it('is the median of the samples in any order, with its quartiles', () => {
		const summaryOf = (...samples: number[]) => {
			const { least, low, median, high, most, runs } = figureOf(samples);
			return [[least, low, median, high, most], runs];
		};
		expect(summaryOf(5, 1, 4, 2, 3)).toEqual([[1, 2, 3, 4, 5], 5]);
		expect(summaryOf(10, 1, 100, 1000)).toEqual([[1, 7.75, 55, 325, 1000], 4]);
		expect(summaryOf(7)).toEqual([[7, 7, 7, 7, 7], 1]);
	});

	it.each([[[]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY]]])(
		'is not made of %j',
		(samples) => {
			expect(() => figureOf(samples)).toThrow(/^No figure of/);
		},
	);

	it('of a comparison is the median of the ratios, round by round', () => {
		// Twice as long in every round, on a machine that becomes slower and slower.
		expect(ratioOf([2, 20, 200], [1, 10, 100])).toMatchObject({ median: 2, low: 2, high: 2 });
		expect(ratioOf([1, 20, 300], [1, 10, 100])).toMatchObject({ median: 2 });
		expect(() => ratioOf([1, 2], [1])).toThrow(/same rounds/);
	});
});

describe('contenders', () => {
	it('take turns, each round in another order', async () => {
		const order: string[] = [];
		const contender = (name: string) => async () => {
			order.push(name);
			return await Promise.resolve(order.length);
		};
		const samples = await takeTurns({ a: contender('a'), b: contender('b'), c: contender('c') }, 4);
		expect(order.join('')).toBe('abcbcacababc');
		expect(samples).toEqual({ a: [1, 6, 8, 10], b: [2, 4, 9, 11], c: [3, 5, 7, 12] });
	});
});
