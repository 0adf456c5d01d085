import {
	checkTotal,
	shareNotices,
	totalInItem,
} from '../../../nodes/shared/actions/costCenters/shares.ts';

const whom = 'Employee ID 1001';
const notices = (all: readonly unknown[]) => shareNotices(all, whom);
const rows = (...values: unknown[]) => values.map((Percentage) => ({ Percentage }));

describe('nothing is reported for shares that add up to their whole:', () => {
	it.each([
		['one', [100]],
		['fractions that a float sum gets wrong', [33.33, 33.33, 33.34]],
		['more digits than a number has', ['33.333333333333333333333', '66.666666666666666666667']],
		['every notation of a decimal', [' +50. ', '.5', '0049.500', -0]],
		['a negative share', [150, -50]],
		['a number that JavaScript writes with an exponent', [1e-7, '99.9999999']],
		['an empty list', []],
	])('%s', (_, values) => {
		expect(notices(rows(...values))).toEqual([]);
	});
});

describe('another sum is reported:', () => {
	it.each([
		['too much', [0.1, 0.2, 99.8], '100.1'],
		['nothing', [0, '0.00'], '0'],
		['less than nothing', ['-0.25', '-0.50'], '-0.75'],
		['less than one', ['.05'], '0.05'],
	])('%s', (_, values, sum) => {
		expect(notices(rows(...values))).toEqual([
			{ isProblem: true, text: 'Percentage does not add up to 100', list: [`${whom} (${sum})`] },
		]);
	});
});

it('nothing is reported where a share is missing', () => {
	expect(notices([{ Percentage: 60 }, {}])).toEqual([]);
	expect(notices(rows(60, null))).toEqual([]);
	expect(notices(rows(60, undefined))).toEqual([]);
	expect(notices([{ Percentage: 60 }, null])).toEqual([]);
});

describe('the total of an item is', () => {
	it.each([
		['a number', [60, '110.0'], 170],
		[
			'a text if a number would not be exact',
			['33.00000000000000000001'],
			'33.00000000000000000001',
		],
		['null if a share is missing', [60, null], null],
	])('%s', (_, values, percentageTotal) => {
		expect(totalInItem(rows(...values))).toEqual({ percentageTotal });
	});
});

describe('a total that must be 100', () => {
	const code = (Code: string, Percentage?: unknown) => ({
		Id: 7,
		CostCenter: { Code },
		Percentage,
	});
	const off = "anyway, turn off 'Total Must Be 100 %'.";
	const check = (given: readonly unknown[], others: readonly unknown[] = []) =>
		checkTotal([...others, ...given], given, others);

	it.each([
		['100', rows('33.33', 33.33, 33.34)],
		['100 but for the noise of a float', rows(100 / 3, 100 / 3, 100 / 3)],
		['not known, since a share is missing', [code('4100', 60), code('4200')]],
	])('is accepted if it is %s', (_, all) => {
		expect(() => check(all)).not.toThrow();
	});

	it('is refused with the shares, named by code or else by Id', () => {
		expect(() => check([code('4100', 100), { Id: 5, Percentage: 70 }])).toThrow(
			`: the percentages add up to 170 (4100: 100 and 5: 70), not to 100: 70 is too much. To write them ${off}`,
		);
		expect(() => check(rows('99.99'))).toThrow(
			'add up to 99.99 (99.99), not to 100: 0.01 is missing.',
		);
	});

	it('is refused if a share is outside of 0 to 100, also if another one is missing', () => {
		const outside = (share: number, wrong: string) => {
			const all = [code('4100', share), code('4200', 100 - share)];
			expect(() => check(all)).toThrow(`: not a percentage from 0 to 100: ${wrong}. `);
		};
		outside(-20, '4100: -20 and 4200: 120');
		expect(() => check([code('4100', 100.01), code('4200')])).toThrow(
			`: not a percentage from 0 to 100: 4100: 100.01. To write it ${off}`,
		);
		expect(() => check(rows('100.00000001', null))).toThrow('not a percentage');
		expect(() => check(rows(0, 100))).not.toThrow();
	});

	it.each<[string, unknown[], unknown[], string]>([
		[
			'a cost center is kept',
			rows(100),
			[code('4500', 33.33)],
			'4500 is not in your rows and is kept: give it 0 to end it.',
		],
		[
			'several are kept, of which one has a share of 0',
			rows(100),
			[code('4500', 1), { Id: 8, Percentage: 2 }, code('4600', 0)],
			'4500 and 8 are not in your rows and are kept: give them 0 to end them.',
		],
		['too little is kept', rows(10), [code('4500', 33.33)], `To write them ${off}`],
		[
			'the given ones add up to 1',
			rows(0.25, '.75'),
			[],
			'These look like fractions: enter 50 for 50 %.',
		],
		[
			'the given ones add up to 1, and another is kept',
			rows(0.25, '.75'),
			[code('4500', 100)],
			'These look like fractions: enter 50 for 50 %. 4500 is not in your rows and is kept: give it 0 to end it.',
		],
	])('is refused with what is probably wrong if %s', (_, given, others, advice) => {
		const message = () => {
			try {
				check(given, others);
			} catch (error) {
				return (error as Error).message;
			}
		};
		expect(message()?.split(/not to 100: \S+ is (?:missing|too much)\. /)[1]).toBe(advice);
	});
});
