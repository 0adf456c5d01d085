/** Reads the answer to a call as values by the names of its elements. */
import type { IDataObject } from 'n8n-workflow';
import { ATTRIBUTE, type Field, type Fields, rowElement, TEXT, TYPE } from '../contract/fields';
import type { Operation } from '../contract/operation';
import { type Path, pathText } from '../values/InputError';
import { messageOf, UnreadableError } from '../errors/ServiceError';
import { formatValue, truncate } from '../errors/words';
import { kindOf, readScalar } from '../values/scalars';
import { ownEntry } from '../values/values';
import { soapVersions } from './write';
import { childrenOf, parseXml, qualifiedName, type XmlElement, XSD } from './xml';

type Value = IDataObject[string];

/** Whether an element is `xsi:nil`. With content it is not, whatever it says: nothing of that is lost. */
function isNil({ attributes, children, text }: XmlElement): boolean {
	const nil = attributes.get('xsi:nil')?.trim();
	return (nil === 'true' || nil === '1') && children.length === 0 && text.trim() === '';
}

/** Adds the attributes of an element to its record, and its type, if that is not the known one. @throws {XmlError} */
function addAttributes(record: IDataObject, node: XmlElement, known?: string): void {
	for (const [name, text] of node.attributes) {
		if (name === 'xsi:type') {
			const { namespace, local } = qualifiedName(node, text);
			if (local !== known) record[TYPE] = namespace === XSD ? local : `{${namespace}}${local}`;
		} else if (!name.startsWith('xsi:')) record[ATTRIBUTE + name] = text;
	}
}

/** Adds an element of unknown type to a record; elements of the same name become a list. */
function addUntyped(record: IDataObject, node: XmlElement, name = node.name): void {
	const value = readUntyped(node);
	const earlier = Object.hasOwn(record, name) ? record[name] : undefined;
	// No single value is a list, so an earlier call created this list.
	if (Array.isArray(earlier)) (earlier as Array<typeof value>).push(value);
	else record[name] = earlier === undefined ? value : ([earlier, value] as Value);
}

/** Returns an element of unknown type: its text, an object of its type, attributes, children and text, or `null` if nil. */
function readUntyped(node: XmlElement): IDataObject | string | null {
	if (isNil(node)) return null;
	const value: IDataObject = {};
	addAttributes(value, node);
	const { children, text } = node;
	if (children.length === 0 && Object.keys(value).length === 0) return text;
	for (const child of children) addUntyped(value, child);
	// Between elements, whitespace is no text.
	if (children.length === 0 ? text !== '' : text.trim() !== '') value[TEXT] = text;
	return value;
}

/** The error for a text in place of elements: it may say why there are none. */
function unexpectedText({ text }: XmlElement, path: string): UnreadableError {
	const reason = `The answer has the text ${formatValue(text.trim())} in ${path}`;
	return new UnreadableError(reason, { isPart: true });
}

/** The error for an element that has the name of a field, and another namespace. */
function stranger({ namespace }: XmlElement, what: string, expected: string): UnreadableError {
	const other = namespace === '' ? 'no namespace' : `"${namespace}"`;
	const text = `Expected ${what} of ${expected || 'no namespace'}, got one of ${other}`;
	return new UnreadableError(text);
}

/** Reads the elements of one response as the values of their fields. */
class FieldReader {
	/** The row of the response that is read. */
	#row: XmlElement | undefined;

	constructor(private readonly namespace: string) {}

