/** *Put Output File in Field*: the file of an answer as binary data. */
import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';
import { LIMITS } from '../../contract/limits';
import type { Operation } from '../../contract/operation';
import { at, collect, invalidInput, missing } from '../../values/InputError';
import { CancelledError, serviceError } from '../../errors/ServiceError';
import { joinNames, readable, truncate } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { cellsOf } from '../../form/tool';
import { noticeOf } from '../../form/requestValues';
import { isTool } from '../../host/nodes';
import type { CallResult, Plan } from '../../run/action';
import { refuseName } from '../../values/kind';
import { readScalar, writeScalar } from '../../values/scalars';
import { isObject, isSet, ownEntry, type Values } from '../../values/values';
import { itemFields } from '../../soap/call';

const isBase64 = (text: string): boolean =>
	readScalar({ kind: 'base64Binary' }, text) !== undefined;

/** Shorter texts in base64 may be a key or a word. */
const MIN_DIGITS = 256;

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
			'Path of the element with the content of the file, such as Document.Content. Leave it empty if the result itself, or its only element, is the file.',
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

/** The text of each option. Path and name may be empty. */
type OutputFile = Readonly<Record<keyof typeof options, string>>;

/** File systems allow 255 bytes; a number may be added. */
const MAX_NAME = 240;

/** Reads the options; `undefined` if there is to be no file. @throws {InputError} with every option that is not allowed */
export function readOutputFile(item: InputItem): OutputFile | undefined {
	const added = Object(item.stored('options')) as object;
	const [first] = outputFileOptions.filter(({ name }) => Object.hasOwn(added, name));
	if (first === undefined) return undefined;
	if (first !== options.field) {
		const text = `has no effect without '${options.field.displayName}'.`;
		throw invalidInput(text, 'VALUE_CONFLICT').at(first.name);
	}
	const formats: string[] = options.format.options.map(({ value }) => value);
	const read = collect(Object.entries(options), ([key, { name, default: fallback }]) =>
		at(name, () => {
			const given = item.read(`options.${name}`, fallback) ?? '';
			const text = writeScalar({ kind: 'string' }, given).trim();
			if (key === 'field' && text === '') throw missing();
			if (key === 'format' && !formats.includes(text)) refuseName(text, formats);
			if (Buffer.byteLength(text) <= MAX_NAME) return [key, text];
			throw invalidInput(`has more than ${MAX_NAME} bytes.`);
		}),
	);
	return Object.fromEntries(read) as OutputFile;
}

const leadsToList = (name: string): string =>
	`${name} leads to a list, and a file is in one record: use an operation that gives the list itself, or n8n's Split Out.`;

const namesIn = (values: object): string => joinNames(Object.keys(values)) || 'none';

/**
 * Returns where the files of an answer are, and what to make of them. The path is empty for the only element of an
 * item that the description does not have.
 *
 * @throws {InputError} if the description does not have a single text there, or does not say how it holds the file
 */
export function outputOf(operation: Operation, { path: given, format, ...file }: OutputFile) {
	const fields = itemFields(operation);
	const isDescribed = fields !== undefined;
	const [only = '', ...others] = Object.keys(fields ?? {});
	const unusable = (text: string) => invalidInput(text).at(options.path.name);
	if (isDescribed && given === '' && (only === '' || others.length > 0)) {
		const text = 'is empty, and the result is a record. Enter the element with the content.';
		throw unusable(`${text} It has: ${namesIn(fields)}.`);
	}
	const text = given || only;
	let path = text === '' ? [] : text.split('.');
	if (isDescribed && Object.hasOwn(fields, text)) path = [text];
	let kind: string = isDescribed ? 'record' : 'any';
	let within = fields ?? {};
	for (const name of path) {
		// What is inside it is not described.
		if (kind === 'any') break;
		const field = ownEntry(within, name);
		if (field === undefined) {
			const known = `It has: ${namesIn(within)}.`;
			throw unusable(`cannot be used: there is no '${name}' in the result. ${known}`);
		}
		({ kind } = field);
		if (kind === 'list' || kind === 'repeated') {
			throw unusable(`cannot be used. ${leadsToList(`'${name}'`)}`);
		}
		within = field.kind === 'record' ? field.fields : {};
	}
	if (!['any', 'base64Binary', 'string'].includes(kind)) {
		throw unusable(`cannot be '${text}'. It is no text.`);
	}
	if (format !== 'automatic') kind = format;
	if (kind !== 'any') return { ...file, path, kind, isDescribed };
	const unknown = 'is Automatic, but no type is known. Choose Base64 or Text.';
	throw invalidInput(unknown).at(options.format.name);
}

const noFile = (element: string, reason: string) =>
	serviceError('FILE_UNUSABLE', { element, reason });

const isOtherText = (element: string, said: string) =>
	serviceError('FILE_UNUSABLE/otherText', { element, text: JSON.stringify(truncate(said, 200)) });

