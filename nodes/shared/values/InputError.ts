import { beginning, formatValue, joinNames, truncate } from '../errors/words';
import { groupedBy } from './values';

/** Path to a value in the input: element names and row indexes. */
export type Path = ReadonlyArray<string | number>;

/** Why a value is not allowed. */
export const problemCodes = {
	VALUE_EMPTY: 'It is empty.',
	VALUE_REQUIRED: 'It is absent, and required.',
	VALUE_CONFLICT: 'It contradicts another value.',
	VALUE_UNKNOWN: 'It matches none of the current records.',
	VALUE_AMBIGUOUS: 'It matches several of the current records.',
	VALUE_INVALID: 'Any other reason, or several.',
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** What is wrong with one value, without labels: this layer does not know the form. */
export interface Problem {
	readonly code: ProblemCode;
	readonly path: Path;
	/** The value, or the beginning of a long one, and how a sentence has it between the name and the text. */
	readonly value?: unknown;
	readonly shown?: string;
	/** The rest of a sentence that starts with the value's name, for example ` is empty.` */
	readonly text: string;
	/** What other values have in common with it, and the advice. By default, the text. */
	readonly cause?: string;
	/** Paths of other values, whose names end the sentence. */
	readonly others?: readonly Path[];
	/** Path of the value to correct, if the sentence is about its whole row. */
	readonly column?: Path;
}

/** Where a value stands, in the words of the form and the sheet. */
export interface Place {
	/** The numbers of its rows, if it is in any. */
	readonly rows: readonly string[];
	/** The label of its field; empty for a whole row. */
	readonly column: string;
	/** The label in a sentence. */
	readonly quoted: string;
}

/** A problem, and what finds the places of values in the input that it is about. */
export interface Found {
	readonly problem: Problem;
	placeOf(path: Path): Place;
}

/** Maximum number of characters of a value that a problem keeps. */
const MAX_VALUE = 200;

/** Maximum number of sentences in one message: all that is wrong with a sheet of fifty rows, as a rule. */
const MAX_NAMED = 20;

/** Validation stops after this many problems: a list may have a million rows. */
const MAX_FOUND = 10_000;

/** Formats a path as in JSON: `CostCenteren[2].CostCenter.Code`. */
export function pathText(path: Path): string {
	return path.reduce<string>((text, step) => {
		if (typeof step === 'number') return `${text}[${step}]`;
		return text === '' ? truncate(step) : `${text}.${truncate(step)}`;
	}, '');
}

/** Names rows: "row 2", "rows 2 and 3"; empty if there are none. */
export function rowsText(rows: readonly string[]): string {
	return rows.length === 0 ? '' : `row${rows.length === 1 ? '' : 's'} ${joinNames(rows)}`;
}

/** Names a place at the beginning of a sentence: `Row 2, 'Percentage'`. */
const placeText = ({ rows, quoted }: Place): string =>
	[rowsText(rows).replace('row', 'Row'), quoted].filter(Boolean).join(', ');

/** Says what is wrong with a value. @param place where it is; what of it is known is left out */
export function sentenceOf({ problem, placeOf }: Found, place: Place): string {
	const { shown, text, others = [] } = problem;
	const names = others.map((other) => placeText(placeOf(other)).replace(/^Row/, 'row'));
	return `${placeText(place)}${shown ? `: ${shown}` : ''}${text}${joinNames(names, 'or')}`;
}

/** The first sentence of a text, without its end, and the others. */
const SENTENCES = /^(?:: )?(.*?)(?:\.(?: (.*))?)?$/s;

/**
 * Describes problems in one message: a sentence, or a heading and a list of sentences. What is wrong with
 * several rows for the same cause is one sentence: "Percentage has a decimal comma: 38 rows, e.g. row 2."
 */
export function describeProblems(found: readonly Found[]): string {
	const members = found.map((member) => {
		const { path, text, cause, others } = member.problem;
		const place = member.placeOf(path);
		const [, first = '', advice = ''] = SENTENCES.exec(cause ?? text) ?? [];
		const what = others ? `${first.trimEnd()} another row` : first;
		const subject = place.column || (cause ? '' : 'A row');
		const shared = subject === '' || what.startsWith(' ') ? subject + what : `${subject}: ${what}`;
		return { ...member, place, advice, shared };
	});
	const groups = groupedBy(members, ({ shared }) => shared);
	// Texts are made when they are shown: there may be 10,000 problems.
	const texts = [...groups].flatMap(([cause, group]): Array<() => string> => {
		const rows = new Set(group.flatMap(({ place }) => place.rows)).size;
		const [first] = group;
		if (group.length === 1 || rows < 2) {
			return group.map((member) => () => sentenceOf(member, member.place));
		}
		const { shown } = first.problem;
		const { advice } = first;
		const isShared = advice !== '' && group.every((member) => member.advice === advice);
		// What differs is the advice on the example alone.
		const own = advice.replace(/\.$/, '').replace(/^./, (letter) => letter.toLowerCase());
		const value = !isShared && shown ? ` (${[shown, own].filter(Boolean).join(': ')})` : '';
		const example = `${rowsText(first.place.rows)}${value}`;
		const text = `${cause}: ${rows} rows, e.g. ${example}.${isShared ? ` ${advice}` : ''}`;
		return [() => text.replace(/^./, (letter) => letter.toUpperCase())];
	});
	const named = texts.slice(0, MAX_NAMED).map((text) => text());
	// A name from the input may be any text, and truncation may split a surrogate pair.
	if (texts.length < 2) return named.join('').toWellFormed();
	if (texts.length > MAX_NAMED) named.push(`and ${texts.length - MAX_NAMED} more`);
	const count = found.length < MAX_FOUND ? '' : 'At least ';
	const list = named.map((sentence) => `\n• ${sentence}`).join('');
	return `${count}${found.length} values cannot be used:${list}`.toWellFormed();
}

/** Values that are not allowed, in the service's own names; code that knows the form replaces these with its labels. */
export class InputError extends Error {
	override readonly name = 'InputError';
	/** It is thrown before anything is written. */
	readonly outcome = 'notApplied';

	constructor(readonly problems: readonly Problem[]) {
		const placeOf = (path: Path) => ({ rows: [], column: '', quoted: pathText(path) });
		super(describeProblems(problems.map((problem) => ({ problem, placeOf }))));
	}

	/** The code of its problems, if all have the same. */
	get code(): ProblemCode {
		const [first, ...others] = new Set(this.problems.map(({ code }) => code));
		return first === undefined || others.length > 0 ? 'VALUE_INVALID' : first;
	}

	/** Returns a copy whose paths are in the words of the caller. */
	renamed(pathOf: (path: Path) => Path): InputError {
		const problems = this.problems.map(({ path, others, column, ...problem }) => ({
			...problem,
			path: pathOf(path),
			...(others && { others: others.map(pathOf) }),
			...(column && { column: pathOf(column) }),
		}));
		return new InputError(problems);
	}

	/** Returns a copy for a part of a value. @param part path from the whole value to the part */
	at(part: string | number | Path): InputError {
		return this.renamed((path) => [part, path].flat());
	}
}

/** Returns the error for a value, as a sentence that starts with its name: `'Period' is empty.` */
export function invalidInput(predicate: string, code: ProblemCode = 'VALUE_INVALID'): InputError {
	return new InputError([{ code, path: [], text: ` ${predicate}` }]);
}

/** Returns the error for a value, as a sentence that follows its name: `'File': the item has …` */
export function invalidBecause(reason: string, code: ProblemCode = 'VALUE_INVALID'): InputError {
	return new InputError([{ code, path: [], text: `: ${reason}` }]);
}

/** Returns the error for a value, as a sentence that starts with the value: `13 is out of range.` */
export function invalidValue(
	given: unknown,
	predicate: string,
	code: ProblemCode = 'VALUE_INVALID',
): InputError {
	const shown = formatValue(given);
	const value = typeof given === 'string' ? beginning(given, MAX_VALUE) : given;
	const text = ` ${predicate}`;
	const kept = typeof value === 'object' ? shown : value;
	return new InputError([{ code, path: [], value: kept, shown, text }]);
}

/** Returns the error for a missing value. */
export function missing(): InputError {
	return invalidInput('is empty.', 'VALUE_EMPTY');
}

/** Returns the error for a missing value that an expression should have given. */
export function givesNothing(): InputError {
	return invalidBecause('the expression gives nothing for this item.', 'VALUE_EMPTY');
}

/** Returns the problems of an {@link InputError}. @throws any other error */
function problemsOf(error: unknown, part: string | number | Path): readonly Problem[] {
	if (error instanceof InputError) return error.at(part).problems;
	throw error;
}

/**
 * Maps values and validates all of them, up to 10,000 problems: one that is not allowed does not stop the others, and its
 * result is `undefined`.
 *
 * @param partOf returns the path to a value, if the values are parts of another one
 */
export function collectPartly<V, T>(
	values: Iterable<V>,
	work: (value: V, index: number) => T,
	partOf: (value: V, index: number) => string | number | Path = () => [],
): { readonly results: ReadonlyArray<T | undefined>; readonly problems: readonly Problem[] } {
	const results: Array<T | undefined> = [];
	const problems: Problem[] = [];
	for (const value of values) {
		if (problems.length >= MAX_FOUND) break;
		const index = results.length;
		try {
			results.push(work(value, index));
		} catch (error) {
			problems.push(...problemsOf(error, partOf(value, index)));
			results.push(undefined);
		}
	}
	return { results, problems };
}

/** Does the same for one value. */
export function validated<T>(work: () => T) {
	const { results, problems } = collectPartly([undefined], work);
	return { result: results[0], problems };
}

/** Does the same for values that all have to be allowed. @throws {InputError} with the problems of all values */
export function collect<V, T>(...all: Parameters<typeof collectPartly<V, T>>): T[] {
	const { results, problems } = collectPartly(...all);
	if (problems.length > 0) throw new InputError(problems);
	return results as T[];
}

/** Returns the result of work on a part of a value. @throws {InputError} if the work throws one, with paths below `part` */
export function at<T>(part: string | number | Path, work: () => T): T {
	return collect([undefined], work, () => part)[0] as T;
}

/** Runs all functions, even if some fail, and returns their results. @throws {InputError} with the problems of all */
export function collectAll<T extends readonly unknown[]>(
	...works: { readonly [I in keyof T]: () => T[I] }
): T {
	return collect<() => unknown, unknown>(works, (work) => work()) as unknown as T;
}
