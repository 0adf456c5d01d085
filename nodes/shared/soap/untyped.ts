import type { IDataObject } from 'n8n-workflow';
import { ATTRIBUTE, TEXT, TYPE } from '../contract/fields';
import { readScalar } from '../values/scalars';
import { typeOfScalar, XSD } from '../values/untyped';
import { isObject, ownEntry } from '../values/values';
import { counted, qualifiedName } from './namespaces';
import { isNil, type XmlElement } from './xml';

/**
 * Content of an element of unknown type: a text, an object of its attributes, children or text, or
 * `null` if the element is nil.
 */
export type UntypedValue = IDataObject | string | null;

/** Adds an element of unknown type to a record; elements of the same name become a list. */
export function addUntyped(record: IDataObject, node: XmlElement): void {
	const { name } = node;
	const read = readUntyped(node);
	const earlier = ownEntry(record, name);
	if (earlier === undefined) record[name] = read;
	// No single value is a list, so an earlier call created this list.
	else if (Array.isArray(earlier)) (earlier as Array<typeof read>).push(read);
	else record[name] = [earlier, read] as IDataObject[string];
}

/**
 * Returns the value of an element of unknown type: its text, an object of its type, attributes,
 * children and text, or `null`. Where a text stands between the children is not kept.
 *
 * @throws {XmlError} if the prefix of the type is not bound
 */
export function readUntyped(node: XmlElement): UntypedValue {
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

function typeName(node: XmlElement, type: string): string {
	const { namespace, local } = qualifiedName(node, type);
	return namespace === XSD ? local : counted(`{${namespace}}${local}`, node.scope);
}

/** The types of XML Schema whose values JSON can represent. Small whole numbers are sent as `int`. */
const JSON_TYPES: ReadonlyMap<string, 'boolean' | 'float' | 'int' | 'string'> = new Map([
	['string', 'string'],
	['boolean', 'boolean'],
	['double', 'float'],
	...['int', 'short', 'byte', 'unsignedShort', 'unsignedByte'].map(
		(name) => [name, 'int'] as const,
	),
]);

/** Returns a text as a value of JSON, if that has the same type when it is sent. */
function readJson(type: string, text: string): IDataObject[string] | undefined {
	const kind = JSON_TYPES.get(type);
	const value = kind && readScalar({ kind }, text);
	const isSame = typeOfScalar(value) === (kind === 'int' ? kind : type);
	return isSame ? (value as IDataObject[string]) : undefined;
}

/**
 * Returns the value of an element of any type: that of {@link readUntyped}, or of JSON if `xsi:type`
 * names a type that JSON has.
 *
 * @throws {XmlError} as {@link readUntyped}
 */
export function readAny(node: XmlElement): IDataObject[string] {
	const value = readUntyped(node);
	if (!isObject(value)) return value;
	const { [TYPE]: type, [TEXT]: text = '', ...others } = value;
	const isScalar = typeof type === 'string' && Object.keys(others).length === 0;
	return (isScalar ? readJson(type, String(text)) : undefined) ?? value;
}
