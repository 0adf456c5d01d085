import type { IDataObject } from 'n8n-workflow';
import { ATTRIBUTE, TEXT, TYPE } from '../contract/fields';
import { readScalar } from '../values/scalars';
import { anyValue, untypedText, XSD } from '../values/untyped';
import { isObject, isSet, type Values } from '../values/values';
import { qualifiedName } from './namespaces';
import { escapeAttribute, escapeXml, isNil, type XmlElement } from './xml';

/**
 * Content of an element of unknown type: a text, an object of its attributes, children or text, or
 * `null` if the element is nil.
 */
export type UntypedValue = IDataObject | string | null;

/** Adds an element of unknown type to a record; elements of the same name become a list. */
export function addUntyped(record: IDataObject, node: XmlElement): void {
	const { name } = node;
	const read = readUntyped(node);
	const earlier = Object.hasOwn(record, name) ? record[name] : undefined;
	if (earlier === undefined) record[name] = read;
	// No single value is a list, so an earlier call created this list.
	else if (Array.isArray(earlier)) (earlier as Array<typeof read>).push(read);
	else record[name] = [earlier, read] as IDataObject[string];
}

/**
 * Returns the value of an element of unknown type: its text, an object of its attributes, children
 * or text, or `null`.
 */
export function readUntyped(node: XmlElement): UntypedValue {
	if (isNil(node)) return null;
	const value: IDataObject = {};
	for (const [name, text] of node.attributes) {
		if (!name.startsWith('xsi:')) value[ATTRIBUTE + name] = text;
	}
	const isEmpty = Object.keys(value).length === 0;
	if (node.children.length === 0 && isEmpty) return node.text;
	for (const child of node.children) addUntyped(value, child);
	if (node.children.length === 0 && node.text !== '') value[TEXT] = node.text;
	return value;
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
	const isSame = anyValue(value).type === (kind === 'int' ? kind : type);
	return isSame ? (value as IDataObject[string]) : undefined;
}

/**
 * Returns the value of an element of any type: that of {@link readUntyped}, typed as `xsi:type` says.
 * With a type that JSON has not, it is an object of the type and the text or the children.
 *
 * @throws {XmlError} if the prefix of the type is not bound
 */
export function readAny(node: XmlElement): IDataObject[string] {
	const content = readUntyped(node);
	const name = node.attributes.get('xsi:type');
	if (name === undefined || content === null) return content;
	const { namespace, local } = qualifiedName(node, name);
	const type = namespace === XSD ? local : `{${namespace}}${local}`;
	if (typeof content !== 'string') return { [TYPE]: type, ...content };
	return readJson(type, content) ?? { [TYPE]: type, [TEXT]: content };
}

/** Writes the attributes and the content of an element of unknown type, whose value is valid. */
export function writeUntypedContent(
	value: unknown,
): readonly [attributes: string, content: string] {
	if (!isObject(value)) return ['', escapeXml(untypedText(value))];
	let attributes = '';
	let text = '';
	let children = '';
	for (const [name, one] of Object.entries(value)) {
		if (!isSet(one)) continue;
		if (name === TEXT) text = escapeXml(untypedText(one));
		else if (!name.startsWith(ATTRIBUTE)) children += writeUntyped({ [name]: one });
		else attributes += ` ${name.slice(ATTRIBUTE.length)}="${escapeAttribute(untypedText(one))}"`;
	}
	return [attributes, text + children];
}

/**
 * Writes elements of unknown types as XML, in the order given; see `checkUntyped`. A text, number or
 * boolean becomes the element's text, an object its content, and a list repeats the element. An unset
 * value (`null`) has no element.
 */
export function writeUntyped(elements: Readonly<Values>): string {
	const written = Object.entries(elements).flatMap(([name, value]) =>
		[value].flat().map((one: unknown) => {
			if (!isSet(one)) return '';
			const [attributes, content] = writeUntypedContent(one);
			return `<${name}${attributes}>${content}</${name}>`;
		}),
	);
	return written.join('');
}