/** Returns the content of a file, and the item without it. @throws {ServiceError} if the item does not have the element */
function takeContent(
	item: Values,
	[name = '', ...inner]: readonly string[],
	isDescribed: boolean,
): readonly [content: unknown, rest: Values] {
	const { [name]: value, ...rest } = item;
	if (!Object.hasOwn(item, name) && !isDescribed) {
		throw noFile(name, `The elements there: ${namesIn(item)}.`);
	}
	if (Array.isArray(value)) throw noFile(name, leadsToList(name));
	const content = value === '' ? undefined : (value ?? undefined);
	if (inner.length === 0) return [content, rest];
	if (content === undefined) return [undefined, item];
	if (!isObject(content)) {
		throw noFile([name, ...inner].join('.'), `${name} is a single value.`);
	}
	const [found, within] = takeContent(content, inner, isDescribed);
	return [found, { ...item, [name]: within }];
}

/** Longer texts of a request are no keys. */
const MAX_KEY = 40;

/** Shorter texts are base64 by chance. */
const MIN_BASE64 = 64;

/** Fewer bytes, or letters alone, are a file only if n8n knows their type: "NotFound" is base64, too. */
const MIN_BYTES = 16;

/**
 * Turns the content of files in an operation's answer into binary data; the content leaves the records. Without
 * an option for a file, a notice names the texts that are probably files.
 *
 * @throws {ServiceError} if there is something else in place of a file
 */
export async function takeFiles(
	item: InputItem,
	output: ReturnType<typeof outputOf> | undefined,
	operation: string,
	{ preview }: Pick<Plan, 'preview'>,
	{ records, notices }: CallResult,
	{ cancel }: ServiceAccess['host'],
): Promise<CallResult> {
	if (output === undefined) {
		const texts = isTool(item.node) ? [] : cellsOf(records[0] ?? {});
		const names = [...texts].flatMap(([name, value]) => {
			const isLong = typeof value === 'string' && value.length >= MIN_DIGITS;
			return isLong && isBase64(value) ? [name] : [];
		});
		const text = `A text looks like a file. To get it as one, add the option '${options.field.displayName}'`;
		return { records, notices: [...notices, ...noticeOf('option', text, names)] };
	}
	const { field, name, path, isDescribed, kind } = output;
	const wantsBase64 = kind.startsWith('base64');
	const element = path.join('.') || 'the result';
	// A payslip of another run is another file.
	const keys = [...cellsOf(preview().request as IDataObject)].flatMap(([, value]) => {
		const isKey = typeof value === 'number' || typeof value === 'string';
		return isKey && String(value).length <= MAX_KEY ? [String(value)] : [];
	});
	const parts = [operation, keys.join('-')].filter(Boolean);
	const call = parts.map((part) => part.slice(0, MAX_NAME / 4)).join('-');
	const taken = records.map((record) => {
		if (path.length > 0) return takeContent(record, path, isDescribed);
		// What an item says of an empty answer.
		if (record.success === true) return [undefined, record] as const;
		const names = Object.keys(record);
		if (names.length === 1) return takeContent(record, names, false);
		throw noFile('it', `It has several elements. The elements there: ${namesIn(record)}.`);
	});
	if (taken.filter(([content]) => isSet(content)).length > LIMITS.files) {
		throw serviceError('ANSWER_TOO_LARGE/parts', { limit: `${LIMITS.files} files` });
	}
	const found = [...notices];
	const files: Array<IBinaryKeyData | undefined> = [];
	for (const [row, [content]] of taken.entries()) {
		if (content === undefined) {
			const text = 'The service sent no content, so there is no file';
			found.push({ kind: 'missing', text, list: [call] });
			files.push(undefined);
			continue;
		}
		if (cancel?.aborted) throw new CancelledError('unknown');
		if (typeof content !== 'string') throw noFile(element, 'It is not a single text.');
		const hasBase64 = isBase64(content);
		if (wantsBase64 && !hasBase64) throw isOtherText(element, content);
		const bytes = Buffer.from(content, wantsBase64 ? 'base64' : 'utf8');
		const isWord = wantsBase64 && (bytes.length < MIN_BYTES || /^[A-Za-z]+$/.test(content));
		// Advice to choose Text would turn the files of other items into base64.
		if (isWord && !(await item.storeFile(bytes, '')).fileExtension)
			throw noFile(element, `The service sent ${JSON.stringify(content)} in its place.`);
		/** Numbers a name if there are several, as in `slip-2.pdf`, and takes out what is invisible or part of a path. */
		const named = (text: string): string => {
			const own = records.length > 1 ? text.replace(/(\.[^.]*)?$/, `-${row + 1}$1`) : text;
			return readable(own).replace(/[\\/:\p{Cc}]|^\.+$/gu, '_');
		};
		const file = await item.storeFile(bytes, name && named(name));
		const { fileExtension: extension = wantsBase64 ? '' : 'txt' } = file;
		file.fileName ??= named(call) + (extension && `.${extension}`);
		files.push({ [field]: file });
		if (kind === 'string' && bytes.length >= MIN_BASE64 && hasBase64) {
			const text = "The file looks like base64, which 'File Content Is' can decode";
			found.push({ kind: 'option', text, list: [call] });
		}
	}
	return { records: taken.map(([, rest]) => rest as IDataObject), files, notices: found };
}
