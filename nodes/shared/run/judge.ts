/** Judges a write by the records before it, those wanted and those after it. Equal is what a person calls equal. */
import { joinNames, quoteUnlessName } from '../errors/words';
import { groupedBy } from '../values/values';

/** What of a record is compared. */
export interface Seen {
	/** The identifier that the service assigned: it is never compared with a wanted one. */
	readonly id?: number | string | undefined;
	/** Whether having the record is the same as not having it, such as a cost center that ends with 0 %. */
	readonly isNothing?: boolean;
	/** What is compared, by the label of the form; empty or `undefined` if not given. The first says which record it is. */
	readonly values: Readonly<Record<string, string | number | boolean | undefined>>;
	/** Other values of this record, by label. They are compared only where a wanted record gives them. */
	readonly alsoKnownBy?: Readonly<Record<string, string>>;
}

const nameOf = ({ values }: Seen): string => String(Object.values(values)[0] ?? '');

const givenOf = ({ values }: Seen) =>
	Object.entries(values).filter(([, value]) => value !== undefined && value !== '');

/** Everything but letters and digits; between two digits it separates numbers. */
const SIGNS = /((?<=\d)[^\p{L}\p{M}\p{N}]+(?=\d))|[^\p{L}\p{M}\p{N}]+/gu;

/** Returns what of a text is compared: `1016 EA` and `1016-ea` are equal, `12-3` and `123` are not. */
export function lettersOf(text: string): string {
	const folded = text.normalize('NFKC').toUpperCase().toLowerCase().trim();
	const letters = folded.replace(SIGNS, (_, separator?: string) => (separator ? ' ' : ''));
	return letters || folded;
}

/** Whether a service may show one number for the other: the same, or with fewer decimals, but at least two. */
function isSameNumber(wanted: number, there: number): boolean {
	const decimals = (String(there).split('.')[1] ?? '').length;
	// 33.33 * 100 is 3332.9999999999995.
	const scaled = (number: number) => Number((number * 10 ** Math.max(2, decimals)).toPrecision(12));
	return [Math.round, Math.trunc].some((cut) => cut(scaled(wanted)) === scaled(there));
}

/** Whether a record at the service is a wanted one, of which only what is given is compared. */
export function isSame(wanted: Seen, there: Seen): boolean {
	const given = givenOf(wanted);
	const isEqual = ([label, value]: (typeof given)[number]): boolean => {
		const other = there.alsoKnownBy?.[label] ?? there.values[label];
		if (typeof value === 'number') return typeof other === 'number' && isSameNumber(value, other);
		if (typeof value === 'boolean') return (other === true) === value;
		return lettersOf(String(value)) === lettersOf(String(other ?? ''));
	};
	return given.length > 0 && given.every(isEqual);
}

/** What a write is to leave at the service: all records there are, or one more. */
export type Wanted =
	| { readonly kind: 'all'; readonly records: readonly Seen[] }
	| { readonly kind: 'oneMore'; readonly record: Seen };

/** What a write is judged by, once the records are read after it. */
export interface Expected {
	/** `undefined` if nobody read them. */
	readonly before: readonly Seen[] | undefined;
	readonly wanted: Wanted;
}

/** What stands at the service after a write. */
export interface Judgement {
	/** What was wanted; what stood there before; something else; or it cannot be told. */
	readonly is: 'asWanted' | 'asBefore' | 'otherwise' | 'unseen';
	/** What differs, in sentences; why it cannot be told, as a part of one. */
	readonly text: string;
	/** The identifier of the record that is new. */
	readonly id?: Seen['id'];
	/** When the records were read, if they were read more than once. */
	readonly when?: string;
}

function list(records: readonly Seen[]): string {
	const texts = records.map((record) => {
		const parts = givenOf(record).map(([label, value]) => {
			if (typeof value === 'boolean') return value ? label : `not ${label}`;
			const text = String(value).trim();
			return `${label} ${text === '' ? 'empty' : quoteUnlessName(text)}`;
		});
		return `(${parts.join(', ')})`;
	});
	return joinNames(texts);
}

