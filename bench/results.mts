/** The results file, and its figures within a page of the documentation. */
import { readFile } from 'node:fs/promises';
import { goalsText, resultText, type Result } from './report.mts';

/** Where the results of the last runs are kept. */
export const RESULTS = 'bench/results.json';

/** The results of the last run of each part, and what they were measured on. */
export interface Results {
	readonly machine: string;
	readonly results: readonly Result[];
}

/** Reads the results file; a first run finds none. */
export async function readResults(): Promise<Results> {
	let text: string;
	try {
		text = await readFile(RESULTS, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { machine: '', results: [] };
		throw error;
	}
	return JSON.parse(text) as Results;
}

const BLOCK = /(<!-- (goals|figures) -->\n)[^]*?(\n<!-- end -->)/g;

/**
 * A page with these results in place of those between its `<!-- goals -->` or `<!-- figures -->`
 * and `<!-- end -->`.
 */
export function withFigures(page: string, { machine, results }: Results): string {
	const days = [...new Set(results.map(({ date }) => date.slice(0, 10)))].sort().join(', ');
	const texts: Readonly<Record<string, string>> = {
		goals: goalsText(results),
		figures: [`Measured ${days} on ${machine}.`, ...results.map(resultText)].join('\n\n'),
	};
	return page.replace(
		BLOCK,
		(_, begin: string, name: string, end: string) => `${begin}\n${texts[name] ?? ''}\n${end}`,
	);
}
