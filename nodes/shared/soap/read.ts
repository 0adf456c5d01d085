/** Reads the answer to a call as values by the names of its elements. */
import type { IDataObject } from 'n8n-workflow';
import {
	ATTRIBUTE,
	type Field,
	type Fields,
	type ListField,
	type RecordContent,
	rowName,
	type ScalarField,
	TEXT,
	TYPE,
} from '../contract/fields';
import type { Operation } from '../contract/operation';
import { pathText } from '../errors/InputError';
import { UnreadableError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import { kindOf, readScalar, XSD } from '../values/scalars';
import { isObject, ownEntry } from '../values/values';
import { type Fault, readFault } from './fault';
import { parseXml } from './parseXml';
import { soapVersions } from './write';
import { childrenOf, isNil, qualifiedName, type XmlElement } from './xml';

type Value = IDataObject[string];

/** Returns the type that an element names, see `TYPE`. @throws {XmlError} if its prefix is not bound */
function typeName(node: XmlElement, text: string): string {
	const { namespace, local } = qualifiedName(node, text);
	return namespace === XSD ? local : `{${namespace}}${local}`;
}

/** Adds an element of unknown type to a record; elements of the same name become a list. */
function addUntyped(record: IDataObject, node: XmlElement): void {
	const { name } = node;
	const read = readUntyped(node);
	const earlier = ownEntry(record, name);
	if (earlier === undefined) record[name] = read;
	// No single value is a list, so an earlier call created this list.
	else if (Array.isArray(earlier)) (earlier as Array<typeof read>).push(read);
	else record[name] = [earlier, read] as Value;
}

/**
 * Returns the value of an element of unknown type: its text, an object of its type, attributes,
 * children and text, or `null` if it is nil. Where a text stands between the children is not kept.
 *
 * @throws {XmlError} if the prefix of the type is not bound
 */
function readUntyped(node: XmlElement): IDataObject | string | null {
	if (isNil(node)) return null;
	const value: IDataObject = {};
	for (const [name, text] of node.attributes) {
		if (name === 'xsi:type') value[TYPE] = typeName(node, text);
		else if (!name.startsWith('xsi:')) value[ATTRIBUTE + name] = text;
	}
	const { children, text } = node;
	if (children.length === 0 && Object.keys(value).length === 0) return text;
	for (const child of children) addUntyped(value, child);
	// Between elements, whitespace is no text.
	if (children.length === 0 ? text !== '' : text.trim() !== '') value[TEXT] = text;
	return value;
}

/**
 * A text in place of elements may say why there are none.
 *
 * @param path returns what the error calls the element
 * @throws {UnreadableError} if there is one
 */
function refuseText({ name, text }: XmlElement, path = () => name): void {
	const said = text.trim();
	if (said === '') return;
	throw new UnreadableError(`The answer has the text ${formatValue(said)} in ${path()}`);
}

/** Reads the elements of one response as the values of their fields. */
class FieldReader {
	/** Names and row indexes below the response element, down to the element that is read. */
	readonly #path: Array<string | number> = [];

	/** @param service the service's namespace */
	constructor(private readonly service: string) {}

	/**
	 * Reads the elements in an element. Child elements and attributes that are not fields are kept as they are.
	 *
	 * @throws {UnreadableError} if a value is not of its field's kind
	 */
	readRecord(fields: Fields, node: XmlElement, type = ''): IDataObject {
		const value: IDataObject = {};
		/** Elements that have the name of a field, and another namespace. */
		const strangers: Array<readonly [child: XmlElement, field: Field]> = [];
		for (const child of node.children) {
			const field = ownEntry(fields, child.name);
			if (field === undefined || field.kind === 'any') addUntyped(value, child);
			else if (child.namespace === this.#namespaceOf(field)) this.#addField(value, field, child);
			// A same-named element of another namespace may have another type.
			else strangers.push([child, field]);
		}
		for (const [child, field] of strangers) {
			const { name, namespace } = child;
			// Beside an element of the response, others with its name are kept under another.
			const isBeside = this.#path.length === 0 && Object.hasOwn(value, name);
			if (!isBeside) throw this.#stranger(field, child, this.#pathTo(name));
			addUntyped(value, { ...child, name: `{${namespace}}${name}` });
		}
		for (const [name, text] of node.attributes) {
			if (!name.startsWith('xsi:')) value[ATTRIBUTE + name] = text;
			else if (name === 'xsi:type' && qualifiedName(node, text).local !== type) {
				value[TYPE] = typeName(node, text);
			}
		}
		refuseText(node, () => this.#pathTo() || node.name);
		return value;
	}

	#pathTo(...steps: ReadonlyArray<string | number>): string {
		return pathText([...this.#path, ...steps]);
	}

	#namespaceOf(field: Field): string {
		return (field.kind === 'repeated' ? field.of : field).namespace ?? this.service;
	}

	/** The error for an element that has the name of a field, and another namespace. */
	#stranger(field: Field, { namespace }: XmlElement, what: string): UnreadableError {
		const other = namespace === '' ? 'no namespace' : `"${namespace}"`;
		const expected = `${what} of ${this.#namespaceOf(field)}`;
		return new UnreadableError(`Expected ${expected}, got one of ${other}`);
	}

	#addField(value: IDataObject, field: Field, child: XmlElement): void {
		const { name } = child;
		const earlier = ownEntry(value, name);
		if (field.kind === 'repeated') {
			const rows = (earlier ?? []) as unknown[];
			this.#path.push(name);
			rows.push(this.#readElement(field.of, child, rows.length));
			this.#path.pop();
			value[name] = rows as Value;
		} else if (earlier === undefined) {
			value[name] = this.#readElement(field, child, name) as Value;
		} else {
			throw new UnreadableError(`The answer contains the element ${this.#pathTo(name)} twice`);
		}
	}

	/**
	 * @param step name of the element; its index, if it is a row of a list
	 * @returns the value; `null` if the element is nil
	 */
	#readElement(field: Field, node: XmlElement, step: string | number): unknown {
		if (isNil(node)) return null;
		this.#path.push(step);
		const value = this.#readValue(field, node);
		this.#path.pop();
		return value;
	}

	#readValue(field: Field, node: XmlElement): unknown {
		switch (field.kind) {
			case 'record':
				return this.readRecord(field.fields, node, field.type);
			case 'list':
				return this.#readRows(field, node);
			case 'repeated':
				return [this.#readElement(field.of, node, 0)];
			case 'any':
				return readUntyped(node);
			default:
				return this.#readScalar(field, node);
		}
	}

	#readScalar(field: ScalarField, { text, children }: XmlElement): unknown {
		if (children.length > 0) {
			throw new UnreadableError(`Expected a single value in ${this.#pathTo()}`);
		}
		const value = readScalar(field, text);
		if (value !== undefined) return value;
		const { expected } = kindOf(field);
		const got = formatValue(text);
		throw new UnreadableError(`${this.#pathTo()}: expected ${expected}, got ${got}`);
	}

	#readRows(field: ListField, node: XmlElement): unknown[] {
		const { of } = field;
		const row = rowName(field);
		refuseText(node, () => this.#pathTo());
		return node.children.map((child, index) => {
			const { name, namespace } = child;
			if (name !== row) {
				throw new UnreadableError(`Expected ${row} in ${this.#pathTo()}, got ${name}`);
			}
			if (namespace !== this.#namespaceOf(of)) {
				throw this.#stranger(of, child, `${row} in ${this.#pathTo()}`);
			}
			// A row that is nil although it must not be has no values.
			const isEmpty = of.kind === 'record' && of.nillable !== true && isNil(child);
			return isEmpty ? {} : this.#readElement(of, child, index);
		});
	}
}

