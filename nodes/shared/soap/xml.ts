/**
 * Reads XML as a tree. fast-xml-parser validates and parses; what it does not check, or would take much memory for, is
 * checked and prepared before. Namespaces are resolved here.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { LIMITS } from '../contract/limits';
import { UnreadableError } from '../errors/ServiceError';
import { beginning } from '../errors/words';
import { isXmlText } from '../values/scalars';

/** The namespaces of WSDL 1.1, of XML Schema and its built-in types, of XML Schema instance, and of the prefix `xml`. */
export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';
export const XSD = 'http://www.w3.org/2001/XMLSchema';
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The characters that a name can begin with, as the content of a class of a regular expression. */
const LETTERS =
	'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
	'\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}';
const NC_NAME = new RegExp(`^[${LETTERS}][${LETTERS}0-9.\\u{B7}-]*$`, 'u');

/** What must not become the name of a property: it would reach an object's prototype. Simplify makes `__proto__` of `__Proto__`. */
const UNSAFE = /^(?:__[pP][rR][oO][tT][oO]__|constructor|prototype)$/;

/** Whether a text is a short XML name (`NCName`) without combining marks and joiners, and can become a property. */
export function isXmlName(text: string): boolean {
	return text.length <= LIMITS.name && NC_NAME.test(text) && !UNSAFE.test(text);
}

export interface QName {
	readonly namespace: string;
	readonly local: string;
}

/** An element with its names resolved. */
export interface XmlElement {
	readonly namespace: string;
	readonly name: string;
	/** Attributes by name: `xsi:…`, `xml:…`, or `{namespace}local` if it is in another. */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	readonly text: string;
	/** Whether a reference in its text or attributes meant a character that XML does not allow: a blank now. */
	readonly isMended?: boolean;
	/** The namespaces of the prefixes that it binds, before those around it. */
	readonly scope: Readonly<Record<string, string>>;
}

/** A text that is not well-formed XML, or XML that is refused. */
export class XmlError extends UnreadableError {
	override readonly name = 'XmlError';

	/** @param found a noun phrase */
	constructor(
		readonly found: string,
		limit?: string,
	) {
		super(`The answer holds ${found}`, { limit });
	}
}

function checkLimit(count: number, limit: number, what: string): void {
	if (count <= limit) return;
	throw new XmlError(`XML that is refused (over ${limit} ${what})`, `${limit} ${what}`);
}

/** Escapes character data; a carriage return would otherwise be read back as a line feed. */
export function escapeXml(text: string): string {
	const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
	return text.replace(/[&<>\r]/g, (character) => escaped[character] ?? '&#13;');
}

function safeName(kind: 'attribute' | 'element', local: string): string {
	if (!UNSAFE.test(local)) return local;
	throw new XmlError(`the ${kind} name "${local}", which is refused`);
}

/** @throws {XmlError} at a name that is too long, or whose colon is out of place */
function splitPrefix(qualified: string): readonly [prefix: string, local: string] {
	checkLimit(qualified.length, LIMITS.name, 'characters of a name');
	const colon = qualified.indexOf(':');
	const local = qualified.slice(colon + 1);
	if (local === '' || colon === 0 || local.includes(':')) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [qualified.slice(0, Math.max(colon, 0)), local];
}

/** Resolves the name of an element, or one in an attribute: `type="s:int"`. @throws {XmlError} at an unbound prefix */
export function qualifiedName({ scope }: Pick<XmlElement, 'scope'>, text: string): QName {
	const [prefix, local] = splitPrefix(text.trim());
	const namespace = scope[prefix] ?? '';
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

/** How much of the text of an answer is ever shown, in characters. */
const MAX_SHOWN = 2 ** 16;

/** Returns the texts of elements and their descendants, one a line, without stack traces. */
export function allText(...elements: ReadonlyArray<XmlElement | undefined>): string {
	const texts: string[] = [];
	let left = MAX_SHOWN;
	const collect = (element?: XmlElement): boolean => {
		if (element === undefined || element.name === 'StackTrace') return true;
		const text = beginning(element.text, MAX_SHOWN);
		if (text.trim() !== '') texts.push(text);
		// Each element counts, and its indentation does not.
		left -= text.trim().length + 1;
		return left > 0 && element.children.every(collect);
	};
	elements.every(collect);
	return texts.join('\n');
}

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
	children: XmlElement[];
	text: string;
	isMended?: boolean;
}

/** Of all elements without attributes: 240,000 elements take 44 MiB, and 86 with a map each. */
const NO_ATTRIBUTES = new Map<string, string>();

