/**
 * XML 1.0 as a tree whose names have their namespaces, read in one pass that counts every limit. There is no document
 * type. And text as XML.
 */
import { LIMITS } from '../contract/limits';
import { beginning } from '../errors/words';
import { isXmlName, isXmlText } from '../values/text';
import { XML } from '../values/scalars';

/** Namespace of XML Schema instance. */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** A name whose prefix is resolved. */
export interface QName {
	readonly namespace: string;
	readonly local: string;
}

/** The prefixes that an element binds, and those around it that names in it had; never copied. */
interface Scope {
	readonly bound: Map<string, string>;
	readonly outer: Scope | undefined;
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

/** A text that is not well-formed XML, or XML that is refused for safety. */
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

/** The entities that XML defines. */
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/**
 * @param mend replaces a reference to a character that XML does not allow: .NET writes `&#x1F;` of a text with one
 * @throws {XmlError} at any other reference that means no character
 */
function unescapeXml(text: string, mend: () => string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&[^;&]{0,12};?/g, (reference) => {
		if (!reference.endsWith(';')) throw new XmlError('an "&" that begins no entity');
		const name = reference.slice(1, -1);
		const entity = ENTITIES.get(name);
		if (entity !== undefined) return entity;
		if (!/^#(?:x[0-9a-f]+|[0-9]+)$/i.test(name)) {
			throw new XmlError(`the unknown entity "${reference}"`);
		}
		// A hexadecimal number becomes that of JavaScript.
		const point = Number(name.replace(/^#(x?)/i, (_, x: string) => (x === '' ? '' : '0x')));
		const character = point <= 0x10ffff ? String.fromCodePoint(point) : '\0';
		return isXmlText(character) ? character : mend();
	});
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
function splitName(qualified: string): readonly [prefix: string, local: string] {
	if (qualified.length > LIMITS.name) throw new XmlLimitError(LIMITS.name, 'characters of a name');
	const colon = qualified.indexOf(':');
	const local = qualified.slice(colon + 1);
	if (local === '' || colon === 0 || local.includes(':')) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [qualified.slice(0, Math.max(colon, 0)), local];
}

/**
 * Resolves the name of an element, or one in the value of an attribute, such as `type="s:int"`. Without a
 * prefix, it is a name of the default namespace.
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
	// The next names in this scope need not look further out.
	if (here !== scope) scope.bound.set(prefix, namespace);
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

/**
 * Returns the texts of some elements and their descendants, as far as they are shown.
 *
 * @param except name of elements that are left out
 */
export function textsIn(elements: readonly XmlElement[], except?: string): string[] {
	const texts: string[] = [];
	let left = MAX_SHOWN;
	const collect = (element: XmlElement): boolean => {
		if (element.name === except) return true;
		const text = shownText(element) ?? '';
		if (text.trim() !== '') texts.push(text);
		// Each element counts, and its indentation does not.
		left -= text.trim().length + 1;
		return left > 0 && element.children.every(collect);
	};
	elements.every(collect);
	return texts;
}

/** Returns the texts of some elements on one line, see {@link textsIn}. */
export function allText(elements: readonly XmlElement[], except?: string): string {
	return textsIn(elements, except).join(' ').replace(/\s+/g, ' ').trim();
}

/** Whether an element is `xsi:nil`. With content it is not, whatever it says: nothing of that is lost. */
export function isNil({ attributes, children, text }: XmlElement): boolean {
	const nil = attributes.get('xsi:nil')?.trim();
	return (nil === 'true' || nil === '1') && children.length === 0 && text.trim() === '';
}

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
	children: XmlElement[];
	text: string;
	isMended?: boolean;
}

/** An attribute as it stands in the document, its value unescaped. */
type Attribute = readonly [qualified: string, value: string];

/** Elements without children share it, and those without attributes. */
const NO_CHILDREN: XmlElement[] = [];
const NO_ATTRIBUTES = new Map<string, string>();

/** A comment, a CDATA section, an instruction, or the beginning of a declaration. */
const MARKUP =
	/<!--[^]*?--(>?)|<!\[CDATA\[([^]*?)\]\]>|<\?([^\t\n ?]*)(?:[\t\n ][^]*?)?\?>|<!(?!--|\[CDATA\[)/y;

const START = /<([^\t\n <>/"'=&]+)/y;
const ATTRIBUTE = /[\t\n ]+([^\t\n <>/"'=&]+)[\t\n ]*=[\t\n ]*(?:"([^"<]*)"|'([^'<]*)')/y;
const CLOSE = /[\t\n ]*(\/?)>/y;
const END = /<\/([^\t\n <>/"'=&]+)[\t\n ]*>/y;

/** Copies a part of a text: from 13 characters on, V8 would keep the whole text for it. */
function copyOf(part: string): string {
	return part.length < 13 ? part : [part.slice(0, 1), part.slice(1)].join('');
}

/**
 * Begins an element: resolves its name, its attributes, and the prefixes that it binds.
 *
 * @param outer its own scope, too, if it binds none
 * @throws {XmlError} at a name as {@link qualifiedName}, at a prefix that must not be bound like that, and at an attribute
 * that is there twice
 */
function openElement(qualified: string, written: readonly Attribute[], outer: Scope): OpenElement {
	let scope = outer;
	for (const [name, namespace] of written) {
		const [before, local] = splitName(name);
		if (before !== 'xmlns' && name !== 'xmlns') continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = before === '' ? '' : local;
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		if (namespace.length > LIMITS.name) {
			throw new XmlLimitError(LIMITS.name, 'characters of a name');
		}
		if (scope === outer) scope = { bound: new Map(), outer };
		if (scope.bound.has(prefix)) throw new XmlError(`the attribute "${name}" twice`);
		scope.bound.set(prefix, namespace);
	}
	const attributes = written.length === 0 ? NO_ATTRIBUTES : new Map<string, string>();
	for (const [name, value] of written) {
		if (/^xmlns(?::|$)/.test(name)) continue;
		// Without a prefix, it is in no namespace.
		const { namespace, local } = name.includes(':')
			? qualifiedName({ scope }, name)
			: { namespace: '', local: name };
		safeName('attribute', local);
		let key = namespace === '' ? local : `{${namespace}}${local}`;
		if (namespace === XSI) key = `xsi:${local}`;
		if (namespace === XML) key = `xml:${local}`;
		if (attributes.has(key)) throw new XmlError(`the attribute "${name}" twice`);
		attributes.set(key, value);
	}
	const { namespace, local } = qualifiedName({ scope }, qualified);
	const name = safeName('element', local);
	return { namespace, name, attributes, children: NO_CHILDREN, text: '', scope };
}

/**
 * Reads a whole XML document, namespaces resolved.
 *
 * @param maxElements if it may have fewer than any answer
 * @returns its root element
 * @throws {XmlError} if the text is not exactly one well-formed document, exceeds a limit, or
 * contains a document type declaration, which could define entity bombs or external entities
 */
export function parseXml(text: string, maxElements: number = LIMITS.elements): XmlElement {
	if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
	const document = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
	const illFormed = (at: number): XmlError =>
		new XmlError(`no well-formed XML (line ${document.slice(0, at).split('\n').length})`);
	/** Matches a part of the document. @param at where it begins */
	const match = (part: RegExp, at: number): RegExpExecArray => {
		part.lastIndex = at;
		const found = part.exec(document);
		if (found === null) throw illFormed(at);
		return found;
	};
	const scope = { bound: new Map([['xml', XML]]), outer: undefined };
	/** The open elements with their names, outermost first: the document itself. */
	const open: Array<readonly [element: OpenElement, name: string]> = [
		[openElement('document', [], scope), ''],
	];
	const names = new Set<string>();
	const checkName = (name: string, at: number): void => {
		if (names.has(name)) return;
		if (!splitName(name).every((part, i) => isXmlName(part) || (i === 0 && part === ''))) {
			throw illFormed(at);
		}
		names.add(name);
	};
	let [elements, attributes, end, isMended] = [0, 0, 0, false];
	const mend = (): string => {
		isMended = true;
		return ' ';
	};
	for (;;) {
		const next = document.indexOf('<', end);
		const at = next < 0 ? document.length : next;
		const [parent] = open.at(-1) ?? [];
		if (parent === undefined) throw illFormed(at);
		if (at > end) {
			const written = document.slice(end, at);
			if (open.length > 1 ? written.includes(']]>') : /[^\t\n ]/.test(written)) {
				throw illFormed(end);
			}
			parent.text += copyOf(unescapeXml(written, mend));
			if (isMended) parent.isMended = true;
			isMended = false;
		}
		if (next < 0) {
			const [root, other] = parent.children;
			if (open.length > 1) throw illFormed(at);
			if (root === undefined || other !== undefined) {
				throw new XmlError('not exactly one root element');
			}
			return root;
		}
		const begin = document[at + 1];
		if (begin === '/') {
			const [found, name] = match(END, at);
			if (open.length === 1 || open.pop()?.[1] !== name) throw illFormed(at);
			end = at + found.length;
			continue;
		}
		if (++elements > maxElements) throw new XmlLimitError(maxElements, 'elements');
		if (begin === '!' || begin === '?') {
			const [found, commentEnd, section, target] = match(MARKUP, at);
			end = at + found.length;
			if (found === '<!') throw new XmlError('a document type declaration, which is refused');
			if (commentEnd === '') throw illFormed(at);
			// Only the beginning of a document declares what it is.
			const isDeclaration = target?.toLowerCase() === 'xml';
			const isIll = target !== undefined && (!isXmlName(target) || (isDeclaration && at > 0));
			if (isIll || (section !== undefined && open.length === 1)) throw illFormed(at);
			if (section !== undefined) parent.text += copyOf(section);
			continue;
		}
		const [found, qualified = ''] = match(START, at);
		checkName(qualified, at);
		end = at + found.length;
		const written: Attribute[] = [];
		for (;;) {
			ATTRIBUTE.lastIndex = end;
			const [part, name = '', double, single = ''] = ATTRIBUTE.exec(document) ?? [];
			if (part === undefined) break;
			if (++attributes > LIMITS.attributes)
				throw new XmlLimitError(LIMITS.attributes, 'attributes');
			checkName(name, end);
			// A tab or a line feed in it means a blank (XML 1.0, 3.3.3).
			const value = unescapeXml((double ?? single).replace(/[\t\n]/g, ' '), mend);
			written.push([name, copyOf(value)]);
			end += part.length;
		}
		const [closed, slash] = match(CLOSE, end);
		end += closed.length;
		if (open.length > LIMITS.depth) throw new XmlLimitError(LIMITS.depth, 'levels');
		const element = openElement(qualified, written, parent.scope);
		if (isMended) element.isMended = true;
		isMended = false;
		if (parent.children === NO_CHILDREN) parent.children = [element];
		else parent.children.push(element);
		if (slash === '') open.push([element, qualified]);
	}
}
