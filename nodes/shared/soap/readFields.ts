import type { IDataObject } from 'n8n-workflow';
import {
	ATTRIBUTE,
	rowName,
	TEXT,
	TYPE,
	type RecordContent,
	type Field,
	type ListField,
	type RecordField,
	type ScalarField,
} from '../contract/fields';
import { pathText } from '../errors/InputError';
import { UnreadableError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import { typesOf } from '../values/recordTypes';
import { kindOf, readScalar } from '../values/scalars';
import { ownEntry } from '../values/values';
import { counted, qualifiedName } from './namespaces';
import { addUntyped, readAny, readUntyped } from './untyped';
import { isNil, type XmlElement } from './xml';

type Value = IDataObject[string];

/**
 * A text in place of elements may say why there are none.
 *
 * @param path returns what the error calls the element
 * @throws {UnreadableError} if there is one
 */
export function refuseText({ name, text }: XmlElement, path = () => name): void {
	const said = text.trim();
	if (said === '') return;
	throw new UnreadableError(`The answer has the text ${formatValue(said)} in ${path()}`);
}

/** Reads the elements of one response as the values of their fields. */
export class FieldReader {
	/** Names and row indexes below the response element, down to the element that is read. */
	readonly #path: Array<string | number> = [];

	/** @param service the service's namespace */
	constructor(private readonly service: string) {}

	/**
	 * Reads the content of the response element. Child elements that are not fields are kept as they are.
	 *
	 * @throws {UnreadableError} if a value is not of its field's kind
	 */
	read(content: RecordContent, response: XmlElement): IDataObject {
		return this.#readContent(content, response, {});
	}

	#pathTo(...steps: ReadonlyArray<string | number>): string {
		return pathText([...this.#path, ...steps]);
	}

	#namespaceOf(field: Field): string {
		return (field.kind === 'repeated' ? field.of : field).namespace ?? this.service;
	}

	#readContent(content: RecordContent, node: XmlElement, value: IDataObject): IDataObject {
		/** Elements that have the name of a field, and another namespace. */
		const strangers: Array<readonly [child: XmlElement, field: Field]> = [];
		for (const child of node.children) {
			const field = ownEntry(content.fields, child.name);
			if (field === undefined || (field.kind === 'any' && field.unsupported !== undefined)) {
				addUntyped(value, child);
			} else if (child.namespace === this.#namespaceOf(field)) {
				this.#addField(value, field, child);
			} else {
				// A same-named element of another namespace may have another type.
				strangers.push([child, field]);
			}
		}
		for (const [child, field] of strangers) {
			const { name, namespace } = child;
			// Beside an element of the response, others with its name are kept under another.
			const isBeside = this.#path.length === 0 && Object.hasOwn(value, name);
			if (!isBeside) throw this.#stranger(field, child, this.#pathTo(name));
			addUntyped(value, { ...child, name: `{${namespace}}${name}` });
		}
		this.#addOwn(value, content, node);
		return value;
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

	/** Adds the values of attributes to a record, and the text of an element that has attributes. */
	#addOwn(value: IDataObject, { attributes = {}, text }: RecordContent, node: XmlElement): void {
		for (const [name, own] of node.attributes) {
			const property = ATTRIBUTE + name;
			const field = ownEntry(attributes, property);
			if (field === undefined && name.startsWith('xsi:')) continue;
			value[property] = field ? this.#readText(field, own, property) : own;
		}
		if (text === undefined) return refuseText(node, () => this.#pathTo() || node.name);
		// Between the elements of mixed content, whitespace is no text.
		if (node.children.length > 0 && node.text.trim() === '') return;
		value[TEXT] = this.#readText(text, node.text, TEXT);
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
				return this.#readRecord(field, node);
			case 'list':
				return this.#readRows(field, node);
			case 'repeated':
				return [this.#readElement(field.of, node, 0)];
			case 'any':
				return field.unsupported === undefined ? readAny(node) : readUntyped(node);
			default:
				if (node.children.length === 0) return this.#readText(field, node.text);
				throw new UnreadableError(`Expected a single value in ${this.#pathTo()}`);
		}
	}

	#readText(field: ScalarField, text: string, ...name: readonly string[]): Value {
		const value = readScalar(field, text);
		if (value !== undefined) return value as Value;
		const { expected } = kindOf(field);
		const got = formatValue(text);
		throw new UnreadableError(`${this.#pathTo(...name)}: expected ${expected}, got ${got}`);
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

	#readRecord(record: RecordField, node: XmlElement): IDataObject {
		const text = node.attributes.get('xsi:type');
		if (text === undefined) return this.#readContent(record, node, {});
		const { namespace, local } = qualifiedName(node, text);
		const isNamed = (type?: RecordField): boolean =>
			type?.type === local && (type.typeNamespace ?? this.service) === namespace;
		if (isNamed(record)) return this.#readContent(record, node, {});
		const types = typesOf(record);
		const qualified = `{${namespace}}${local}`;
		const known = [local, qualified].map((name) => [name, types.get(name)] as const);
		const [name = namespace === this.service ? local : qualified, type = record] =
			known.find(([, one]) => isNamed(one)) ?? [];
		return this.#readContent(type, node, { [TYPE]: counted(name, node.scope) });
	}
}
