/**
 * Parses XML. fast-xml-parser validates and parses; what it does not check, or would take much memory for, is
 * checked and prepared before. Names are resolved by their namespaces here.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { LIMITS } from '../contract/limits';
import { isXmlName, isXmlText } from '../values/text';
import { XML } from '../values/scalars';
import {
	attributeName,
	checkLimit,
	qualifiedName,
	safeName,
	type Scope,
	splitName,
	unescapeXml,
	type XmlElement,
	XmlError,
} from './xml';

/** An attribute as it stands in the document. */
type Attribute = readonly [qualified: string, value: string];

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
	children: XmlElement[];
	text: string;
}

/** Elements without children share it, and those without attributes. */
const NO_CHILDREN: XmlElement[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The library takes 32 bytes for each character of a text, and takes a CDATA section as a whole. */
const LONG_TEXT = 2 ** 16;

/** A comment, a CDATA section, an instruction, or the beginning of a declaration. */
const MARKUP =
	/<!--[^]*?--(>?)|<!\[CDATA\[[^]*?\]\]>|<\?([^\t\n ?]*)(?:[\t\n ][^]*?)?\?>|<!(?!--|\[CDATA\[)/y;

/** A tag up to its next value or its end. The library takes more characters for whitespace than XML. */
const PART_OF_TAG =
	/[^<>"'=\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*(?:=[\t\n ]*(?:"[^"<]*"|'[^'<]*')|>)/y;

/** @param line the 1-based line number */
function illFormed(line: number): XmlError {
	return new XmlError(`no well-formed XML (line ${line})`);
}

/** Checks a document against the limits, and for what the library does not; and prepares it. */
class Preparation {
	readonly #parts: string[] = [];
	/** The end of the last part. */
	#copied = 0;
	#elements = 0;
	#attributes = 0;
	#depth = 0;

	/** @param document with line feeds as its only line ends */
	constructor(
		private readonly document: string,
		private readonly maxElements: number,
	) {}

	/**
	 * Returns the document without comments and instructions, with blanks as the only whitespace of tags,
	 * and with its long texts as CDATA sections.
	 *
	 * @throws {XmlError} at a document type declaration, at a tag, comment, CDATA section or instruction
	 * that is not well-formed, and at a text outside the root element
	 */
	prepare(): string {
		const { document } = this;
		let end = 0;
		for (let at = this.#endOfText(0); at < document.length; at = this.#endOfText(end)) {
			end = '!?'.includes(document.charAt(at + 1)) ? this.#endOfMarkup(at) : this.#endOfTag(at);
		}
		return this.#parts.join('') + document.slice(this.#copied);
	}

	#illFormed(at: number): XmlError {
		return illFormed(this.document.slice(0, at).split('\n').length);
	}

	#replace(begin: number, end: number, by: string): void {
		this.#parts.push(this.document.slice(this.#copied, begin), by);
		this.#copied = end;
	}

	#endOfText(begin: number): number {
		const next = this.document.indexOf('<', begin);
		const end = next < 0 ? this.document.length : next;
		const isInside = this.#depth > 0;
		if (isInside && end - begin <= LONG_TEXT) return end;
		const text = this.document.slice(begin, end);
		if (isInside ? text.includes(']]>') : /[^\t\n ]/.test(text)) throw this.#illFormed(begin);
		// In a CDATA section, the library takes a carriage return for a line end. It ends with the first "]]>".
		const safe = unescapeXml(text).replace(/\r|(?<=\]\])>/g, (one) => {
			return `]]>&#${one.charCodeAt(0)};<![CDATA[`;
		});
		this.#replace(begin, end, isInside ? `<![CDATA[${safe}]]>` : '');
		return end;
	}

	#endOfMarkup(at: number): number {
		checkLimit(++this.#elements, this.maxElements, 'elements');
		MARKUP.lastIndex = at;
		const [found = '', commentEnd, target] = MARKUP.exec(this.document) ?? [];
		const end = at + found.length;
		if (found === '<!') throw new XmlError('a document type declaration, which is refused');
		if (commentEnd === '' && end < this.document.length) {
			throw new XmlError('a comment with "--" in it');
		}
		// Only the beginning of a document declares what it is.
		const isInstruction =
			target !== undefined && isXmlName(target) && (at === 0 || target.toLowerCase() !== 'xml');
		const isSection = found.endsWith(']]>') && this.#depth > 0;
		if (commentEnd !== '>' && !isInstruction && !isSection) throw this.#illFormed(at);
		// The library would look for quoted values in an instruction, and would collect the texts around a
		// comment as one.
		if (!isSection) this.#replace(at, end, this.#depth > 0 ? '<![CDATA[]]>' : '');
		return end;
	}

	#endOfTag(at: number): number {
		const { document } = this;
		let end = at + 1;
		let parts = 0;
		for (; document[end - 1] !== '>'; parts++) {
			PART_OF_TAG.lastIndex = end;
			if (!PART_OF_TAG.test(document)) throw this.#illFormed(end);
			end = PART_OF_TAG.lastIndex;
			checkLimit(this.#attributes + parts, LIMITS.attributes, 'attributes');
		}
		this.#attributes += parts - 1;
		if (parts > 1) {
			const tag = document.slice(at, end);
			// In the value of an attribute, they mean blanks (XML 1.0, 3.3.3), and the library keeps them.
			if (/[\t\n]/.test(tag)) this.#replace(at, end, tag.replace(/[\t\n]/g, ' '));
		}
		if (document[at + 1] === '/') this.#depth--;
		else {
			checkLimit(++this.#elements, this.maxElements, 'elements');
			checkLimit(this.#depth + 1, LIMITS.depth, 'levels');
			if (document[end - 2] !== '/') this.#depth++;
		}
		return end;
	}
}

/**
 * Resolves the attributes of an element, and the prefixes that it binds.
 *
 * @returns its scope is the outer one if it binds none
 * @throws {XmlError} at a name as {@link qualifiedName}, at a prefix that must not be bound like that, and at an attribute
 * that is there twice
 */
function resolveAttributes(
	written: readonly Attribute[],
	outer: Scope,
): Pick<XmlElement, 'attributes' | 'scope'> {
	if (written.length === 0) return { attributes: NO_ATTRIBUTES, scope: outer };
	const attributes = new Map<string, string>();
	const bound = new Map<string, string>();
	for (const [qualified, namespace] of written) {
		const [before, local] = splitName(qualified);
		if (before !== 'xmlns' && qualified !== 'xmlns') continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = before === '' ? '' : local;
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		checkLimit(namespace.length, LIMITS.name, 'characters of a name');
		bound.set(prefix, namespace);
	}
	const scope = bound.size === 0 ? outer : { bound, outer };
	for (const [qualified, value] of written) {
		if (/^xmlns(?::|$)/.test(qualified)) continue;
		const isPrefixed = qualified.includes(':');
		const resolved = isPrefixed
			? qualifiedName({ scope }, qualified)
			: { namespace: '', local: qualified };
		safeName('attribute', resolved.local);
		const name = attributeName(resolved);
		if (attributes.has(name)) throw new XmlError(`the attribute "${qualified}" twice`);
		attributes.set(name, value);
	}
	return { attributes, scope };
}

function openElement(qualified: string, written: readonly Attribute[], outer: Scope): OpenElement {
	const { attributes, scope } = resolveAttributes(written, outer);
	const { namespace, local } = qualifiedName({ scope }, qualified);
	const name = safeName('element', local);
	return { namespace, name, attributes, children: NO_CHILDREN, text: '', scope };
}

/** Copies a part of a text: from 13 characters on, V8 would keep the whole text for it. */
function copyOf(part: string): string {
	return part.length < 13 ? part : [part.slice(0, 1), part.slice(1)].join('');
}

/** Returns the depth of an element; 0 for the document. */
function depthOf(matcher: string | { getDepth(): number }): number {
	return typeof matcher === 'string' ? 0 : matcher.getDepth();
}

const ignore = (): void => undefined;

/** The options of the library beside the callbacks that build the tree. */
const OPTIONS = {
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
};

/** Builds a tree from the library's callbacks: its own tree takes more than twice the memory. */
function treeOf(xml: string): XmlElement {
	const document = openElement('document', [], {
		bound: new Map([['xml', XML]]),
		outer: undefined,
	});
	/** The open elements by depth. */
	const open = [document];
	/** The attributes of the next element, which the library reads first. */
	const attributes: Attribute[] = [];
	new XMLParser({
		...OPTIONS,
		attributeValueProcessor(name, value) {
			attributes.push([name, copyOf(value)]);
		},
		updateTag(qualified, matcher) {
			const depth = depthOf(matcher);
			const parent = open[depth - 1] ?? document;
			const element = openElement(qualified, attributes, parent.scope);
			if (parent.children === NO_CHILDREN) parent.children = [element];
			else parent.children.push(element);
			open[depth] = element;
			attributes.length = 0;
			return false;
		},
		tagValueProcessor(_, text, matcher) {
			(open[depthOf(matcher)] ?? document).text += copyOf(text);
			return '';
		},
	}).parse(xml);
	return document;
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
	const prepared = new Preparation(document, maxElements).prepare();
	const result = XMLValidator.validate(document);
	if (result !== true) throw illFormed(result.err.line);
	const [root, other] = treeOf(prepared).children;
	if (root === undefined || other !== undefined) throw new XmlError('not exactly one root element');
	return root;
}
