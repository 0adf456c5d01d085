/** Access to values by the names of elements, and by keys. */

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