	/** Elements and attributes that are not fields are kept as they are. @param path of the element in the response */
	readRecord(fields: Fields, node: XmlElement, path: Path = [], type?: string): IDataObject {
		const value: IDataObject = {};
		/** Elements that have the name of a field, and another namespace. */
		const strangers: Array<readonly [child: XmlElement, expected: string]> = [];
		for (const child of node.children) {
			const { name } = child;
			const field = ownEntry(fields, name);
			if (field === undefined || field.kind === 'any') {
				addUntyped(value, child);
				continue;
			}
			const expected = (field.kind === 'repeated' ? field.of : field).namespace ?? this.namespace;
			const isRead = Object.hasOwn(value, name);
			const inner = [...path, name];
			// A same-named element of another namespace may have another type.
			if (child.namespace !== expected) strangers.push([child, expected]);
			else if (field.kind === 'repeated') {
				const rows = (isRead ? value[name] : []) as unknown[];
				rows.push(this.#readElement(field.of, child, [...inner, rows.length]));
				value[name] = rows as Value;
			} else if (!isRead) value[name] = this.#readElement(field, child, inner) as Value;
			else throw new UnreadableError(`The answer contains the element ${pathText(inner)} twice`);
		}
		for (const [child, expected] of strangers) {
			const { name, namespace } = child;
			// Beside an element of the response, others with its name are kept under another.
			const isBeside = path.length === 0 && Object.hasOwn(value, name);
			if (!isBeside) throw stranger(child, pathText([...path, name]), expected);
			addUntyped(value, child, `{${namespace}}${name}`);
		}
		addAttributes(value, node, type);
		if (node.text.trim() !== '') throw unexpectedText(node, pathText(path) || node.name);
		return value;
	}

	#readElement(field: Field, node: XmlElement, path: Path): unknown {
		if (path.length < 3) this.#row = typeof path[1] === 'number' ? node : undefined;
		if (isNil(node)) return null;
		const { children, text } = node;
		if (field.kind === 'record') return this.readRecord(field.fields, node, path, field.type);
		if (field.kind === 'repeated') return [this.#readElement(field.of, node, [...path, 0])];
		if (field.kind === 'any') return readUntyped(node);
		if (field.kind === 'list') {
			if (text.trim() !== '') throw unexpectedText(node, pathText(path));
			const { of } = field;
			const [row, expected] = [rowElement(field), of.namespace ?? this.namespace];
			return children.map((child, index) => {
				if (child.name !== row) {
					throw new UnreadableError(`Expected ${row} in ${pathText(path)}, got ${child.name}`);
				}
				if (child.namespace !== expected) {
					throw stranger(child, `${row} in ${pathText(path)}`, expected);
				}
				// A row that is nil although it must not be has no values.
				const isEmpty = of.kind === 'record' && of.nillable !== true && isNil(child);
				return isEmpty ? {} : this.#readElement(of, child, [...path, index]);
			});
		}
		if (children.length > 0) {
			throw new UnreadableError(`Expected a single value in ${pathText(path)}`);
		}
		const value = readScalar(field, text);
		if (value !== undefined) return value;
		// Only a text or a file can be empty.
		if (text.trim() === '') return null;
		const id = this.#row?.children.find(({ name }) => name === 'Id');
		const where = `${pathText(path)}${id && id !== node ? ` (Id ${truncate(id.text)})` : ''}`;
		const { expected } = kindOf(field);
		throw new UnreadableError(`${where}: expected ${expected}, got ${formatValue(text)}`);
	}
}

export type SoapAnswer =
	| {
			readonly kind: 'result';
			/** The values of the fields of the response element by name. A list that is not set is empty. */
			readonly result: IDataObject;
			/** The elements that had a character that XML does not allow. */
			readonly mended: readonly string[];
	  }
	| { readonly kind: 'fault'; readonly node: XmlElement };

/** Returns the paths of mended elements: `EmployeeCostCenter (Id 501).CostCenter (Id 7).Description`. */
function mendedIn({ name, children, isMended }: XmlElement, path = ''): string[] {
	const id = children.find((child) => child.name === 'Id')?.text;
	const here = `${path}${name}${id === undefined ? '' : ` (Id ${id})`}`;
	const inner = children.flatMap((child) => mendedIn(child, `${here}.`));
	return isMended ? [here, ...inner] : inner;
}

/**
 * Reads the answer to a call (docs/dev/interface.md, section 4.3, rule 5). Elements are found by
 * namespace and local name. Elements that have no field are kept as they are.
 *
 * @throws {XmlError} if the text is not well-formed XML
 * @throws {UnreadableError} if it is not an answer to this operation
 */
export function readAnswer(
	operation: Pick<Operation, 'canBeSilent' | 'name' | 'response'>,
	namespace: string,
	text: string,
): SoapAnswer {
	const silence = { kind: 'result', result: {}, mended: [] } as const;
	if (text.trim() === '') {
		if (operation.canBeSilent) return silence;
		throw new UnreadableError('The answer is empty');
	}
	const root = parseXml(text);
	const isSoap = Object.values(soapVersions).some((own) => own.namespace === root.namespace);
	if (root.name !== 'Envelope' || !isSoap) {
		const got = root.name === 'Envelope' ? `one of "${root.namespace}"` : `<${root.name}>`;
		throw new UnreadableError(`Expected a SOAP envelope, got ${got}`);
	}
	const [body, second] = childrenOf(root, root.namespace, 'Body');
	if (body === undefined || second !== undefined) {
		throw new UnreadableError(`Expected one Body in the SOAP envelope of ${root.namespace}`);
	}
	for (const node of [root, body]) {
		if (node.text.trim() !== '') throw unexpectedText(node, node.name);
	}
	const [response, ...others] = body.children;
	if (response === undefined && operation.canBeSilent) return silence;
	if (response === undefined || others.length > 0) {
		const count = body.children.length;
		throw new UnreadableError(`Expected one element in the SOAP body, got ${count}`);
	}
	if (response.name === 'Fault' && response.namespace === root.namespace) {
		return { kind: 'fault', node: response };
	}
	if (response.name !== `${operation.name}Response` || response.namespace !== namespace) {
		const expected = `${operation.name}Response of ${namespace}`;
		const got = `${response.name} of ${response.namespace}`;
		throw new UnreadableError(`Expected ${expected}, got ${got}`);
	}
	const { fields, isOpen } = operation.response;
	const mended = text.includes('&#') ? response.children.flatMap((child) => mendedIn(child)) : [];
	let failure: unknown;
	try {
		if (isOpen === true) {
			const value = readUntyped(response) ?? '';
			if (typeof value !== 'string') return { kind: 'result', result: value, mended };
			return { kind: 'result', result: value.trim() === '' ? {} : { [TEXT]: value }, mended };
		}
		const result = new FieldReader(namespace).readRecord(fields, response);
		const other = response.children.find(({ name }) => !Object.hasOwn(fields, name));
		for (const [name, { kind, required, nillable }] of Object.entries(fields)) {
			const isRead = Object.hasOwn(result, name);
			if (isRead && result[name] !== null) continue;
			const isList = kind === 'list' || kind === 'repeated';
			const isNull = isRead && (isList || nillable === true);
			if (required === true && kind !== 'repeated' && !isNull) {
				throw new UnreadableError(`Expected a value in ${name}, got none`);
			}
			if (!isList) continue;
			// Never take another answer for an empty list.
			if (!isRead && other !== undefined) {
				throw new UnreadableError(`Expected ${name}, got ${other.name}`);
			}
			// For an empty list, ASP.NET omits the element or marks it as nil.
			result[name] = [];
		}
		return { kind: 'result', result, mended };
	} catch (error) {
		failure = error;
	}
	throw new UnreadableError(messageOf(failure), { isPart: true });
}
