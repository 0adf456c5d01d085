import { shareNotices, totalProblems } from '../../../nodes/shared/actions/costCenters/shares.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';

const whom = 'Employee ID 1001';
const notices = (all: readonly Values[]) => shareNotices(all, whom);
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
});

describe('a total that must be 100', () => {
	const code = (Code: string, Percentage?: unknown) => ({
		Id: 7,
		CostCenter: { Code },
		Percentage,
	});
	const off = "anyway, turn off 'Total Must Be 100 %'.";
	const check = (given: readonly Values[], others: readonly Values[] = [], areRows = false) => {
		const problems = totalProblems([...others, ...given], given, others, areRows);
		if (problems.length > 0) throw new InputError(problems);
	};

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

	it('is refused if a share is below 0 or over 100', () => {
		expect(() => check([code('4100', 150), code('4200', -50)])).toThrow(
			': not a percentage from 0 to 100: 4100: 150 and 4200: -50.',
		);
		expect(() => check([code('4100', 0), code('4200', 100)])).not.toThrow();
	});

	it.each<[string, Values[], Values[], string]>([
		[
			'a cost center is kept',
			rows(100),
			[code('4500', 33.33)],
			"Turn off 'Keep Other Cost Centers' to remove 4500, which is not in your rows, or give it 0 to end it.",
		],
		[
			'the given ones are too much alone, beside one that is kept',
			rows(120),
			[code('4500', 37.5)],
			"Your rows alone add up to 120. Make it 62.5 beside 4500, which is kept, or make it 100 and turn off 'Keep Other Cost Centers'.",
		],
		[
			'the given ones are too much alone, beside one that has it all',
			rows(60),
			[code('4500', 100)],
			"Your rows alone add up to 60. Make it 100 and turn off 'Keep Other Cost Centers'.",
		],
		[
			'the given ones add up to 1',
			rows(0.25, '.75'),
			[],
			'These look like fractions: enter 50 for 50 %.',
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
