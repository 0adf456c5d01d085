/** Access to values by the names of elements, and by keys. */
import type { Field, RecordContent } from '../contract/fields';

/** A record's values by element name. */
export type Values = Record<string, unknown>;

/** Whether a value writes itself as a text, as a `Date` and a DateTime of Luxon do. */
export function isInstant(value: unknown): value is Pick<Date, 'toJSON'> {
	const isOther = typeof value !== 'object' || value === null || ArrayBuffer.isView(value);
	return !isOther && 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Whether a value is an object of values by name: no array, date, `Map` or `Buffer`. */
export function isObject(value: unknown): value is Values {
	return Object.prototype.toString.call(value) === '[object Object]' && !isInstant(value);
}

/** Whether a value is set: neither absent nor `null`. */
export function isSet<T>(value: T): value is NonNullable<T> {
	return value !== undefined && value !== null;
}

/** Whether a value is `undefined`, `null` or a string of whitespace only. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/** Returns an object for values by names that anyone may have chosen: it inherits nothing. */
export function emptyValues(): Values {
	return Object.create(null) as Values;
}

/** Returns an object's own property by name, never an inherited one. */
export function ownEntry<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Returns the value at a path of element names; `undefined` if there is none. */
export function valueAt(values: Values, path: readonly string[]): unknown {
	let value: unknown = values;
	for (const name of path) value = isObject(value) ? ownEntry(value, name) : undefined;
	return value;
}

/** Returns what sets values at paths, in a copy of each record on the way. @param values see {@link emptyValues} */
export function setterOf(values: Values): (path: readonly string[], value: unknown) => void {
	const own = new Set<unknown>();
	return (path, value) => {
		let record = values;
		for (const name of path.slice(0, -1)) {
			const before = ownEntry(record, name);
			if (isSet(before) && !isObject(before)) return;
			if (!own.has(before)) own.add((record[name] = Object.assign(emptyValues(), before)));
			record = record[name] as Values;
		}
		record[path.at(-1) ?? ''] = value;
	};
}

/** Returns values by their paths as a record, without those that are `undefined`. */
export function fromPaths(entries: Iterable<readonly [readonly string[], unknown]>): Values {
	const values = emptyValues();
	const set = setterOf(values);
	for (const [path, value] of entries) {
		if (value !== undefined) set(path, value);
	}
	return values;
}

/**
 * Separates the values that a type defines from the paths of all others. `null` where the element cannot be nil
 * and a nested record that has only other values count as not set.
 *
 * @param meaningOf returns what the value of a field stands for; `undefined` if it is not set
 */
export function knownValues(
	{ fields }: Pick<RecordContent, 'fields'>,
	values: Values,
	meaningOf: (value: unknown) => unknown = (value) => value,
): { readonly known: Values; readonly unknown: readonly string[] } {
	const unknown = new Set<string>();
	/** @param prefix of the paths of its values */
	const knownPart = (field: Field, given: unknown, prefix: string): unknown => {
		const value = meaningOf(given);
		if (value === null) return field.nillable === true ? value : undefined;
		if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
			return value.map((row) => knownPart(field.of, row, prefix) ?? row);
		}
		if (field.kind !== 'record' || !isObject(value)) return value;
		const all = Object.entries(value);
		const known = all.flatMap(([name, inner]) => {
			const own = ownEntry(field.fields, name);
			if (own === undefined) unknown.add(prefix + name);
			const part = own && knownPart(own, inner, `${prefix}${name}.`);
			return part === undefined ? [] : [[name, part] as const];
		});
		return known.length > 0 || all.length === 0 ? Object.fromEntries(known) : undefined;
	};
	const known = knownPart({ kind: 'record', type: '', fields }, values, '') ?? {};
	return { known: known as Values, unknown: [...unknown] };
}

/** Returns values in groups with the same key, in their order. A value with several keys is in several groups. */
export function groupedBy<V>(
	values: Iterable<V>,
	keysOf: (value: V) => string | readonly string[],
): Map<string, [V, ...V[]]> {
	const groups = new Map<string, [V, ...V[]]>();
	for (const value of values) {
		for (const key of new Set([keysOf(value)].flat())) {
			const group = groups.get(key);
			if (group === undefined) groups.set(key, [value]);
			else group.push(value);
		}
	}
	return groups;
}
