import { fill, texts, type Template, type Text, type Values } from './catalogue';
import { formatValue, truncate } from './words';

export { fill, texts };

/** Path to a value in the input: element names and row indexes. */
export type Path = ReadonlyArray<string | number>;

/** What is wrong with one value. It has no form labels: this layer does not know the form. */
export interface Problem {
	readonly path: Path;
	/** The rest of a sentence that starts with the value's name, for example ` is empty.` */
	readonly text: Text;
	/** Path of another value, whose name ends the sentence. */
	readonly other?: Path;
}

/** Maximum number of problems listed in one message. */
const MAX_NAMED = 10;

/** Validation stops after this many problems: a list may have a million rows. */
const MAX_FOUND = 100;

/** Formats a path as in JSON: `CostCenteren[2].CostCenter.Code`. */
export function pathText(path: Path): string {
	return path.reduce<string>((text, step) => {
		if (typeof step === 'number') return `${text}[${step}]`;
		return text === '' ? truncate(step) : `${text}.${truncate(step)}`;
	}, '');
}

/**
 * Describes problems in one message: a sentence, or a heading and a list of sentences.
 *
 * @param nameOf returns the name of the value at a path
 */
export function describeProblems(
	problems: readonly Problem[],
	nameOf: (path: Path) => string,
): string {
	const sentences = problems.slice(0, MAX_NAMED).map(({ path, text, other }) => {
		const name = other === undefined ? '' : nameOf(other);
		const end = name.replace(/^(?:Row|Item)\b/, (word) => word.toLowerCase());
		return `${nameOf(path)}${text}${end}`;
	});
	const [only = ''] = sentences;
	// A name from the input may be any text, and truncation may split a surrogate pair.
	if (problems.length <= 1) return only.toWellFormed();
	const more = problems.length - sentences.length;
	const all = more > 0 ? [...sentences, `and ${more} more`] : sentences;
	const count = problems.length < MAX_FOUND ? '' : 'At least ';
	return fill(texts.invalid.values.title, {
		count: `${count}${problems.length}`,
		values: all.map((sentence) => `\n• ${sentence}`).join(''),
	}).toWellFormed();
}

/**
 * Values that the interface does not allow, found before anything was written. The message uses the
 * service's own names; code that knows the form replaces them with its labels.
 */
export class InputError extends Error {
	override readonly name = 'InputError';
	/** It is thrown before anything is written. */
	readonly outcome = 'notApplied';

	constructor(readonly problems: readonly Problem[]) {
		super(describeProblems(problems, pathText));
	}
}

/**
 * Returns the error for a value that is not allowed, by what is wrong with it.
 *
 * @param template has a place for the value
 * @param others what else is filled in
 */
export function invalid<N extends string>(
	template: Template<N>,
	value: unknown,
	...[others]: Values<Exclude<N, 'value'>>
): InputError {
	const all = [{ ...others, value: formatValue(value) }] as unknown as Values<N>;
	return unmatched(fill(template, ...all));
}

/** Returns the error for a value, as a sentence of its own after the value's name. */
export function unmatched(text: Text): InputError {
	return new InputError([{ path: [], text: `: ${text}` as Text }]);
}

/**
 * Returns the error for a value that is not allowed, as a sentence that starts with its name.
 *
 * @param predicate the rest of the sentence, for example `is empty.`
 */
export function faulty<N extends string>(predicate: Template<N>, ...values: Values<N>): InputError {
	return new InputError([{ path: [], text: ` ${fill(predicate, ...values)}` as Text }]);
}

/** Returns the error for a value that another one rules out. */
export function conflict(path: Path, predicate: Text, other: Path): InputError {
	return new InputError([{ path, text: ` ${predicate} ` as Text, other }]);
}

/** Returns the error for a missing value. */
export function missing(): InputError {
	return faulty(texts.values.empty);
}

/** Returns the problems of an {@link InputError}. Any other error is rethrown. */
function problemsOf(error: unknown): readonly Problem[] {
	if (error instanceof InputError) return error.problems;
	throw error;
}

/** Prefixes the paths of problems with the path of the part that they were found in. */
function prefixed(part: string | number | Path, problems: readonly Problem[]): InputError {
	const whole = (path: Path): Path => [part, path].flat();
	return new InputError(
		problems.map(({ path, text, other }) => ({
			path: whole(path),
			text,
			...(other && { other: whole(other) }),
		})),
	);
}

/**
 * Runs work on a part of a value and returns its result.
 *
 * @param part path from the whole value to the part
 * @throws {InputError} if the work throws one, with the paths prefixed with `part`
 */
export function at<T>(part: string | number | Path, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw prefixed(part, problemsOf(error));
	}
}

/**
 * Maps values and validates all of them: a value that is not allowed does not stop the others from
 * being validated, up to 100 problems.
 *
 * @throws {InputError} with the problems of all values
 */
export function collect<V, T>(values: Iterable<V>, work: (value: V, index: number) => T): T[] {
	const results: T[] = [];
	const problems: Problem[] = [];
	let index = 0;
	for (const value of values) {
		if (problems.length >= MAX_FOUND) break;
		try {
			results.push(work(value, index));
		} catch (error) {
			for (const problem of problemsOf(error)) problems.push(problem);
		}
		index += 1;
	}
	if (problems.length > 0) throw new InputError(problems);
	return results;
}

/**
 * Runs independent functions one after the other, even if some of them throw an {@link InputError}.
 *
 * @returns their results, in the same order
 * @throws {InputError} with the problems of all functions
 */
export function collectAll<T extends readonly unknown[]>(
	...works: { readonly [I in keyof T]: () => T[I] }
): T {
	return collect<() => unknown, unknown>(works, (work) => work()) as unknown as T;
}
