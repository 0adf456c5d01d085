/** The headline example: a sheet is previewed, approved and written in the pages of its form. */
import { newestN8n } from '../../../dev/n8n/install.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { picture } from '../editor/pictures.mts';
import { succeeded, versions } from '../setUp.mts';
import { useFormPages } from './form-pages.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const name = (number: number): string => `Ö.J. de Groot-${number} & Zn.`;
const changes = {
	1001: '4100: 100 → 60 % · 4700: added, 40 %',
	1002: '4300: 37.5 → 27.5 % · 4700: added, 10 %',
	1003: '4500: 33.33 → 0 %, ends · 4700: added, 33.33 %',
	1004: '4600: 37.5 → 12.5 % · 4700: added, 25 %',
};
const others = [
	[name(1005), expect.stringMatching(/^Row 10: the percentages add up to 140 /) as string],
	['A. Jansen', `The employee with this number is ${name(1006)}`],
	['B. de Vries', 'There is no employee with this number'],
];
const numbers = ['5', '6', '77'];

describe.each(versions)('cost centers from a sheet, in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;
	const form = useFormPages(stage, exampleWorkflow('cost-centers-from-a-sheet.json'));

	it('are previewed and written; nobody is stopped by somebody who is unknown', async () => {
		expect(await form().upload('examples/cost-centers.xlsx', [100, 6, 2026])).toEqual([
			...Object.values(changes).map((text, i) => [name(1001 + i), `${i + 1}`, text, '']),
			...others.map(([who, problem], i) => [who, numbers[i], '', problem]),
		]);
		const { page, workflow } = form();
		const docs = version === newestN8n;
		await picture(page, 'preview', [page.locator('#n8n-form')], { docs });
		await form().answer('Yes');
		const results = await form().results();
		expect(results).toEqual([
			...Object.values(changes).map((text, i) => [name(1001 + i), `${i + 1}`, text, 'yes', '']),
			...others.map(([who, why], i) => [who, numbers[i], '', 'no', why]),
		]);
		const ended = succeeded((await stage.api.ended(workflow, 1))[0]);
		expect(ended.items('Results').map((row) => Object.values(row))).toEqual(results);
		expect((await examples.executed()).CostCenter_Update).toBe(4);
	});
});
