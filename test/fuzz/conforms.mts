/** Checks values that were read, by the contract alone. */
import type { Field, Fields } from '../../nodes/shared/contract/fields.ts';

function wrong(path: string, value: unknown): Error {
	return new Error(`${path} is no value of the contract: ${String(value).slice(0, 80)}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return (
		typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
	);
}

/** Throws if a value does not fit the field: of another type, out of range, or not a plain object. */
export function conforms(field: Field, value: unknown, path: string): void {
	if (field.kind === 'list') {
		if (!Array.isArray(value)) throw wrong(path, value);
		value.forEach((row, i) => conforms(field.of, row, `${path}[${i}]`));
		return;
	}
	if (field.kind === 'record') return fieldsConform(field.fields, value, path);
	const rules: Partial<Record<Field['kind'], () => boolean>> = {
		int: () => Number.isInteger(value) && Math.abs(Number(value) + 0.5) < 2 ** 31,
		decimal: () =>
			Number.isFinite(value) || (typeof value === 'string' && /^[+-]?[\d.]+$/.test(value)),
		boolean: () => typeof value === 'boolean',
		string: () => typeof value === 'string' && value.isWellFormed(),
		country: () => typeof value === 'string' && value.isWellFormed(),
		enumeration: () => typeof value === 'string' && value.isWellFormed(),
	};
	if (!rules[field.kind]?.()) throw wrong(path, value);
}

function fieldsConform(fields: Fields, value: unknown, path: string): void {
	if (!isRecord(value)) throw wrong(path, value);
	for (const [name, part] of Object.entries(value)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (field !== undefined && part !== null) conforms(field, part, `${path}.${name}`);
	}
}

/** Throws if a value is not plain JSON, which n8n could not store and restore. */
export function isPlainJson(value: unknown, path = '$'): void {
	if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
	if (Number.isFinite(value)) return;
	if (Array.isArray(value)) value.forEach((part, i) => isPlainJson(part, `${path}[${i}]`));
	else if (isRecord(value)) {
		for (const [name, part] of Object.entries(value)) isPlainJson(part, `${path}.${name}`);
	} else throw wrong(path, value);
}
