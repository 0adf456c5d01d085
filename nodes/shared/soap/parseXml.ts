/** Reads XML 1.0 with namespaces, in one pass: every limit is counted while reading. There is no document type. */
import { LIMITS } from '../contract/limits';
import { isXmlName, isXmlText } from '../values/text';
import { XML } from '../values/scalars';
import {
	qualifiedName,
	safeName,
	splitName,
	unescapeXml,
	XmlError,
	XmlLimitError,
	XSI,
	type Scope,
	type XmlElement,
} from './xml';

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
