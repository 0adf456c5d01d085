/** The part of JSON Schema that n8n shows in its editor, and nothing else. */

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

/** The problems of a schema: an unknown keyword or type, or a part that is no schema. */
export function schemaProblems(schema: unknown, path = '$'): string[] {
	if (!isObject(schema)) return [`${path} is no schema`];
	const { type, properties, items, version, ...unknown } = schema;
	const problems = Object.keys(unknown).map((keyword) => `${path} has the keyword ${keyword}`);
	if (typeof type !== 'string' || !Object.hasOwn(TYPES, type)) problems.push(`${path} has no type`);
	if (version !== undefined && path !== '$') problems.push(`${path} has a version`);
	if ((type === 'object') !== isObject(properties)) problems.push(`${path}: properties`);
	if ((type === 'array') !== (items !== undefined)) problems.push(`${path}: items`);
	const parts = isObject(properties) ? Object.entries(properties) : [];
	if (items !== undefined) parts.push(['[]', items]);
	return [...problems, ...parts.flatMap(([name, part]) => schemaProblems(part, `${path}.${name}`))];
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
	const names = new Set([...Object.keys(properties), ...Object.keys(value)]);
	return [...names].flatMap((name) =>
		valueProblems(properties[name], value[name], `${path}.${name}`),
	);
}
