/** Reads elements as the values of their fields. */
import type { IDataObject } from 'n8n-workflow';
import {
	ATTRIBUTE,
	rowName,
	TEXT,
	TYPE,
	type RecordContent,
	type SchemaField,
	type SchemaList,
	type SchemaRecord,
	type SchemaScalar,
} from '../contract/schemaFields';
import { ListedError, texts } from '../errors/catalogue';
import { hasTypes, typesOf } from '../values/recordTypes';
import { kindOf, readScalar } from '../values/scalars';
import { ownEntry } from '../values/values';
import { qualifiedName } from './namespaces';
import { addUntyped, readAny, readUntyped } from './untyped';
import { isNil, type XmlElement } from './xml';

/**
 * The path of an element in the answer, as a linked list. It is formatted only for an error, to save
 * time.
 */
interface ElementPath {
	readonly name: string;
	/** Row index, if the element is a row of a list. */
	readonly index?: number | undefined;
	readonly outer: ElementPath | undefined;
}

function formatPath({ name, index, outer }: ElementPath): string {
	const step = index === undefined ? name : `${name}[${index}]`;
	return outer === undefined ? step : `${formatPath(outer)}.${step}`;
}

function readText(
	field: SchemaScalar,
	text: string,
	name: string,
	outer: ElementPath | undefined,
	index?: number,
): IDataObject[string] {
	const value = readScalar(field, text);
	if (value === undefined) {
		const path = formatPath({ name, index, outer });
		const { expected } = kindOf(field);
		const got = JSON.stringify(text.slice(0, 60));
		throw new ListedError(texts.answers.type, { path, expected, text: got });
	}
	return value as IDataObject[string];
}

function readRows(
	field: SchemaList,
	{ name, children }: XmlElement,
	service: string,
	outer: ElementPath | undefined,
): unknown[] {
	const { of } = field;
	const row = rowName(field);
	const namespace = of.namespace ?? service;
	return children.map((child, index) => {
		if (child.name !== row || child.namespace !== namespace) {
			const path = formatPath({ name, outer });
			throw new ListedError(texts.answers.row, { row, path, other: child.name });
		}
		const path = { name, index, outer };
		// A row that is nil although it must not be has no values.
		return of.kind === 'record' && of.nillable !== true
			? readRecord(of, child, service, path)
			: readValue(of, child, service, path);
	});
}

/**
 * Returns the type that `xsi:type` names, if it is not the record's own, and its name in values. A
 * record that can only be sent as its own type is also read as that.
 */
function readType(
	record: SchemaRecord,
	node: XmlElement,
	service: string,
): readonly [name: string, type: SchemaRecord] | undefined {
	const text = node.attributes.get('xsi:type');
	if (text === undefined || !hasTypes(record)) return undefined;
	const { namespace, local } = qualifiedName(node, text);
	const isNamed = ({ type, typeNamespace = service }: SchemaRecord): boolean =>
		type === local && typeNamespace === namespace;
	if (isNamed(record)) return undefined;
	const known = [...typesOf(record)].find(([, type]) => isNamed(type));
	return known ?? [namespace === service ? local : `{${namespace}}${local}`, record];
}

function readRecord(
	record: SchemaRecord,
	node: XmlElement,
	service: string,
	path: ElementPath,
): IDataObject {
	const type = readType(record, node, service);
	if (type === undefined) return readContent(record, node, service, path);
	return readContent(type[1], node, service, path, { [TYPE]: type[0] });
}

/** Adds the values of attributes to a record, and the text of an element that has attributes. */
function addOwn(
	value: IDataObject,
	{ attributes = {}, text }: RecordContent,
	node: XmlElement,
	outer: ElementPath | undefined,
): void {
	for (const [local, own] of node.attributes) {
		const name = ATTRIBUTE + local;
		const field = ownEntry(attributes, name);
		if (field !== undefined) value[name] = readText(field, own, name, outer);
	}
	// Between the elements of mixed content, whitespace is no text.
	if (text === undefined || (node.children.length > 0 && node.text.trim() === '')) return;
	value[TEXT] = readText(text, node.text, TEXT, outer);
}

/**
 * Reads the content of an element. Child elements that are not fields are kept as they are. Beside an
 * element of the response, others with its name do not matter.
 *
 * @param service the service's namespace
 * @param path path of the element; `undefined` for the response element
 * @param value what the values are added to
 * @throws {ListedError} if a value is not of its field's kind
 */
export function readContent(
	content: RecordContent,
	node: XmlElement,
	service: string,
	path: ElementPath | undefined,
	value: IDataObject = {},
): IDataObject {
	/** Elements that have the name of a field, and another namespace. */
	const strangers: Array<readonly [child: XmlElement, namespace: string]> = [];
	for (const child of node.children) {
		const { name } = child;
		const field = ownEntry(content.fields, name);
		if (field === undefined || (field.kind === 'any' && field.unsupported !== undefined)) {
			addUntyped(value, child);
			continue;
		}
		const isRepeated = field.kind === 'repeated';
		const of = isRepeated ? field.of : field;
		// A same-named element of another namespace may have another type.
		const { namespace = service } = of;
		if (child.namespace !== namespace) {
			strangers.push([child, namespace]);
			continue;
		}
		const earlier = Object.hasOwn(value, name) ? value[name] : undefined;
		if (!isRepeated) {
			if (earlier !== undefined) {
				throw new ListedError(texts.answers.twice, { path: formatPath({ name, outer: path }) });
			}
			value[name] = readValue(of, child, service, path) as IDataObject[string];
		} else {
			const rows = (earlier ?? []) as unknown[];
			rows.push(readValue(of, child, service, path, rows.length));
			value[name] = rows as IDataObject[string];
		}
	}
	for (const [{ name, namespace: other }, namespace] of strangers) {
		if (path === undefined && Object.hasOwn(value, name)) continue;
		const values = { path: formatPath({ name, outer: path }), namespace, other };
		throw new ListedError(texts.answers.namespace, values);
	}
	addOwn(value, content, node, path);
	return value;
}

/**
 * Reads the value of an element.
 *
 * @param outer path of the parent element
 * @param index row index, if the element repeats
 * @returns the value; `null` if the element is nil
 * @throws {ListedError} if it is not of the field's kind
 */
export function readValue(
	field: SchemaField,
	node: XmlElement,
	service: string,
	outer: ElementPath | undefined,
	index?: number,
): unknown {
	if (isNil(node)) return null;
	const { name } = node;
	switch (field.kind) {
		case 'record':
			return readRecord(field, node, service, { name, index, outer });
		case 'list':
			return readRows(field, node, service, outer);
		case 'repeated':
			return [readValue(field.of, node, service, outer)];
		case 'any':
			return field.unsupported === undefined ? readAny(node) : readUntyped(node);
		default:
			if (node.children.length > 0) {
				const path = formatPath({ name, index, outer });
				throw new ListedError(texts.answers.nested, { path });
			}
			return readText(field, node.text, name, outer, index);
	}
}
