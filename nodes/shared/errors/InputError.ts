import { shortened } from './words';

/** The way down to a value in what was given: names of elements, and indices of rows. */
export type Path = ReadonlyArray<string | number>;

/** What is wrong with one value; the names that the form has for it are not known here. */
export interface Problem {
	readonly path: Path;
	/** The rest of a sentence that begins with the value's name, for example ` is empty.` */
	readonly text: string;
	/** Another value, whose name ends the sentence. */
	readonly other?: Path;
}

/** So many problems are named in one message. */
const MAX_NAMED = 10;

/** After so many problems no others are looked for: a list may hold a million of them. */
const MAX_FOUND = 100;

/** A path as it is written in JSON: `CostCenteren[2].CostCenter.Code`. */
export function pathText(path: Path): string {
	return path.reduce<string>((text, step) => {
		if (typeof step === 'number') return `${text}[${step}]`;
		return text === '' ? shortened(step) : `${text}.${shortened(step)}`;
	}, '');
}

/**
 * What is wrong with one or several values, in words.
 *
 * @param nameOf gives the name of a value
 */
export function describeProblems(
	problems: readonly Problem[],
	nameOf: (path: Path) => string,
): string {
	const sentences = problems.slice(0, MAX_NAMED).map(({ path, text, other }) => {
		const end = other === undefined ? '' : nameOf(other).replace(/^(?:Row|Item)\b/, lowerCase);
		return `${nameOf(path)}${text}${end}`;
	});
	const [only = ''] = sentences;
	// A name of the input's own may be any text, and a cut may go through an emoji.
	if (problems.length <= 1) return only.toWellFormed();
	const more = problems.length - sentences.length;
	const all = more > 0 ? [...sentences, `and ${more} more`] : sentences;
	const count = problems.length < MAX_FOUND ? '' : 'At least ';
	return `${count}${problems.length} values cannot be used:\n• ${all.join('\n• ')}`.toWellFormed();
}

function lowerCase(word: string): string {
	return word.toLowerCase();
}

/**
 * Values that the interface does not allow, found before anything was written. Its message has the
 * service's own names; what the form calls them is said where the form is known.
 */
export class InputError extends Error {
	override readonly name = 'InputError';

	constructor(readonly problems: readonly Problem[]) {
		super(describeProblems(problems, pathText));
	}
}

/**
 * The error for a value that is not allowed.
 *
 * @param sentence what is wrong with it, for example `"half" is not a number.`
 */
export function invalid(sentence: string): InputError {
	return new InputError([{ path: [], text: `: ${sentence}` }]);
}

/** As {@link invalid}; the value's name begins the sentence, for example `is empty.` */
export function faulty(predicate: string): InputError {
	return new InputError([{ path: [], text: ` ${predicate}` }]);
}

/** The error for a value that is missing. */
export function missing(): InputError {
	return faulty('is empty.');
}

/** What is wrong with values; an error that says nothing of them goes on its way. */
function problemsOf(error: unknown): readonly Problem[] {
	if (error instanceof InputError) return error.problems;
	throw error;
}

/** The same problems, with their paths from the whole. */
function within(part: string | number | Path, problems: readonly Problem[]): InputError {
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
 * Works on a part of a value.
 *
 * @param part leads to it
 * @throws {InputError} with the paths of its values from the whole
 */
export function at<T>(part: string | number | Path, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw within(part, problemsOf(error));
	}
}

/**
 * Maps values; where some of them are not allowed, the others are checked all the same.
 *
 * @throws {InputError} with the problems of all of them
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
 * Does several pieces of work that need nothing of each other.
 *
 * @returns their results, in the same order
 * @throws {InputError} with the problems of all of them
 */
export function together<T extends readonly unknown[]>(
	...works: { readonly [I in keyof T]: () => T[I] }
): T {
	return collect<() => unknown, unknown>(works, (work) => work()) as unknown as T;
}
