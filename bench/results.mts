/** The results file, and its figures in the documentation. */
import { readFile } from 'node:fs/promises';
import { goalsText, resultText, type Result } from './report.mts';

/** Where the results of the last runs are kept. */
export const RESULTS = 'bench/results.json';

/** The page of the documentation that shows them. */
export const PAGE = 'docs/dev/benchmark.md';

/** Reads the results of the last run of each part; none before the first run. */
export async function readResults(): Promise<Result[]> {
	let text: string;
	try {
		text = await readFile(RESULTS, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
	return JSON.parse(text) as Result[];
}

const BLOCK = /(<!-- (goals|figures) -->\n)[^]*?(\n<!-- end -->)/g;

/**
 * A page with these results in place of those between its `<!-- goals -->` or `<!-- figures -->`
 * and `<!-- end -->`.
 */
export function withFigures(page: string, results: readonly Result[]): string {
	const texts: Readonly<Record<string, string>> = {
		goals: goalsText(results),
		figures: results.map(resultText).join('\n\n'),
	};
	return page.replace(
		BLOCK,
		(_, begin: string, name: string, end: string) => `${begin}\n${texts[name] ?? ''}\n${end}`,
	);
}
