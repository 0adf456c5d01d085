/** The part of JSON Schema that n8n shows in its editor. */

const TYPES: Record<string, (value: unknown) => boolean> = {
	array: (value) => Array.isArray(value),
	boolean: (value) => typeof value === 'boolean',
	integer: (value) => Number.isInteger(value),
	number: (value) => typeof value === 'number',
	object: isObject,
	string: (value) => typeof value === 'string',
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a value is not what its schema says; no field may be missing or unknown either. */
export function valueProblems(schema: unknown, value: unknown, path = '$'): string[] {
	if (!isObject(schema) || !TYPES[String(schema.type)]?.(value)) {
		return [`${path} is ${JSON.stringify(value)}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((row, index) => valueProblems(schema.items, row, `${path}[${index}]`));
	}
	if (!isObject(value) || !isObject(schema.properties)) return [];
	const { properties } = schema;
	// A record in a list has the fields that were given or read.
	const expected = path.includes('[') ? [] : Object.keys(properties);
	const names = new Set([...expected, ...Object.keys(value)]);
	return [...names].flatMap((name) =>
		valueProblems(properties[name], value[name], `${path}.${name}`),
	);
}
