/** The results file, and its figures in the documentation. */
import { readFile, writeFile } from 'node:fs/promises';
import { goalsText, resultText, type Result } from './report.mts';

/** Where the results of the last runs are kept. */
const RESULTS = 'bench/results.json';

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

/** Writes the results: a row of a table in a line, with numbers of four significant digits. */
export async function writeResults(results: readonly Result[]): Promise<void> {
	const rows: string[] = [];
	const json = JSON.stringify(
		results,
		(key, value: unknown) => {
			if (key !== 'rows' && key !== 'goals') return value;
			return (value as readonly unknown[]).map((row) => {
				const line = JSON.stringify(row, (_, one: unknown) =>
					typeof one === 'number' ? Number(one.toPrecision(4)) : one,
				);
				return `#${rows.push(line) - 1}#`;
			});
		},
		'\t',
	);
	await writeFile(RESULTS, `${json.replace(/"#(\d+)#"/g, (_, row) => rows[Number(row)] ?? '')}\n`);
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
