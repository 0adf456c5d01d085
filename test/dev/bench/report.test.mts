import { readFile } from 'node:fs/promises';
import { figureOf } from '../../../bench/measure.mts';
import { parts } from '../../../bench/parts/index.mts';
import {
	goal,
	goalsText,
	resultText,
	text,
	type Part,
	type Result,
} from '../../../bench/report.mts';
import { PAGE, readResults, withFigures } from '../../../bench/results.mts';

describe('a goal', () => {
	const figure = figureOf([1, 2, 3]);

	it.each([
		[{ atLeast: 2 }, '≥ 2 ×', true],
		[{ atLeast: 2.01 }, '≥ 2.01 ×', false],
		[{ atMost: 2 }, '≤ 2 ×', true],
		[{ atMost: 1.99 }, '≤ 1.99 ×', false],
	])('of %j is wanted as "%s", and holds: %s', (bound, wanted, holds) => {
		expect(goal('Speed', figure, '×', bound)).toEqual({
			goal: 'Speed',
			wanted,
			holds,
			measured: { figure, unit: '×' },
		});
	});
});

describe('a goal that every sample has to meet', () => {
	it.each([
		[[1, 1, 1], true, '1'],
		[[1, 1, 1, 1, 1, 2], false, '1 (1–2)'],
		[[0, 1, 1, 1, 1, 1], false, '1 (0–1)'],
	])('is met by %j: %s', (samples, holds, measured) => {
		const found = goal('Refreshes', figureOf(samples), '', { exactly: 1 });
		expect(found).toMatchObject({ wanted: '= 1', holds });
		expect(text(found.measured)).toBe(measured);
	});
});

describe('a figure in a table', () => {
	it.each([
		[[12.345], 'ms', '12.3 ms'],
		[[1234.5], 'µs', '1,235 µs'],
		[[0.001234], 's', '0.00123 s'],
		[[1, 2, 3], '×', '2 × (1.5–2.5)'],
		[[2, 2, 2], '', '2'],
	] as const)('of %j %s is written "%s"', (samples, unit, expected) => {
		expect(text({ figure: figureOf(samples), unit })).toBe(expected);
	});

	it('stands in aligned columns below the title', () => {
		const result: Result = {
			name: 'sample',
			title: 'Sample',
			about: 'How it was measured.',
			date: '2026-01-02T03:04:05.678Z',
			machine: 'a machine',
			tables: [
				{
					title: '10 items',
					columns: ['Time'],
					rows: [
						{ name: 'Ours', cells: [{ figure: figureOf([1]), unit: 'ms' }] },
						{ name: 'Another', cells: ['none'] },
					],
				},
			],
			goals: [goal('Time', figureOf([1]), 'ms', { atMost: 0.5 })],
		};
		expect(resultText(result)).toBe(
			[
				'### Sample',
				'',
				'How it was measured.',
				'',
				'| 10 items | Time |',
				'| -------- | ---- |',
				'| Ours     | 1 ms |',
				'| Another  | none |',
				'',
				'Measured on 2026-01-02, a machine.',
			].join('\n'),
		);
		expect(goalsText([result])).toContain('| Time | ≤ 0.5 ms | 1 ms     | no    |');
	});
});

describe('docs/performance.md', () => {
	it('shows the latest results of every part', async () => {
		const results = await readResults();
		const described = ({ name, title, about }: Omit<Part, 'measure'>) => ({ name, title, about });
		expect(results.map(described)).toEqual(parts.map(described));
		const page = await readFile(PAGE, 'utf8');
		expect(withFigures(page, results)).toBe(page);
		for (const { title } of results) expect(page).toContain(`### ${title}\n`);
	});
});
