/** Files of the input item as values of the type base64Binary. */
import { createHash } from 'node:crypto';
import { propertiesOf, type Field, type RecordContent } from '../../contract/fields';
import {
	at,
	collect,
	InputError,
	invalidBecause,
	invalidValue,
} from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { typeOf } from '../../values/recordTypes';
import { base64Binary } from '../../values/text';
import { isObject, isSet, type Values } from '../../values/values';

/** IIS takes requests of up to 30,000,000 bytes by default: a file of this size fits, in base64. */
const MAX_MIB = 20;

/** "data" and "myFile12" are words and base64: what may be either has to be a field of the item. */
const WORD = /^(?=.{1,64}$)(?:[A-Z]+|[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*)\d*$/;

type Replace = (value: unknown) => unknown;

function replaceIn(field: Field, value: unknown, replace: Replace): unknown {
	switch (field.kind) {
		case 'base64Binary':
			return isSet(value) && value !== '' ? replace(value) : value;
		case 'list':
		case 'repeated':
			if (!Array.isArray(value)) return value;
			return collect(value, (row, i) => at(i, () => replaceIn(field.of, row, replace)));
		case 'record':
			return isObject(value) ? replaceAll(typeOf(field, value) ?? field, value, replace) : value;
		default:
			return value;
	}
}

/** Returns a copy of values whose files are replaced. */
function replaceAll(content: RecordContent, values: Values, replace: Replace): Values {
	const fields = propertiesOf(content);
	const replaced = collect(Object.entries(values), ([name, value]) => {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		return [name, field ? at(name, () => replaceIn(field, value, replace)) : value];
	});
	return Object.fromEntries(replaced) as Values;
}

/** @throws {InputError} naming the binary fields of the item, if a value is neither of them nor base64 */
function checkFile(value: unknown, names: readonly string[]): void {
	const isText = typeof value === 'string' && !WORD.test(value.trim());
	if (isText && base64Binary.read(value) !== undefined) return;
	const has = names.length === 0 ? 'no binary field' : `the binary fields ${joinNames(names)}`;
	throw invalidValue(value, `is neither a binary field of the item nor base64. The item has ${has}.`);
}

/** The files of an item by name; the error of each that cannot be sent. */
type Files = ReadonlyMap<string, Buffer | InputError>;

/**
 * Returns the names of the item's files that values stand for.
 *
 * @throws {InputError} with every value that is to be a file, and is neither such a name nor base64
 */
export function namedFiles(item: InputItem, request: RecordContent, values: Values): Set<string> {
	const names = [...item.files.keys()];
	const named = new Set<string>();
	replaceAll(request, values, (value) => {
		if (typeof value === 'string' && names.includes(value)) named.add(value);
		else checkFile(value, names);
		return value;
	});
	return named;
}

/** Reads files of an item, up to {@link MAX_MIB} in all. */
export async function readFiles(item: InputItem, names: Iterable<string>): Promise<Files> {
	const files = new Map<string, Buffer | InputError>();
	let left = MAX_MIB * 2 ** 20;
	for (const name of names) {
		try {
			left -= (await item.files.get(name)?.size()) ?? 0;
			if (left < 0) throw new Error(`a call can send ${MAX_MIB} MiB of files`);
			files.set(name, (await item.files.get(name)?.read()) ?? Buffer.alloc(0));
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			files.set(name, invalidBecause(`the file in '${name}' cannot be sent, since ${reason}.`));
		}
	}
	return files;
}

/**
 * Returns values with files in base64 in place of their names.
 *
 * @throws {InputError} with every value whose file cannot be sent
 */
export function withFiles(request: RecordContent, values: Values, files: Files): Values {
	if (files.size === 0) return values;
	return replaceAll(request, values, (value) => {
		const file = files.get(value as string);
		if (file instanceof InputError) throw file;
		return file?.toString('base64') ?? value;
	});
}

/** Returns hashes of the files of an item whose names occur in values, also where they name none. */
export async function hashesOfFiles(item: InputItem, values: Values): Promise<readonly string[]> {
	const text = JSON.stringify(values);
	const names = [...item.files.keys()].filter((name) => text.includes(JSON.stringify(name)));
	const files = await readFiles(item, names);
	return [...files.values()].map((file) =>
		createHash('sha256')
			.update(file instanceof InputError ? file.message : file)
			.digest('base64'),
	);
}
