/** Checks values of unknown types and writes them as XML. They are named as in `contract/fields`. */
import { ATTRIBUTE, TEXT, TYPE } from '../contract/fields';
import { at, collect, invalidValue } from '../errors/InputError';
import {
	checkElementName,
	checkReadable,
	splitAttribute,
	splitType,
	untypedText,
	XML,
} from '../values/untyped';
import { isObject, isSet, type Values } from '../values/values';
import { XSI } from './namespaces';
import { escapeAttribute, escapeXml } from './xml';

/** Attributes and content of an element. */
export type WrittenElement = readonly [attributes: string, content: string];

/** Writes the type of an element, by its name; see `TYPE`. */
export function writeType([namespace, local]: readonly [namespace: string, local: string]): string {
	const bound = ` xmlns:xsi="${XSI}"`;
	// An empty namespace cannot have a prefix.
	if (namespace === '') return `${bound} xsi:type="${local}"`;
	return `${bound} xmlns:t="${escapeAttribute(namespace)}" xsi:type="t:${local}"`;
}

/**
 * Writes an attribute of an element.
 *
 * @param property name of its property
 * @param index a number that no other attribute of the element has
 * @throws {InputError} if the name is malformed
 */
export function writeAttribute(property: string, text: string, index: number): string {
	const split = splitAttribute(property);
	if (split === undefined) {
		throw invalidValue(property, 'is not the name of an attribute, such as @Currency.');
	}
	const [namespace, local] = split;
	const written = `${local}="${escapeAttribute(text)}"`;
	if (namespace === '') return ` ${written}`;
	if (namespace === XML) return ` xml:${written}`;
	// Each prefix is bound on the element itself.
	return ` xmlns:a${index}="${escapeAttribute(namespace)}" a${index}:${written}`;
}

function writeTypeOf(value: unknown): string {
	if (!isSet(value)) return '';
	const type = typeof value === 'string' ? splitType(value) : undefined;
	if (type !== undefined) return writeType(type);
	throw invalidValue(value, 'is not the name of a type, such as dateTime.');
}

/**
 * Writes the attributes and the content of an element of unknown type, which cannot be a list.
 *
 * @throws {InputError} as {@link writeUntyped}
 */
export function writeUntypedContent(value: unknown): WrittenElement {
	if (!isObject(value)) return ['', escapeXml(untypedText(value))];
	let [attributes, text, children] = ['', '', ''];
	const writeProperty = (name: string, one: unknown, index: number): void => {
		if (name === TYPE) attributes += writeTypeOf(one);
		else if (name === TEXT) text = isSet(one) ? escapeXml(untypedText(one)) : '';
		else if (!name.startsWith(ATTRIBUTE)) children += writeElements(name, one);
		else {
			const attribute = writeAttribute(name, isSet(one) ? untypedText(one) : '', index);
			if (isSet(one)) attributes += attribute;
		}
	};
	collect(Object.entries(value), ([name, one], i) => at(name, () => writeProperty(name, one, i)));
	return [attributes, text + children];
}

function writeElements(name: string, value: unknown): string {
	checkElementName(name);
	const write = (one: unknown): string => {
		if (!isSet(one)) return '';
		const [attributes, content] = writeUntypedContent(one);
		return `<${name}${attributes}>${content}</${name}>`;
	};
	if (!Array.isArray(value)) return write(value);
	return collect(value, (one: unknown, i) => at(i, () => write(one))).join('');
}

/**
 * Writes elements of unknown types, in the order given. A text, number, boolean or date becomes the
 * element's text, an object its attributes, children and text, and a list repeats the element. An unset
 * value (`null`) has no element.
 *
 * @throws {InputError} with every name and value that XML cannot represent
 */
export function writeUntyped(elements: Readonly<Values>): string {
	const written = collect(Object.entries(elements), ([name, value]) =>
		at(name, () => writeElements(name, value)),
	);
	return written.join('');
}

/** Validates elements of unknown types. @throws {InputError} as {@link writeUntyped} */
export function checkUntyped(elements: Readonly<Values>): void {
	checkReadable(elements);
	writeUntyped(elements);
}
