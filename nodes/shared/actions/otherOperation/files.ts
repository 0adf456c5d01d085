/** Files: those of the input item in a request, and *Put Output File in Field* for those of an answer. */
import { createHash } from 'node:crypto';
import {
	type IBinaryKeyData,
	type IDataObject,
	type INodeProperties,
	isExpression,
} from 'n8n-workflow';
import type { Field, Fields, RecordContent } from '../../contract/fields';
import { type Operation, resultField } from '../../contract/operation';
import { serviceError } from '../../errors/catalog';
import {
	at,
	collect,
	InputError,
	invalidBecause,
	invalidInput,
	invalidValue,
	missing,
} from '../../errors/InputError';
import { LIMITS } from '../../contract/limits';
import { CancelledError, messageOf } from '../../errors/ServiceError';
import { joinNames, truncate } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { formOf } from '../../form/mapping/mapper';
import { cellsOf } from '../../form/toolAnswer';
import type { CallResult, Notice } from '../../run/action';
import type { BytesOf } from '../../soap/write';
import { refuseName } from '../../values/kind';
import { base64Binary, string, withoutFiles } from '../../values/text';
import { isEmpty, isObject, isSet, ownEntry, type Values } from '../../values/values';

/** "data", "2026slip" and "slip/1" are names and base64: what may be either has to be a field of the item. */
const NAME =
	/^(?=.{1,64}$)[a-z]?(?:(?:[A-Z]?[a-z]{2,}(?![a-z])|[A-Z]{2,}(?![A-Z])|\d+(?!\d))[/+]?)+$/;

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