/** Says which records differ, such as "Sent, and not there: (Cost Center Code 4200, Percentage 50)."; empty if none do. */
function differenceText(missing: readonly Seen[], others: readonly Seen[], than = 'sent'): string {
	const texts = [
		missing.length > 0 && `Sent, and not there: ${list(missing)}.`,
		others.length > 0 && `There, and not ${than}: ${list(others)}.`,
	];
	return texts.filter(Boolean).join(' ');
}

/** Finds a record of its own for each wanted one. @returns what differs, in sentences; empty if nothing does */
function difference(wanted: readonly Seen[], there: readonly Seen[]): string {
	const free = new Set(there);
	const byName = groupedBy(there, (record) => lettersOf(nameOf(record)));
	// A record that has the values of two wanted ones is left for the one that gives more of them.
	const ordered = [...wanted].sort((a, b) => givenOf(b).length - givenOf(a).length);
	const missing = ordered.filter((record) => {
		const name = nameOf(record);
		const alike = name === '' ? there : (byName.get(lettersOf(name)) ?? []);
		const exact = alike.filter((other) => name !== '' && nameOf(other) === name);
		const match = (exact.length > 0 ? exact : alike).find(
			(other) => free.has(other) && isSame(record, other),
		);
		return match === undefined ? record.isNothing !== true : !free.delete(match);
	});
	const others = [...free].filter(({ isNothing }) => isNothing !== true);
	return differenceText(missing, others);
}

/** Whether the records are those before, also in what those did not have, such as a default. */
const isUnchanged = (before: readonly Seen[], after: readonly Seen[]): boolean =>
	difference(before, after) === '' && difference(after, before) === '';

/**
 * Judges a write by what stands there after it. Only a record that was not there before proves a write of one more.
 *
 * @param id the identifier that the service gave to the new record, if it did
 */
export function judge(
	{ before, wanted }: Expected,
	after: readonly Seen[],
	id?: Seen['id'],
): Judgement {
	const unseen = (text: string): Judgement => ({ is: 'unseen', text });
	const otherwise = (text: string): Judgement => ({ is: 'otherwise', text });
	if (wanted.kind === 'all') {
		const text = difference(wanted.records, after);
		if (text === '') {
			if (difference(wanted.records, before ?? []) !== '') return { is: 'asWanted', text };
			return unseen('what can be compared was the same before');
		}
		return isUnchanged(before ?? [], after) ? { is: 'asBefore', text: '' } : otherwise(text);
	}
	const { record } = wanted;
	const isWanted = (other: Seen): boolean => isSame(record, other);
	const wasThere = ({ id: own }: Seen): boolean =>
		own !== undefined && before?.some((other) => other.id === own) === true;
	const equal = after.filter(isWanted);
	/** How many more there are than before. */
	const more = equal.length - (before?.filter(isWanted).length ?? 0);
	if (before !== undefined && more > 1) {
		return otherwise(`It was sent once, and is there ${more} times: ${list(equal)}.`);
	}
	if (id !== undefined) {
		const own = after.find((other) => other.id === id);
		if (own === undefined) return unseen('the list of today does not have it');
		if (wasThere(own)) return unseen('the record that the service names was there before');
		if (!isWanted(own)) return otherwise(differenceText([record], [own]));
		return { is: 'asWanted', text: '', id };
	}
	if (before === undefined) {
		if (equal.length === 0) return { is: 'asBefore', text: '' };
		return unseen(`${list(equal)} may have been there before`);
	}
	const fresh = after.filter((other) => !wasThere(other));
	const own = fresh.find(isWanted);
	if (more === 1 && own !== undefined) return { is: 'asWanted', text: '', id: own.id };
	// A new one with another name and little else in common is another one.
	const given = givenOf(record);
	const isAlike = (other: Seen): boolean => {
		const equal = given.filter((entry) => isSame({ values: Object.fromEntries([entry]) }, other));
		return equal.some(([, value]) => value === nameOf(record)) || equal.length > given.length / 2;
	};
	if (isUnchanged(before, after) || !fresh.some(isAlike)) return { is: 'asBefore', text: '' };
	return otherwise(differenceText([record], fresh, 'there before'));
}
