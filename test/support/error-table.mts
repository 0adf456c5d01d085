/** The tables of docs/errors.md, as data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellsOf } from './markdown.mts';

/** A row of the table of errors. */
export interface ErrorRow {
	readonly title: string;
	readonly advice: string;
	/** What the page says of a write: `notApplied`, `unknown`, both, `applied`, or nothing for a read. */
	readonly outcomes: readonly string[];
}

/** Stands for the title of a fault, which is the service's own. */
const OWN_WORDS = "*The service's own words*";

/** Last column of the table of outcomes, whose rows are no reasons. */
const APPLIED = new Set(['No', 'Not known', 'Yes']);

function page(): string {
	return readFileSync(join(process.cwd(), 'docs', 'errors.md'), 'utf8');
}

function rowsOf(width: number): string[][] {
	return page()
		.split('\n')
		.filter((line) => line.startsWith('| ') && !/^\| (?:---|Title|Reason|Note|When) /.test(line))
		.map(cellsOf)
		.filter((cells) => cells.length === width);
}

/** The errors, in the order of the page. */
export function errorRows(): ErrorRow[] {
	return rowsOf(4).map(([title = '', , advice = '', applied = '']) => ({
		title: title === OWN_WORDS ? '…' : title,
		advice,
		outcomes: [
			...(/^No\b(?! ?t)/.test(applied) ? ['notApplied'] : []),
			...(/not known/i.test(applied) ? ['unknown'] : []),
			...(applied === 'Yes' ? ['applied'] : []),
		],
	}));
}

/** The reasons that the description of an error may give. */
export function reasons(): string[] {
	return rowsOf(2)
		.filter(([, applied = '']) => !APPLIED.has(applied))
		.map(([reason = '']) => reason);
}

/** The sentences that are quoted before the first table. */
export function quotedSentences(): string[] {
	const [intro = ''] = page().split('\n## ');
	return [...intro.matchAll(/(?<!`)`([^`]+\.)`/g)].map(([, quoted = '']) => quoted);
}

/** The text as a pattern: `…` stands for anything. */
export function patternOf(text: string): RegExp {
	const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
	return new RegExp(`^${literal}$`, 's');
}
