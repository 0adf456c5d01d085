/** Access to values by the names of elements, and by keys. */

/** A record's values by element name. */
export type Values = Record<string, unknown>;

/** How an assignment defines a property. */
const OWN = { writable: true, enumerable: true, configurable: true };

/** Whether a value is an object, and neither `null` nor an array. */
export function isObject(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is set: neither absent nor `null`. */
export function isSet<T>(value: T): value is NonNullable<T> {
	return value !== undefined && value !== null;
}

/** Returns an object for values by names that anyone may have chosen: it inherits nothing. */
export function emptyValues(): Values {
	return Object.create(null) as Values;
}

/**
 * Returns an object's own property by name, never an inherited one; `undefined` if there is none.
 */
export function ownEntry<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Sets an object's own property by name: an assignment to `__proto__` would set the prototype. */
export function setOwn(values: Values, name: string, value: unknown): void {
	if (name !== '__proto__') values[name] = value;
	else Object.defineProperty(values, name, { ...OWN, value });
}

/** Returns the value at a path of element names; `undefined` if there is none. */
export function valueAt(values: Values, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isObject(value) ? ownEntry(value, name) : undefined),
		values,
	);
}

/** Sets the value at a path of element names. Records on the way are copied, or made. */
export function setAt(
	values: Values,
	[name = '', ...inner]: readonly string[],
	value: unknown,
): void {
	if (inner.length === 0) {
		values[name] = value;
		return;
	}
	const record = Object.assign(emptyValues(), valueAt(values, [name]));
	setAt(record, inner, value);
	values[name] = record;
}

/** Returns values in groups with the same key, in their order. */
export function groupedBy<V>(
	values: Iterable<V>,
	keyOf: (value: V) => string,
): Map<string, [V, ...V[]]> {
	const groups = new Map<string, [V, ...V[]]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [value]);
		else group.push(value);
	}
	return groups;
}
