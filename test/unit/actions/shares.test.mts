/** The shares of an employee's cost centers, which are to add up to 100. */
import { costCenterRules, shareNotices } from '../../../nodes/shared/actions/costCenters/update.ts';
import { validated } from '../../../nodes/shared/values/InputError.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { itemWith } from '../../support/items.mts';

const rows = (...values: unknown[]) => values.map((Percentage) => ({ Percentage }));

it.each<[string, Values[], string]>([
	[
		'more digits than a number has',
		rows('33.333333333333333333333', '66.666666666666666666667'),
		'',
	],
	['every notation of a decimal', rows(' +50. ', '.5', '0049.500', -0), ''],
	['a negative share', rows(150, -50), ''],
	['a number that JavaScript writes with an exponent', rows(1e-7, '99.9999999'), ''],
	['a missing share', [{ Percentage: 60 }, {}], ''],
	['a share that is null', rows(60, null), ''],
	['too much', rows(0.1, 0.2, 99.8), '100.1'],
	['nothing', rows(0, '0.00'), '0'],
	['less than nothing', rows('-0.25', '-0.50'), '-0.75'],
	['less than one', rows('.05'), '0.05'],
])('a sum other than 100 is reported: %s', (_, all, sum) => {
	const list = [`Employee ID 1001 (${sum})`];
	expect(shareNotices(all, 'Employee ID 1001')).toEqual(
		sum ? [{ kind: 'unusual', text: 'Percentage does not add up to 100', list }] : [],
	);
});

const code = (Code: string, Percentage?: unknown) => ({ CostCenter: { Code }, Percentage });
const coded = (...shares: unknown[]) => shares.map((share, i) => code(`420${i}`, share));
const ANYWAY = "anyway, turn off 'Total Must Be 100 %'.";

it.each<[string, Values[], Values[], string]>([
	['100 but for the noise of a float', coded(100 / 3, 100 / 3, 100 / 3), [], ''],
	['not known, since a share is missing', [code('4100', 60), code('4200')], [], ''],
	['all for one', [code('4100', 0), code('4200', 100)], [], ''],
	[
		'over 100, also beside one without a share',
		[code('4100', 100), code('4200'), code('4300', 9)],
		[],
		`: the percentages add up to 109 (4100: 100, 4200 and 4300: 9), not to 100: 9 is too much. To write them ${ANYWAY}`,
	],
	[
		'over 100, of rows with a code or an Id alone',
		[code('4100', 100), { Id: 5, Percentage: 70 }],
		[{ Id: 5, Percentage: 0 }],
		`: the percentages add up to 170 (Record ID 5: 70 and 4100: 100), not to 100: 70 is too much. To write them ${ANYWAY}`,
	],
	[
		'less than 100, beside a cost center that is kept',
		coded('90.99'),
		[code('4500', 9)],
		`: the percentages add up to 99.99 (4500: 9 and 4200: 90.99), not to 100: 0.01 is missing. To write them ${ANYWAY}`,
	],
	[
		'100, of shares below 0 and over 100',
		[code('4100', 150), code('4200', -50)],
		[],
		`: not a percentage from 0 to 100: 4100: 150 and 4200: -50. To write it ${ANYWAY}`,
	],
	[
		'100, and a cost center is kept',
		coded(100),
		[code('4500', 33.33), code('4600', 0)],
		": the percentages add up to 133.33 (4500: 33.33, 4600: 0 and 4200: 100), not to 100: 33.33 is too much. Turn off 'Keep Other Cost Centers' to remove 4500, which is not in your rows, or give it 0 to end it.",
	],
	[
		'too much alone, and one is kept',
		coded(120),
		[code('4500', 37.5)],
		": the percentages add up to 157.5 (4500: 37.5 and 4200: 120), not to 100: 57.5 is too much. Your rows alone add up to 120. Make it 62.5 beside 4500, which is kept, or make it 100 and turn off 'Keep Other Cost Centers'.",
	],
	[
		'of fractions',
		coded(0.25, '.75'),
		[],
		': the percentages add up to 1 (4200: 0.25 and 4201: 0.75), not to 100: 99 is missing. These look like fractions: enter 50 for 50 %.',
	],
])('a total that must be 100: %s', (_, given, others, text) => {
	const request = { CostCenteren: given };
	const options = { keepOthers: true, totalMustBe100: true, dryRun: false };
	const asked = { request, options, whom: '', item: itemWith(() => ''), broken: [] };
	const { problems } = validated(() => costCenterRules.plan(asked, others));
	expect(problems.map((problem) => problem.text)).toEqual(text ? [text] : []);
});
