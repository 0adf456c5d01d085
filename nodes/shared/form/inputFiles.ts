/** The files of an input item in a request. */
import { LIMITS } from '../contract/limits';
import { messageOf } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import type { BytesOf } from '../soap/write';
import { InputError, invalidBecause, invalidValue } from '../values/InputError';
import { readScalar } from '../values/scalars';
import type { Values } from '../values/values';
import type { InputItem } from './inputItem';

/** "data", "2026slip" and "slip/1" are names and base64: what may be either has to be a field of the item. */
const NAME =
	/^(?=.{1,64}$)[a-z]?(?:(?:[A-Z]?[a-z]{2,}(?![a-z])|[A-Z]{2,}(?![A-Z])|\d+(?!\d))[/+]?)+$/;

/** The bytes of all files in a request. */
const MAX_BYTES = LIMITS.fileMebibytes * 2 ** 20;
const TOO_LARGE = `a call can send ${LIMITS.fileMebibytes} MiB of files`;

const notSendable = (name: string, why: string): InputError =>
	invalidBecause(`the file in '${name}' cannot be sent, since ${why}.`);

type Files = Map<string, Buffer | InputError>;

/** Reads the files of an item whose names occur in values, or why one cannot be sent. */
export async function readFiles(item: InputItem, values: Values): Promise<Files> {
	const text = item.files.size === 0 ? '' : JSON.stringify(values);
	const files: Files = new Map();
	for (const [name, file] of item.files) {
		const quoted = JSON.stringify(name);
		// A parameter may be a text of JSON.
		const inText = JSON.stringify(quoted).slice(1, -1);
		if (!text.includes(quoted) && !text.includes(inText)) continue;
		try {
			if ((await file.size()) > MAX_BYTES) throw new Error(TOO_LARGE);
			files.set(name, await file.read());
		} catch (error) {
			files.set(name, notSendable(name, messageOf(error)));
		}
	}
	return files;
}

/** Returns what gives the base64 of a value: that of a file by its name, or the value itself. @see {@link BytesOf} */
export function bytesIn(item: InputItem, files: Files): BytesOf {
	let left = MAX_BYTES;
	return (value) => {
		const file = files.get(value as string);
		if (file instanceof InputError) throw file;
		left -= file?.length ?? 0;
		if (left < 0) throw notSendable(String(value), TOO_LARGE);
		if (file !== undefined) return file.toString('base64');
		const isText = typeof value === 'string' && !NAME.test(value.trim());
		const isBase64 = isText && readScalar({ kind: 'base64Binary' }, value) !== undefined;
		if (value === '' || isBase64) return value;
		const names = joinNames([...item.files.keys()]);
		const has = names === '' ? 'no binary field' : `the binary fields ${names}`;
		const text = `is neither a binary field of the item nor base64. The item has ${has}.`;
		throw invalidValue(value, text);
	};
}
