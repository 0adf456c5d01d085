/** The entries of docs/errors.md, as data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One case of an error. */
export interface ErrorRow {
	readonly title: string;
	readonly advice: string;
	/** What the page says of a write that fails so: `notApplied`, `unknown`, both, or `applied`. */
	readonly outcomes: readonly string[];
}

/** A text that the nodes show, and the mark behind it. */
interface ShownText {
	readonly text: string;
	readonly mark: string | undefined;
}

/** An item of a list that has titles: its own line, and the lines of its cases. */
interface Entry {
	readonly line: string;
	readonly cases: readonly string[];
}

/** Stands for the title of a fault, which is the service's own. */
const OWN_WORDS = "The service's own words";

const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
	'†': ['unknown'],
	'(†)': ['notApplied', 'unknown'],
	'‡': ['applied'],
};

const BOLD = /\*\*([^*]+)\*\*(\(†\)|[†‡])?/g;
const ITALIC = /(?<!\*)\*([^*]+)\*(?!\*)(\(†\)|[†‡])?/g;

/** The page without Markdown's escapes, and with each item of a list on one line. */
function page(): string {
	const text = readFileSync(join(process.cwd(), 'docs', 'errors.md'), 'utf8');
	return text.replaceAll('\\', '').replace(/\n +(?! |- )/g, ' ');
}

function shownTexts(source: string, pattern: RegExp): ShownText[] {
	return [...source.matchAll(pattern)].map(([, text = '', mark]) => ({
		text: text.replace(/\s+/g, ' '),
		mark,
	}));
}

function entries(): Entry[] {
	return page()
		.split(/\n(?! *- )|\n(?=- )/)
		.filter((block) => /^- .*\*\*/.test(block))
		.map((block) => {
			const [line = '', ...cases] = block.split(/\n +- /);
			return { line, cases };
		});
}

/** The title of a case: the service's own words, or the title of its entry with the end filled in. */
function titleOfCase(entry: Entry, { text, mark }: ShownText): ShownText {
	if (text === OWN_WORDS) return { text, mark };
	const [title] = shownTexts(entry.line, BOLD);
	if (title?.text.endsWith('…') !== true) throw new Error(`${entry.line} has no end to fill in`);
	return { text: title.text.replace(/…$/, text), mark };
}

/** The advice of a case: its own, or that of its entry with the beginning filled in. */
function adviceOfCase(entry: Entry, line: string): ShownText[] {
	const own = shownTexts(line, ITALIC);
	const [shared] = shownTexts(entry.line, ITALIC);
	if (shared === undefined) return own;
	if (!shared.text.startsWith('… ')) throw new Error(`${entry.line} has no beginning to fill in`);
	const end = shared.text.slice('… '.length);
	if (own.length === 0) return [{ text: end, mark: shared.mark }];
	return own.map(({ text, mark }) => ({ text: `${text} ${end}`, mark: mark ?? shared.mark }));
}

function combine(titles: readonly ShownText[], advice: readonly ShownText[]): ErrorRow[] {
	return titles.flatMap((title) =>
		advice.map(({ text, mark = title.mark }) => ({
			title: title.text === OWN_WORDS ? '…' : title.text,
			advice: text,
			outcomes: mark === undefined ? ['notApplied'] : (OUTCOMES[mark] ?? []),
		})),
	);
}

function rowsOf(entry: Entry): ErrorRow[] {
	const titles = shownTexts(entry.line, BOLD);
	if (entry.cases.length === 0) {
		const advice = shownTexts(entry.line, ITALIC);
		return combine(titles, advice.length > 0 ? advice : [{ text: '', mark: undefined }]);
	}
	return entry.cases.flatMap((line) => {
		const own = shownTexts(line, BOLD).map((title) => titleOfCase(entry, title));
		const advice = adviceOfCase(entry, line);
		if (advice.length === 0) throw new Error(`The case "${line}" has no advice`);
		return combine(own.length > 0 ? own : titles, advice);
	});
}

/** The errors, in the order of the page: each title with each advice that it may have. */
export function errorRows(): ErrorRow[] {
	return entries().flatMap(rowsOf);
}

/** All sentences that the page quotes: advice, reasons and notes. */
export function quotedTexts(): string[] {
	return shownTexts(page(), ITALIC).map(({ text }) => text);
}

/** The text as a pattern: `…` stands for anything. */
export function patternOf(text: string): RegExp {
	const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
	return new RegExp(`^${literal}$`, 's');
}
