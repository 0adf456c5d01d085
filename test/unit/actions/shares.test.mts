import { companyAddress, employeeCostCenter } from '../../../nodes/shared/contract/resources.ts';
import { shareNotices } from '../../../nodes/shared/actions/notices.ts';
import { inTime, LONG } from '../../support/long.mts';

const whom = 'Employee ID 1001';
const notices = (all: readonly unknown[]) => shareNotices(employeeCostCenter, all, whom);
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
		[
			'by a digit beyond the precision of a number',
			['100.00000000000000000001'],
			'100.00000000000000000001',
		],
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

it('nothing is reported for a record without shares', () => {
	expect(shareNotices(companyAddress, [{ Id: 1 }], whom)).toEqual([]);
});

it('a number of half a million digits is skipped, without taking long', () => {
	expect(inTime(() => notices(rows('9'.repeat(LONG))))).toEqual([]);
});
