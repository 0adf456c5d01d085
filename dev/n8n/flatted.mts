/** Reads the format in which n8n stores the data of an execution: JSON without nesting, so that cycles fit in. */

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * Takes a text of the `flatted` format: a list of values, in which every text inside a value is the index of
 * another. Gives the first value, put together.
 */
export function parseFlatted(text: string): unknown {
	const values = JSON.parse(text) as Json[];
	const made = new Map<number, unknown>();

	const resolve = (index: number): unknown => {
		const known = made.get(index);
		if (known !== undefined) return known;
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		// Known before it is filled: something inside may refer back to it.
		const result: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
		made.set(index, result);
		for (const [name, inner] of Object.entries(value)) {
			// defineProperty, since __proto__ may be a name like any other.
			Object.defineProperty(result, name, {
				value: typeof inner === 'string' ? resolve(Number(inner)) : inner,
				configurable: true,
				enumerable: true,
				writable: true,
			});
		}
		return result;
	};
	return resolve(0);
}
