/** *Put Output File in Field*: the content of a file in an answer, as n8n's binary data. */
import type { IBinaryKeyData, IDataObject, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { fileUnreadable } from '../../errors/answerErrors';
import { at, collect, invalidInput, missing } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import type { CallResult } from '../../run/action';
import { refuseName } from '../../values/kind';
import { base64Binary, string } from '../../values/text';
import { isSet } from '../../values/values';
import { placeOf, takeContent } from './fileContent';

const FORMATS: readonly string[] = ['automatic', 'base64', 'text'];

/** Shorter texts are base64 by chance. */
const MIN_BASE64 = 64;

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
			"Path of the element with the content of the file, below each record. If empty, the content is the result itself, or the record's only element of the type base64Binary.",
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
export type OutputFile = Readonly<Record<keyof typeof options, string>>;

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

/** Returns the content of a file as bytes. @throws {ServiceError} if it is no text or base64 */
function bytesOf(content: unknown, name: string, isBase64: boolean): Buffer {
	if (typeof content !== 'string') throw fileUnreadable(name, 'It is not a single text.');
	if (!isBase64) return Buffer.from(content);
	const digits = base64Binary.read(content);
	if (digits === undefined) throw fileUnreadable(name, 'Its text is not base64.');
	return Buffer.from(digits, 'base64');
}

/** A file name with the row before its extension, if there are several; no folder, nor the way to one. */
function fileName(name: string, row: number, rows: number): string {
	const numbered = rows > 1 ? name.replace(/(\.[^.]*)?$/, `-${row + 1}$1`) : name;
	return numbered.replace(/[\\/\p{Cc}]|^\.+$/gu, '_');
}

/**
 * Returns what turns the content of files in an operation's answer into binary data; the content leaves
 * the records.
 *
 * @param keys those of the request
 * @throws {InputError} if the description has no such content
 */
export function outputFiles(
	item: InputItem,
	{ field, path, format, name }: OutputFile,
	operation: Operation,
	keys: IDataObject,
): (result: CallResult) => Promise<CallResult> {
	const place = at(options.path.name, () => placeOf(operation, path));
	const kind = format === 'automatic' ? (place.field?.kind ?? 'any') : format;
	const isBase64 = kind.startsWith('base64');
	at(options.format.name, () => {
		if (kind !== 'any') return;
		throw invalidInput('is Automatic, but no type is known. Choose Base64 or Text.');
	});
	const call = [operation.name, ...Object.values(keys)].join('-').slice(0, MAX_NAME / 4);
	const said = (text: string) => ({ isProblem: true, text, list: [call] });
	return async ({ records, notices }) => {
		const taken = records.map((record) => takeContent(record, place));
		const files: Array<IBinaryKeyData | undefined> = [];
		const found = [...notices];
		for (const [row, [content]] of taken.entries()) {
			files.push(undefined);
			if (!isSet(content)) {
				found.push(said('The service sent no content, so there is no file, for'));
				continue;
			}
			const bytes = bytesOf(content, place.path.join('.') || 'the result', isBase64);
			const named = (one: string): string => fileName(one, row, records.length);
			const file = await item.storeFile(bytes, name && named(name));
			const { fileExtension: extension = isBase64 ? '' : 'txt' } = file;
			file.fileName ??= named(call) + (extension && `.${extension}`);
			files[row] = { [field]: file };
			const isOther = kind === 'string' && bytes.length >= MIN_BASE64;
			if (isOther && base64Binary.read(String(content)) !== undefined) {
				found.push(said("The file looks like base64, which 'File Content Is' can decode, in"));
			}
		}
		return { records: taken.map(([, rest]) => rest as IDataObject), files, notices: found };
	};
}
