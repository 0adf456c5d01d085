/** Files of the input item as values of the type base64Binary. */
import { createHash } from 'node:crypto';
import { isExpression } from 'n8n-workflow';
import type { RecordContent } from '../../contract/fields';
import { at, collect, InputError, invalidBecause, invalidValue } from '../../errors/InputError';
import { messageOf } from '../../errors/ServiceError';
import { isEmpty, joinNames } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import type { BytesOf } from '../../soap/writeFields';
import { base64Binary } from '../../values/text';
import { isSet, ownEntry, type Values } from '../../values/values';
import { formOf } from '../../form/mapping/mapper';

/** IIS takes requests of up to 30,000,000 bytes by default: a file of this size fits, in base64. */
const MAX_MIB = 20;

/** "data", "2026slip" and "slip/1" are names and base64: what may be either has to be a field of the item. */
const NAME =
	/^(?=.{1,64}$)[a-z]?(?:(?:[A-Z]?[a-z]{2,}(?![a-z])|[A-Z]{2,}(?![A-Z])|\d+(?!\d))[/+]?)+$/;

/** @throws {InputError} naming the binary fields of the item, if a value is neither of them nor base64 */
function checkFile(value: unknown, names: readonly string[]): void {
	const isText = typeof value === 'string' && !NAME.test(value.trim());
	if (isText && base64Binary.read(value) !== undefined) return;
	const has = names.length === 0 ? 'no binary field' : `the binary fields ${joinNames(names)}`;
	throw invalidValue(
		value,
		`is neither a binary field of the item nor base64. The item has ${has}.`,
	);
}

/**
 * Ensures that each expression for a required field or for a file gives something: without the content
 * of a file, the call would succeed.
 *
 * @param stored the values of the form as the builder stored them
 * @param absent returns the error for one
 * @throws {InputError} with every expression that gives nothing
 */
export function requireGiven(
	request: RecordContent,
	stored: Values,
	given: Values,
	absent: () => InputError,
): void {
	collect(formOf(request).fields, ([id, { field, isRequired }]) =>
		at(id, () => {
			const isNeeded = isRequired || field.kind === 'base64Binary';
			const value = ownEntry(given, id);
			const isGiven = field.kind === 'string' ? isSet(value) : !isEmpty(value);
			if (isNeeded && !isGiven && isExpression(ownEntry(stored, id))) throw absent();
		}),
	);
}

/** The files of an item by name; the error of each that cannot be sent. */
type Files = ReadonlyMap<string, Buffer | InputError>;

/** Reads the files of an item whose names occur in values, up to {@link MAX_MIB} in all. */
async function readFiles(item: InputItem, values: Values): Promise<Files> {
	const text = item.files.size === 0 ? '' : JSON.stringify(values);
	const files = new Map<string, Buffer | InputError>();
	let left = MAX_MIB * 2 ** 20;
	for (const [name, file] of item.files) {
		if (!text.includes(JSON.stringify(name))) continue;
		try {
			const size = await file.size();
			if (size > left) throw new Error(`a call can send ${MAX_MIB} MiB of files`);
			left -= size;
			files.set(name, await file.read());
		} catch (error) {
			const text = `the file in '${name}' cannot be sent, since ${messageOf(error)}.`;
			files.set(name, invalidBecause(text));
		}
	}
	return files;
}

/**
 * Reads the files of an item that values may name.
 *
 * @returns the base64 of a file for its name, and of any other value the value
 */
export async function filesNamedIn(item: InputItem, values: Values): Promise<BytesOf> {
	const files = await readFiles(item, values);
	return (value) => {
		const file = files.get(value as string);
		if (file instanceof InputError) throw file;
		if (file === undefined && value !== '') checkFile(value, [...item.files.keys()]);
		return file?.toString('base64') ?? value;
	};
}

/** Returns hashes of the files of an item whose names occur in values, also where they name none. */
export async function hashesOfFiles(item: InputItem, values: Values): Promise<readonly string[]> {
	const files = await readFiles(item, values);
	return [...files.values()].map((file) =>
		createHash('sha256')
			.update(file instanceof InputError ? file.message : file)
			.digest('base64'),
	);
}
