import { readFile } from 'node:fs/promises';
import { parts } from '../../../bench/parts/index.mts';
import type { Part } from '../../../bench/report.mts';
import { PAGE, readResults, withFigures } from '../../../bench/results.mts';

it('docs/dev/benchmark.md has the latest results of every part', async () => {
	const results = await readResults();
	const described = ({ name, title, about }: Omit<Part, 'measure'>) => ({ name, title, about });
	expect(results.map(described)).toEqual(parts.map(described));
	const page = await readFile(PAGE, 'utf8');
	expect(withFigures(page, results)).toBe(page);
	for (const { title } of results) expect(page).toContain(`### ${title}\n`);
});