/** Reads the files of an item whose names occur in values, within the limit of a request. */
async function readFiles(item: InputItem, values: Values): Promise<Files> {
	const text = item.files.size === 0 ? '' : JSON.stringify(values);
	const files = new Map<string, Buffer | InputError>();
	let left = LIMITS.fileMebibytes * 2 ** 20;
	for (const [name, file] of item.files) {
		if (!text.includes(JSON.stringify(name))) continue;
		try {
			const size = await file.size();
			if (size > left) throw new Error(`a call can send ${LIMITS.fileMebibytes} MiB of files`);
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
		if (file !== undefined) return file.toString('base64');
		const isText = typeof value === 'string' && !NAME.test(value.trim());
		if (value === '' || (isText && base64Binary.read(value) !== undefined)) return value;
		const names = joinNames([...item.files.keys()]);
		const has = names === '' ? 'no binary field' : `the binary fields ${names}`;
		throw invalidValue(
			value,
			`is neither a binary field of the item nor base64. The item has ${has}.`,
		);
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

const FORMATS: readonly string[] = ['automatic', 'base64', 'text'];

/** Shorter texts are base64 by chance. */
const MIN_BASE64 = 64;

/** Fewer bytes are a file only if n8n knows their type: "NotFound" is base64, too. */
const MIN_BYTES = 16;

/** The options for a file in the answer. The first has the name that n8n's HTTP Request gives it. */
const options = {
	field: {
		displayName: 'Put Output File in Field',
		name: 'outputPropertyName',
		type: 'string',
		default: 'data',
		description:
			'Name of the output binary field to put the file of the result in. Each record is an item with its file, and keeps its other fields.',
	},
	path: {
		displayName: 'File Content In',
		name: 'fileContentIn',
		type: 'string',
		default: '',
		placeholder: 'e.g. Document.Content',
		description:
			'Path of the element with the content of the file, such as Document.Content. Leave it empty if the result itself is the file.',
	},
	format: {
		displayName: 'File Content Is',
		name: 'fileContentIs',
		type: 'options',
		options: [
			{ name: 'Automatic', value: 'automatic', description: 'By the type of the element' },
			{ name: 'Base64', value: 'base64', description: 'Decode the text of the element' },
			{ name: 'Text', value: 'text', description: 'Keep the text of the element, as UTF-8' },
		],
		default: 'automatic',
		description: 'How the element holds the file. Many services put base64 into a plain string.',
	},
	name: {
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. payslip-1001.pdf',
		description:
			'If empty, the name is made of the operation, the keys of the request and the type of the content. Several files of one call are numbered.',
	},
} as const satisfies Record<string, INodeProperties>;

export const outputFileOptions: readonly INodeProperties[] = Object.values(options);

/** What the builder says about the file of an answer: text by option. Path and name may be empty. */
type OutputFile = Readonly<Record<keyof typeof options, string>>;

/** Longer texts of a request are no keys. */
const MAX_KEY = 40;

/** File systems allow 255 bytes; a number may be added. */
const MAX_NAME = 240;

/**
 * Reads what the builder says about the file of an answer; `undefined` if there is to be none.
 *
 * @throws {InputError} with every option that is not allowed
 */
export function readOutputFile(item: InputItem): OutputFile | undefined {
	const added = Object(item.stored('options')) as object;
	const [first] = outputFileOptions.filter(({ name }) => Object.hasOwn(added, name));
	if (first === undefined) return undefined;
	const read = collect(Object.entries(options), ([key, { name, default: fallback }]) =>
		at(name, () => {
			const text = string.write(item.read(`options.${name}`, fallback) ?? '').trim();
			if (key === 'field' && text === '') throw missing();
			if (key === 'format' && !FORMATS.includes(text)) refuseName(text, FORMATS);
			if (first === options[key as 'name'] && key !== 'field') {
				throw invalidInput(
					`has no effect without '${options.field.displayName}'.`,
					'VALUE_CONFLICT',
				);
			}
			if (Buffer.byteLength(text) <= MAX_NAME) return [key, text];
			throw invalidInput(`has more than ${MAX_NAME} bytes.`);
		}),
	);
	return Object.fromEntries(read) as OutputFile;
}

/** Returns the notice about a text that is probably a file. The first record stands for the others. */
export function fileNotices([first = {}]: readonly IDataObject[]): readonly Notice[] {
	const files = [...cellsOf(first)].filter(
		([, value]) => typeof value === 'string' && withoutFiles(value) !== value,
	);
	if (files.length === 0) return [];
	const text = `A text is a file. To get it as one, add the option '${options.field.displayName}'`;
	return [{ isProblem: false, text, list: files.map(([name]) => name) }];
}

/** The element with the content of a file, within each item. */
interface Place {
	/** Empty for the only element of an item that the description does not have. */
	readonly path: readonly string[];
	/** Its type; `undefined` if the description does not have it. */
	readonly field: Field | undefined;
}

/** The kinds of elements that can hold a file. */
const TEXTS: ReadonlySet<string> = new Set(['any', 'base64Binary', 'string']);

const listed = (name: string): string =>
	`${name} leads to a list, and a file is in one record: use an operation that gives the list itself, or n8n's Split Out.`;

/** @returns the type of the element at a path; `undefined` if the description does not have it */
function fieldAt(fields: Fields, [name = '', ...inner]: readonly string[]): Field | undefined {
	const field = ownEntry(fields, name);
	if (field === undefined) {
		const known = joinNames(Object.keys(fields)) || 'none';
		throw invalidInput(`cannot be used: there is no '${name}' in the result. It has: ${known}.`);
	}
	if (field.kind === 'list' || field.kind === 'repeated') {
		throw invalidInput(`cannot be used. ${listed(`'${name}'`)}`);
	}
	if (inner.length === 0 || field.kind === 'any') return field;
	return fieldAt(field.kind === 'record' ? field.fields : {}, inner);
}

/**
 * Finds the content of a file in the description of an operation.
 *
 * @param given dotted path below each item; empty if the result itself is the content
 * @throws {InputError} if the description does not have it there, or not as a single text
 */
function placeOf(operation: Operation, given: string): Place {
	const [, result] = resultField(operation) ?? [];
	const isList = result?.kind === 'list' || result?.kind === 'repeated';
	const of = isList ? result.of : result;
	if (operation.response.isOpen === true || of?.kind === 'any') {
		return { path: given === '' ? [] : given.split('.'), field: undefined };
	}
	const isRecord = of === undefined || of.kind === 'record';
	const own = isRecord ? '' : (of.property ?? 'Result');
	const fields = of?.kind === 'record' ? of.fields : operation.response.fields;
	const within = isRecord ? fields : { [own]: of };
	if (given === '' && isRecord) {
		const known = joinNames(Object.keys(within)) || 'none';
		throw invalidInput(
			`is empty, and the result is a record. Enter the element with the content. It has: ${known}.`,
		);
	}
	const text = given === '' ? own : given;
	const path = Object.hasOwn(within, text) ? [text] : text.split('.');
	const field = fieldAt(within, path);
	if (TEXTS.has(field?.kind ?? 'any')) return { path, field };
	throw invalidInput(`cannot be '${text}'. It is no text.`);
}

const noFile = (element: string, reason: string) =>
	serviceError('FILE_UNUSABLE', { element, reason });

/** The error for a text that is no file. */
const isOtherText = (element: string, said: string) =>
	serviceError('FILE_UNUSABLE/otherText', { element, text: JSON.stringify(truncate(said, 200)) });

/**
 * Takes the content of a file out of an item.
 *
 * @returns the content, `undefined` if there is none, and a copy of the item without it
 * @throws {ServiceError} if the item does not have the element
 */
function takeContent(
	item: Values,
	{ path, field }: Place,
): readonly [content: unknown, rest: Values] {
	const names = Object.keys(item);
	const [name = names.length === 1 ? names[0] : undefined, ...inner] = path;
	// What an item says of an empty answer.
	if (path.length === 0 && item.success === true) return [undefined, item];
	const known = `The elements there: ${joinNames(names) || 'none'}.`;
	if (name === undefined) throw noFile('it', `It has several elements. ${known}`);
	if (!Object.hasOwn(item, name)) {
		if (field !== undefined) return [undefined, item];
		throw noFile(name, known);
	}
	const { [name]: value, ...rest } = item;
	if (Array.isArray(value)) throw noFile(name, listed(name));
	if (inner.length === 0) return [value === '' ? undefined : (value ?? undefined), rest];
	if (!isSet(value) || value === '') return [undefined, item];
	if (!isObject(value)) throw noFile(path.join('.'), `${name} is a single value.`);
	const [content, within] = takeContent(value, { path: inner, field });
	return [content, { ...item, [name]: within }];
}

/** Returns the content of a file as bytes. @throws {ServiceError} if it is no text or base64 */
function bytesOf(content: unknown, name: string, isBase64: boolean): Buffer {
	if (typeof content !== 'string') throw noFile(name, 'It is not a single text.');
	if (!isBase64) return Buffer.from(content);
	const digits = base64Binary.read(content);
	if (digits === undefined) throw isOtherText(name, content);
	return Buffer.from(digits, 'base64');
}

/**
 * A file name with the row before its extension, if there are several; no folder, nor the way to one, nor a
 * character that hides or turns others around.
 */
function fileName(name: string, row: number, rows: number): string {
	const numbered = rows > 1 ? name.replace(/(\.[^.]*)?$/, `-${row + 1}$1`) : name;
	return numbered.replace(/\p{Cf}/gu, '').replace(/[\\/:\p{Cc}]|^\.+$/gu, '_');
}

/**
 * Returns what turns the content of files in an operation's answer into binary data; the content leaves
 * the records.
 *
 * @param cancel ends the storing of files
 * @throws {InputError} if the description has no such content
 */
export function outputFiles(
	item: InputItem,
	{ field, path, format, name }: OutputFile,
	operation: Operation,
	cancel: AbortSignal | undefined,
): (result: CallResult, request: IDataObject) => Promise<CallResult> {
	const place = at(options.path.name, () => placeOf(operation, path));
	const kind = format === 'automatic' ? (place.field?.kind ?? 'any') : format;
	const isBase64 = kind.startsWith('base64');
	at(options.format.name, () => {
		if (kind !== 'any') return;
		throw invalidInput('is Automatic, but no type is known. Choose Base64 or Text.');
	});
	return async ({ records, notices }, request) => {
		// A payslip of another run is another file.
		const keys = [...cellsOf(request)].filter(([, value]) => {
			return typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_KEY);
		});
		const named = keys.map(([, value]) => String(value)).join('-');
		const call = [operation.name, named].map((part) => part.slice(0, MAX_NAME / 4)).join('-');
		const said = (text: string) => ({ isProblem: true, text, list: [call] });
		const taken = records.map((record) => takeContent(record, place));
		if (taken.filter(([content]) => isSet(content)).length > LIMITS.files) {
			throw serviceError('ANSWER_TOO_LARGE/parts', { limit: `${LIMITS.files} files` });
		}
		const files: Array<IBinaryKeyData | undefined> = [];
		const found = [...notices];
		for (const [row, [content]] of taken.entries()) {
			files.push(undefined);
			if (!isSet(content)) {
				found.push(said('The service sent no content, so there is no file, for'));
				continue;
			}
			if (cancel?.aborted) throw new CancelledError('unknown');
			const element = place.path.join('.') || 'the result';
			const bytes = bytesOf(content, element, isBase64);
			if (
				isBase64 &&
				bytes.length < MIN_BYTES &&
				!(await item.storeFile(bytes, '')).fileExtension
			) {
				throw isOtherText(element, String(content));
			}
			const numbered = (one: string): string => fileName(one, row, records.length);
			const file = await item.storeFile(bytes, name && numbered(name));
			const { fileExtension: extension = isBase64 ? '' : 'txt' } = file;
			file.fileName ??= numbered(call.replace(/-$/, '')) + (extension && `.${extension}`);
			files[row] = { [field]: file };
			const isOther = kind === 'string' && bytes.length >= MIN_BASE64;
			if (isOther && base64Binary.read(String(content)) !== undefined) {
				found.push(said("The file looks like base64, which 'File Content Is' can decode, in"));
			}
		}
		return { records: taken.map(([, rest]) => rest as IDataObject), files, notices: found };
	};
}
