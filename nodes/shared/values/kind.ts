import { isEmpty, isInstant } from './values';
import type { ScalarField } from '../contract/fields';
import { type InputError, invalidInput, invalidValue, missing } from './InputError';
import { joinNames } from '../errors/words';
import { LIMITS } from '../contract/limits';

/** What the text of an element is read as. */
export type ScalarValue = number | string | boolean;

/** The rules of one kind of value: how it is checked, written and read. */
export interface Kind<F extends ScalarField = ScalarField> {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
	/** A value of the kind, where a field has no example of its own. */
	readonly example?: ScalarValue;
	/** Returns a value as the text of an element. @throws {InputError} if it is not of this kind */
	write(value: unknown, field: F): string;
	/** Returns the value of the text of an element; `undefined` if it is not of this kind. */
	read(text: string, field: F): ScalarValue | undefined;
}

/** Returns the error for a text that is too long. */
export function tooLong(value: unknown): InputError {
	return invalidValue(value, `has more than ${LIMITS.name} characters.`);
}

/** Returns the error for a value that is missing or not of its kind. @param meant what it may be meant as */
export function notOfKind(value: unknown, kind: string, meant: readonly string[] = []): InputError {
	refuseSlip(value);
	if (typeof value === 'string' && meant.length === 0) refuseHidden(value);
	const correction = meant.length === 0 ? '.' : `. Write ${joinNames(meant, 'or')}`;
	const not = isInstant(value) && value.toJSON() ? 'is a date or a duration, not' : 'is not';
	return isEmpty(value) ? missing() : invalidValue(value, `${not} ${kind}${correction}`);
}

/** @throws {InputError} for a value that is missing or none of a set of names */
export function refuseName(value: unknown, names: readonly string[]): never {
	refuseSlip(value);
	const known = joinNames(names, 'or');
	if (isEmpty(value)) throw invalidInput(`is empty. Choose ${known}.`, 'VALUE_EMPTY');
	throw invalidValue(value, `is not known. Choose ${known}.`);
}

/** Characters that nobody sees: soft hyphens, zero-width spaces and joiners, byte order marks. */
const INVISIBLE = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const AROUND = new RegExp(`[\\s${INVISIBLE}]`);
/** A no-break space looks like another character, too. */
const HIDDEN = new RegExp(`[\\u00a0\\u202f${INVISIBLE}]`);

/** Splits a text into its edges of whitespace and invisible characters, and what is between them. */
function edgesOf(text: string): readonly [before: string, between: string, after: string] {
	let [start, end] = [0, text.length];
	while (start < end && AROUND.test(text.charAt(start))) start += 1;
	while (end > start && AROUND.test(text.charAt(end - 1))) end -= 1;
	return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

/** Returns a text without whitespace and invisible characters around it; any other value as it is. */
export function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? edgesOf(value)[1] : value;
}

/** Returns a text without an edge that has invisible characters; one of whitespace alone stays. */
export function withoutHidden(text: string): string {
	return edgesOf(text)
		.map((part, i) => (i !== 1 && HIDDEN.test(part) ? '' : part))
		.join('');
}

/** @throws {InputError} if there is an invisible character inside a code or an identifier */
export function refuseHidden(given: string): void {
	const [found] = HIDDEN.exec(String(trimmed(given))) ?? [];
	if (found === undefined) return;
	const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	throw invalidValue(given, `contains an invisible character (U+${code}). Type it again.`);
}

/** What is left of a failed formula of a sheet in any language, a column that is too narrow, or an expression. */
const SLIP =
	/^(?:#(?:[¡¿]?[\p{L}\p{N}/_]*\p{L}[\p{L}\p{N}/_]*[!?]|\p{L}\/\p{L}|NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA|GEGEVENS_OPHALEN|#+)|\[object \w+\]|undefined|nan|null)$/iu;

/** Whether a value is what a failed formula or expression leaves. */
export function isSlip(value: unknown): boolean {
	if (typeof value !== 'string' || value.length > LIMITS.name) return false;
	return SLIP.test(String(trimmed(value)));
}

/** @throws {InputError} if a value is what a failed formula or expression leaves */
export function refuseSlip(value: unknown): void {
	if (!isSlip(value)) return;
	throw invalidValue(value, 'is what a failed formula or expression leaves, not a value.');
}
