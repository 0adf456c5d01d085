/** XML as a tree whose names have their namespaces, and text as XML. */
import { LIMITS } from '../contract/limits';
import { beginning } from '../errors/words';

/** The namespaces of XML Schema and its built-in types, of XML Schema instance, and of the prefix `xml`. */
export const XSD = 'http://www.w3.org/2001/XMLSchema';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
export const XML = 'http://www.w3.org/XML/1998/namespace';

/** The characters that a name can begin with, as the content of a class of a regular expression. */
const LETTERS =
	'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
	'\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}';
const NC_NAME = new RegExp(`^[${LETTERS}][${LETTERS}0-9.\\u{B7}-]*$`, 'u');

/** Whether a text is an XML name without a prefix (`NCName`) that is not too long, without combining marks and joiners. */
export function isXmlName(text: string): boolean {
	return text.length <= LIMITS.name && NC_NAME.test(text);
}

/** A name whose prefix is resolved. */
export interface QName {
	readonly namespace: string;
	readonly local: string;
}

/** The prefixes that an element binds, and those around it. */
export interface Scope {
	readonly bound: Map<string, string>;
	readonly outer?: Scope;
}

/** An element with its names resolved. */
export interface XmlElement {
	readonly namespace: string;
	readonly name: string;
	/** Attributes by name: `xsi:…`, `xml:…`, or `{namespace}local` if it is in another. */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	/** The character data directly inside the element. */
	readonly text: string;
	/** Whether a reference in its text or attributes meant a character that XML does not allow: a blank now. */
	readonly isMended?: boolean;
	/** Resolves the prefixes of names in its attribute values, see {@link qualifiedName}. */
	readonly scope: Scope;
}

/** A text that is not well-formed XML, or XML that is refused. */
export class XmlError extends Error {
	override readonly name = 'XmlError';

	/** @param found what stands in the document, as a noun phrase */
	constructor(readonly found: string) {
		super(`The answer holds ${found}`);
	}
}

/** A document with more of something than is read. */
export class XmlLimitError extends XmlError {
	constructor(
		readonly limit: number,
		readonly what: string,
	) {
		super(`XML that is refused (over ${limit} ${what})`);
	}
}

/** Escapes character data; a carriage return would otherwise be read back as a line feed. */
export function escapeXml(text: string): string {
	const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
	return text.replace(/[&<>\r]/g, (character) => escaped[character] ?? '&#13;');
}

/** Escapes the value of an attribute, whose whitespace would otherwise be read back as blanks. */
export function escapeAttribute(text: string): string {
	return escapeXml(text).replace(/["\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @throws {XmlError} at a local name that must not become a property: it would reach an object's prototype */
export function safeName(kind: 'attribute' | 'element', local: string): string {
	// Simplify makes `__proto__` of `__Proto__`.
	const name = local.startsWith('__') ? local.toLowerCase() : local;
	if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
		throw new XmlError(`the ${kind} name "${local}", which is refused`);
	}
	return local;
}

/** @throws {XmlError} at a name that is too long, or whose colon is out of place */
export function splitName(qualified: string): readonly [prefix: string, local: string] {
	if (qualified.length > LIMITS.name) throw new XmlLimitError(LIMITS.name, 'characters of a name');
	const colon = qualified.indexOf(':');
	const local = qualified.slice(colon + 1);
	if (local === '' || colon === 0 || local.includes(':')) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [qualified.slice(0, Math.max(colon, 0)), local];
}

/**
 * Resolves the name of an element, or one in the value of an attribute, such as `type="s:int"`. Without a prefix, it
 * is of the default namespace.
 *
 * @throws {XmlError} as {@link splitName}, and at a prefix that is not bound
 */
export function qualifiedName({ scope }: Pick<XmlElement, 'scope'>, text: string): QName {
	const [prefix, local] = splitName(text.trim());
	let here = scope;
	while (here.outer !== undefined && !here.bound.has(prefix)) here = here.outer;
	const namespace = here.bound.get(prefix) ?? '';
	// Only the empty prefix can be without a namespace.
	if (namespace === '' && prefix !== '') throw new XmlError(`the unbound prefix "${prefix}"`);
	return { local, namespace };
}

/** Returns the children that have one of the given names in a namespace, in document order. */
export function childrenOf(
	{ children }: XmlElement,
	namespace: string,
	...names: readonly string[]
): readonly XmlElement[] {
	return children.filter((child) => child.namespace === namespace && names.includes(child.name));
}

/** How much of the text of an answer is ever shown, in characters: no more of it is read. */
const MAX_SHOWN = 2 ** 16;

/** Returns the text directly inside an element, as far as it is shown. */
export function shownText(element: XmlElement | undefined): string | undefined {
	return element && beginning(element.text, MAX_SHOWN);
}

/** Returns the texts of elements and their descendants, as far as they are shown, without those of stack traces. */
export function textsIn(elements: readonly XmlElement[]): string[] {
	const texts: string[] = [];
	let left = MAX_SHOWN;
	const collect = (element: XmlElement): boolean => {
		if (element.name === 'StackTrace') return true;
		const text = shownText(element) ?? '';
		if (text.trim() !== '') texts.push(text);
		// Each element counts, and its indentation does not.
		left -= text.trim().length + 1;
		return left > 0 && element.children.every(collect);
	};
	elements.every(collect);
	return texts;
}

/** Returns the texts of elements on one line, see {@link textsIn}. */
export function allText(elements: readonly XmlElement[]): string {
	return textsIn(elements).join(' ').replace(/\s+/g, ' ').trim();
}

/** Whether an element is `xsi:nil`. With content it is not, whatever it says: nothing of that is lost. */
export function isNil({ attributes, children, text }: XmlElement): boolean {
	const nil = attributes.get('xsi:nil')?.trim();
	return (nil === 'true' || nil === '1') && children.length === 0 && text.trim() === '';
}