/**
 * Reads the response element of an operation. Elements that have no field are kept as they are.
 *
 * @param service the service's namespace
 * @returns the values of its fields by name. A list that is not set is empty; other optional fields
 * that are not set are absent.
 * @throws {UnreadableError} if a value is not of its field's kind, or a required field is absent; it is
 * then never read as an empty result
 */
function readResponse(
	{ fields, isOpen }: RecordContent,
	response: XmlElement,
	service: string,
): IDataObject {
	if (isOpen === true) {
		const value = readUntyped(response) ?? {};
		if (isObject(value)) return value;
		return value === '' ? {} : { [TEXT]: value };
	}
	const values = new FieldReader(service).readRecord(fields, response);
	const other = response.children.find(({ name }) => !Object.hasOwn(fields, name));
	for (const [name, { kind, required, nillable }] of Object.entries(fields)) {
		const isRead = Object.hasOwn(values, name);
		if (isRead && values[name] !== null) continue;
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
		values[name] = [];
	}
	return values;
}

/** The content of an envelope. */
export type SoapAnswer =
	| { readonly kind: 'result'; readonly result: IDataObject }
	| { readonly kind: 'fault'; readonly fault: Fault };

/**
 * Reads the answer to a call (docs/dev/interface.md, section 4.3, rule 5). Elements are found by
 * namespace and local name.
 *
 * @param namespace the service's namespace
 * @returns the values of the response element, see {@link readResponse}, or the fault
 * @throws {XmlError} if the text is not well-formed XML
 * @throws {UnreadableError} if it is not an answer to this operation
 */
export function readAnswer(
	operation: Pick<Operation, 'name' | 'response'>,
	namespace: string,
	text: string,
): SoapAnswer {
	const root = parseXml(text);
	const isEnvelope = Object.values(soapVersions).some(
		({ namespace: one }) => one === root.namespace,
	);
	if (root.name !== 'Envelope' || !isEnvelope) {
		const got = root.name === 'Envelope' ? `one of "${root.namespace}"` : `<${root.name}>`;
		throw new UnreadableError(`Expected a SOAP envelope, got ${got}`);
	}
	const [body, second] = childrenOf(root, root.namespace, 'Body');
	if (body === undefined || second !== undefined) {
		throw new UnreadableError(`Expected one Body in the SOAP envelope of ${root.namespace}`);
	}
	for (const node of [root, body]) refuseText(node);
	const [response, ...others] = body.children;
	if (response === undefined || others.length > 0) {
		const count = body.children.length;
		throw new UnreadableError(`Expected one element in the SOAP body, got ${count}`);
	}
	if (response.name === 'Fault' && response.namespace === root.namespace) {
		return { kind: 'fault', fault: readFault(response) };
	}
	if (response.name !== `${operation.name}Response` || response.namespace !== namespace) {
		const { name, namespace: other } = response;
		const expected = `${operation.name}Response of ${namespace}`;
		throw new UnreadableError(`Expected ${expected}, got ${name} of ${other}`);
	}
	return { kind: 'result', result: readResponse(operation.response, response, namespace) };
}
