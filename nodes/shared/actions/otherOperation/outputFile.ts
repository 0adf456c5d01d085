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
import { placeOf, takeContent, type Place } from './fileContent';

const FORMATS = ['automatic', 'base64', 'text'] as const;

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

/** File systems allow 255 bytes; a number may be added. */
const MAX_NAME = 240;

/** What the builder says about the file of an answer. */
export interface OutputFile {
	/** Name of the binary field. */
	readonly field: string;
	/** Path of the content; empty if it is to be found. */
	readonly path: string;
	readonly format: (typeof FORMATS)[number];
	/** Name of the file; empty if it is to be made. */
	readonly name: string;
}

/**
 * Reads what the builder says about the file of an answer; `undefined` if there is to be none.
 *
 * @throws {InputError} with every option that is not allowed
 */
export function readOutputFile(item: InputItem): OutputFile | undefined {
	const added = Object(item.stored('options')) as object;
	const [first] = outputFileOptions.filter(({ name }) => Object.hasOwn(added, name));
	if (first === undefined) return undefined;
	if (first !== options.field) {
		const text = `has no effect without '${options.field.displayName}': add that option, too.`;
		return at(first.name, () => {
			throw invalidInput(text, 'VALUE_CONFLICT');
		});
	}
	const read = collect(Object.entries(options), ([key, { name, default: fallback }]) =>
		at(name, () => {
			const text = string.write(item.read(`options.${name}`, fallback) ?? '').trim();
			if (key === 'field' && text === '') throw missing();
			if (key === 'name' && Buffer.byteLength(text) > MAX_NAME) {
				throw invalidInput(`has more than ${MAX_NAME} bytes.`);
			}
			if (key === 'format' && !FORMATS.some((one) => one === text)) refuseName(text, FORMATS);
			return [key, text];
		}),
	);
	return Object.fromEntries(read) as unknown as OutputFile;
}

/** Shorter texts are base64 by chance. */
const MIN_BASE64 = 64;

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
	const place: Place = at(options.path.name, () => placeOf(operation, path));
	const kind = place.field?.kind ?? 'any';
	if (format === 'automatic' && kind === 'any') {
		const text = "is Automatic, but the element's type is not known. Choose Base64 or Text.";
		at(options.format.name, () => {
			throw invalidInput(text);
		});
	}
	const isBase64 = format === 'base64' || (format === 'automatic' && kind === 'base64Binary');
	const whom = [operation.name, ...Object.values(keys)].join('-').slice(0, MAX_NAME / 4);
	const said = (text: string) => ({ isProblem: true, text, list: [whom] });
	return async ({ records, notices }) => {
		const rests: IDataObject[] = [];
		const files: Array<IBinaryKeyData | undefined> = [];
		const found = [...notices];
		for (const [row, record] of records.entries()) {
			const [content, rest] = takeContent(record, place);
			rests.push(rest as IDataObject);
			if (!isSet(content)) {
				files.push(undefined);
				found.push(said('The service sent no content, so there is no file, for'));
				continue;
			}
			const bytes = bytesOf(content, place.path.join('.') || 'the result', isBase64);
			const given = name && fileName(name, row, records.length);
			const file = await item.storeFile(bytes, given);
			const extension = file.fileExtension ?? (isBase64 ? undefined : 'txt');
			const made = fileName(whom, row, records.length);
			file.fileName ??= extension === undefined ? made : `${made}.${extension}`;
			files.push({ [field]: file });
			if (isBase64 || format === 'text' || bytes.length < MIN_BASE64) continue;
			if (base64Binary.read(String(content)) === undefined) continue;
			found.push(
				said("The file is a text that looks like base64: 'File Content Is' can decode it"),
			);
		}
		return { records: rests, files, notices: found };
	};
}