/** The library collects a text by its characters, and a CDATA section as a whole: 20 MiB take 770 MiB, or 117. */
const LONG_TEXT = 2 ** 16;

/** A comment, a CDATA section, an instruction, or the beginning of a declaration. */
const MARKUP =
	/<!--[^]*?--(>?)|<!\[CDATA\[[^]*?\]\]>|<\?([^\t\n ?]*)(?:[\t\n ][^]*?)?\?>|<!(?!--|\[CDATA\[)/y;

/** A tag up to its next value or its end. The library takes more characters for whitespace than XML. */
const PART_OF_TAG =
	/[^<>"'=\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*(?:=[\t\n ]*(?:"[^"<]*"|'[^'<]*')|>)/y;

/** The entities that XML defines. */
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** In place of a character that XML does not allow: .NET writes `&#x1F;` of a text with one. */
const LOST = '\0';

/** Replaces references by their characters, or {@link LOST}. @throws {XmlError} at one that means no character */
function unescapeXml(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&[^;&]{0,12};?/g, (reference) => {
		if (!reference.endsWith(';')) throw new XmlError('an "&" that begins no entity');
		const name = reference.slice(1, -1);
		const entity = ENTITIES.get(name);
		if (entity !== undefined) return entity;
		if (!/^#(?:x[0-9a-f]+|[0-9]+)$/i.test(name)) {
			throw new XmlError(`the unknown entity "${reference}"`);
		}
		const point = Number(name.slice(1).replace(/^x/i, '0x'));
		const character = point <= 0x10ffff ? String.fromCodePoint(point) : LOST;
		return isXmlText(character) ? character : LOST;
	});
}

const illFormed = (line: number) => new XmlError(`no well-formed XML (line ${line})`);

/**
 * Checks a document against the limits, and for what the library does not.
 *
 * @param document with line feeds as its only line ends
 * @returns the document without comments and instructions, with blanks as the only whitespace of tags,
 * and with its long texts as CDATA sections
 */
function prepare(document: string, maxElements: number): string {
	const { length } = document;
	const illFormedAt = (at: number): XmlError => illFormed(document.slice(0, at).split('\n').length);
	/** What replaces parts of the document, with what is between them; and the end of the last one. */
	const parts: string[] = [];
	let copied = 0;
	const replace = (begin: number, end: number, by: string): void => {
		parts.push(document.slice(copied, begin), by);
		copied = end;
	};
	let [elements, attributes, depth, end] = [0, 0, 0, 0];
	for (;;) {
		const next = document.indexOf('<', end);
		const at = next < 0 ? length : next;
		if (depth === 0 || at - end > LONG_TEXT) {
			const text = document.slice(end, at);
			if (depth > 0 ? text.includes(']]>') : /[^\t\n ]/.test(text)) throw illFormedAt(end);
			// In a CDATA section, the library takes a carriage return for a line end. It ends with the first "]]>".
			const safe = unescapeXml(text).replace(/[\r\0]|(?<=\]\])>/g, (found) => {
				return `]]>&#${found.charCodeAt(0)};<![CDATA[`;
			});
			replace(end, at, depth > 0 ? `<![CDATA[${safe}]]>` : '');
		}
		if (at === length) return parts.join('') + document.slice(copied);
		const begin = document[at + 1];
		const isEnd = begin === '/';
		if (!isEnd) checkLimit(++elements, maxElements, 'elements');
		if (begin === '!' || begin === '?') {
			MARKUP.lastIndex = at;
			const [found = '', commentEnd, target] = MARKUP.exec(document) ?? [];
			end = at + found.length;
			if (found === '<!') throw new XmlError('a document type declaration, which is refused');
			if (commentEnd === '' && end < length) throw new XmlError('a comment with "--" in it');
			// Only the beginning of a document declares what it is.
			const isInstruction =
				target !== undefined && isXmlName(target) && (at === 0 || target.toLowerCase() !== 'xml');
			const isSection = found.endsWith(']]>') && depth > 0;
			if (commentEnd !== '>' && !isInstruction && !isSection) throw illFormedAt(at);
			// The library would look for quoted values in an instruction, and would collect the texts around a
			// comment as one.
			if (!isSection) replace(at, end, depth > 0 ? '<![CDATA[]]>' : '');
			continue;
		}
		const before = attributes;
		for (end = at + 1; ; attributes++) {
			PART_OF_TAG.lastIndex = end;
			if (!PART_OF_TAG.test(document)) throw illFormedAt(end);
			end = PART_OF_TAG.lastIndex;
			if (document[end - 1] === '>') break;
			checkLimit(attributes + 1, LIMITS.attributes, 'attributes');
		}
		if (attributes > before) {
			const tag = document.slice(at, end);
			// In the value of an attribute, they mean blanks (XML 1.0, 3.3.3), and the library keeps them.
			if (/[\t\n]/.test(tag)) replace(at, end, tag.replace(/[\t\n]/g, ' '));
		}
		if (isEnd) depth--;
		else {
			checkLimit(depth + 1, LIMITS.depth, 'levels');
			if (document[end - 2] !== '/') depth++;
		}
	}
}

