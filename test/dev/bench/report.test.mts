import { readFile } from 'node:fs/promises';
import { figureOf } from '../../../bench/measure.mts';
import { parts } from '../../../bench/parts/index.mts';
import { goal, text, type Part } from '../../../bench/report.mts';
import { PAGE, readResults, withFigures } from '../../../bench/results.mts';

it.each([
	[[1, 2, 3], { atLeast: 2 }, '≥ 2 ×', true],
	[[1, 2, 3], { atLeast: 2.01 }, '≥ 2.01 ×', false],
	[[1, 2, 3], { atMost: 2 }, '≤ 2 ×', true],
	[[1, 2, 3], { atMost: 1.99 }, '≤ 1.99 ×', false],
	[[2, 2, 2], { exactly: 2 }, '= 2 ×', true],
	[[2, 2, 2, 2, 2, 3], { exactly: 2 }, '= 2 ×', false],
])('%j meets the goal %j ("%s"): %s', (samples, bound, wanted, holds) => {
	const found = goal('Speed', figureOf(samples), '×', bound);
	expect(found).toMatchObject({ goal: 'Speed', wanted, holds });
});

it.each([
	[[12.345], 'ms', '12.3 ms'],
	[[1234.5], 'µs', '1,235 µs'],
	[[0.001234], 's', '0.00123 s'],
	[[1, 2, 3], '×', '2 × (1–3)'],
	[[2, 2, 2], '', '2'],
] as const)('the figure of %j in "%s" is written %s', (samples, unit, written) => {
	expect(text({ figure: figureOf(samples), unit })).toBe(written);
});

it('a goal that every sample has to meet shows the one that misses it, too', () => {
	const { measured } = goal('Refreshes', figureOf([1, 1, 1, 1, 1, 2]), '', { exactly: 1 });
	expect(text(measured)).toBe('1 (1–2)');
});

it('docs/dev/benchmark.md has the latest results of every part', async () => {
	const results = await readResults();
	const described = ({ name, title, about }: Omit<Part, 'measure'>) => ({ name, title, about });
	expect(results.map(described)).toEqual(parts.map(described));
	const page = await readFile(PAGE, 'utf8');
	expect(withFigures(page, results)).toBe(page);
	for (const { title } of results) expect(page).toContain(`### ${title}\n`);
});
