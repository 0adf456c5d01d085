import { figureOf, ratioOf, takeTurns } from '../../../bench/measure.mts';

it('a figure is the median of the samples in any order, with the smallest and the largest', () => {
	expect(figureOf([10, 1, 100, 1000])).toEqual({ min: 1, median: 55, max: 1000 });
	expect(figureOf([5, 1, 4, 2, 3])).toEqual({ min: 1, median: 3, max: 5 });
});

it.each([[[]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY]]])(
	'a figure is not made of %p',
	(samples) => {
		expect(() => figureOf(samples)).toThrow(/^No figure of/);
	},
);

it('a ratio is the median of the ratios, round by round', () => {
	// Twice as long in every round, on a machine that becomes slower and slower.
	expect(ratioOf([2, 20, 200], [1, 10, 100])).toMatchObject({ median: 2, min: 2, max: 2 });
	expect(ratioOf([1, 20, 300], [1, 10, 100])).toMatchObject({ median: 2 });
	expect(() => ratioOf([1, 2], [1])).toThrow(/same rounds/);
});

it('contenders take turns, each round in another order', async () => {
	const order: string[] = [];
	const contender = (name: string) => async () => await Promise.resolve(order.push(name));
	const samples = await takeTurns({ a: contender('a'), b: contender('b'), c: contender('c') }, 4);
	expect(order.join('')).toBe('abcbcacababc');
	expect(samples).toEqual({ a: [1, 6, 8, 10], b: [2, 4, 9, 11], c: [3, 5, 7, 12] });
});
