/** What a person calls equal: the one comparison of records that stand at the service with those wanted. */
import { groupedBy } from './values';

/** What is compared, by the label of the form; `undefined` for what is not given. The first says which record it is. */
type Compared = Readonly<Record<string, string | number | boolean | undefined>>;

/** A record as a comparison sees it. */
export interface Seen {
	/** The identifier that the service assigned: it is never compared with a wanted one. */
	readonly id?: number | string | undefined;
	/** Whether having the record is the same as not having it, such as a cost center of 0 %. */
	readonly isNothing?: boolean;
	readonly values: Compared;
}

/** Everything but letters and digits; between two digits it separates numbers. */
const SIGNS = /((?<=\d)[^\p{L}\p{M}\p{N}]+(?=\d))|[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Returns the letters and digits of a text, by which texts are compared: `1016 EA` and `1016-ea` are equal,
 * `12-3` and `123` are not.
 */
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

/**
 * Whether a record that stands at the service is a wanted one. What is not given is not compared; a record of
 * which nothing is given is none.
 */
export function isSame(wanted: Compared, there: Compared): boolean {
	const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
	return (
		given.length > 0 &&
		given.every(([label, value]) => {
			const other = there[label];
			if (typeof value === 'number') return typeof other === 'number' && isSameNumber(value, other);
			if (typeof value === 'boolean') return (other === true) === value;
			return lettersOf(String(value)) === lettersOf(String(other ?? ''));
		})
	);
}

const nameOf = ({ values }: Seen): string => String(Object.values(values)[0] ?? '');

/**
 * Finds a record of its own for each wanted one.
 *
 * @returns the wanted records that are not there, and those that are there and are not wanted
 */
export function differences(
	wanted: readonly Seen[],
	there: readonly Seen[],
): { readonly missing: readonly Seen[]; readonly others: readonly Seen[] } {
	const free = new Set(there);
	const byName = groupedBy(there, (record) => lettersOf(nameOf(record)));
	const given = ({ values }: Seen) =>
		Object.values(values).filter((value) => value !== undefined).length;
	// A record that has the values of two wanted ones is left for the one that gives more of them.
	const ordered = [...wanted].sort((a, b) => given(b) - given(a));
	const missing = ordered.filter((record) => {
		const name = nameOf(record);
		const alike = name === '' ? there : (byName.get(lettersOf(name)) ?? []);
		const exact = alike.filter((other) => nameOf(other) === name);
		const match = (exact.length > 0 ? exact : alike).find(
			(other) => free.has(other) && isSame(record.values, other.values),
		);
		return match === undefined ? record.isNothing !== true : !free.delete(match);
	});
	return { missing, others: [...free].filter(({ isNothing }) => isNothing !== true) };
}

/** Whether the records that stand at the service are those wanted. */
export function areSame(wanted: readonly Seen[], there: readonly Seen[]): boolean {
	const { missing, others } = differences(wanted, there);
	return missing.length + others.length === 0;
}