/** @throws {XmlError} at an unbound prefix, one that must not be bound like that, and an attribute that is there twice */
function openElement(
	qualified: string,
	written: ReadonlyArray<readonly [qualified: string, value: string]>,
	outer: XmlElement['scope'],
): OpenElement {
	let scope: Record<string, string> = outer;
	for (const [name, namespace] of written) {
		const [before, local] = splitPrefix(name);
		if (before !== 'xmlns' && name !== 'xmlns') continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = before === '' ? '' : local;
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		checkLimit(namespace.length, LIMITS.name, 'characters of a name');
		// Elements may bind very many prefixes: those around are inherited, and not copied.
		if (scope === outer) scope = Object.create(outer) as typeof scope;
		scope[prefix] = namespace;
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
		attributes.set(key, value.replaceAll(LOST, ' '));
	}
	const { namespace, local: name } = qualifiedName({ scope }, qualified);
	safeName('element', name);
	return { namespace, name, attributes, children: [], text: '', scope };
}

/**
 * Reads a whole XML document, namespaces resolved. The tree is built from the library's callbacks: its own
 * tree takes more than twice the memory.
 *
 * @param maxElements if it may have fewer than any answer
 * @returns its root element
 * @throws {XmlError} if the text is not exactly one well-formed document, exceeds a limit, or
 * contains a document type declaration, which could define entity bombs or external entities
 */
export function parseXml(text: string, maxElements: number = LIMITS.elements): XmlElement {
	if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
	const document = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
	const prepared = prepare(document, maxElements);
	const result = XMLValidator.validate(document);
	if (result !== true) throw illFormed(result.err.line);
	const top = openElement(
		'document',
		[],
		Object.assign(Object.create(null) as object, { xml: XML }),
	);
	/** The open elements by depth. */
	const open = [top];
	/** The depth of an element: without `jPath`, the library gives no texts. */
	const depthOf = (matcher: unknown): number => (matcher as { getDepth(): number }).getDepth();
	/** Copies a part of 13 characters or more, for which V8 would keep the document: 200 of 240 kB took 53 MiB, and 9 so. */
	const copyOf = (part: string): string =>
		part.length < 13 ? part : [part.slice(0, 1), part.slice(1)].join('');
	/** The attributes of the next element, which the library reads first. */
	const attributes: Array<readonly [qualified: string, value: string]> = [];
	const ignore = (): void => undefined;
	new XMLParser({
		jPath: false,
		ignoreAttributes: false,
		parseTagValue: false,
		trimValues: false,
		// The library builds no tree, so no such name becomes a property.
		onDangerousProperty: (name: string) => name,
		// The objects of attributes that the library makes are not used. Different ones take much longer.
		transformAttributeName: () => 'a',
		// Otherwise the library refuses such names itself, by another message.
		transformTagName: (name: string) => safeName('element', name),
		// CDATA sections are not decoded.
		entityDecoder: {
			decode: unescapeXml,
			reset: ignore,
			setXmlVersion: ignore,
			addInputEntities: ignore,
			setExternalEntities: ignore,
		},
		attributeValueProcessor(name, value) {
			attributes.push([name, copyOf(value)]);
		},
		updateTag(qualified, matcher) {
			const depth = depthOf(matcher);
			const parent = open[depth - 1] ?? top;
			const element = openElement(qualified, attributes, parent.scope);
			parent.children.push(element);
			open[depth] = element;
			if (attributes.some(([, value]) => value.includes(LOST))) element.isMended = true;
			attributes.length = 0;
			return false;
		},
		tagValueProcessor(_, text, matcher) {
			const element = open[depthOf(matcher)] ?? top;
			if (text.includes(LOST)) element.isMended = true;
			element.text += copyOf(element.isMended ? text.replaceAll(LOST, ' ') : text);
			return '';
		},
	}).parse(prepared);
	const [root, other] = top.children;
	if (root === undefined || other !== undefined) throw new XmlError('not exactly one root element');
	return root;
}
