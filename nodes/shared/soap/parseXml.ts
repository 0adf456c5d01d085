import { isXmlText } from '../values/xmlRules';
import {
	documentScope,
	nameOf,
	resolveAttributes,
	safeName,
	scopeOf,
	type Attribute,
} from './namespaces';
import { MARK, SECTION, setAside, type PreparedXml } from './setAside';
import { illFormed, XmlError, type Scope, type XmlElement } from './xml';
import { XMLParser, XMLValidator } from './xmlLibrary';

/** Deeper than any answer of the service; a bound against nesting bombs. */
const MAX_DEPTH = 64;

/** An element whose end is not read yet. */
interface OpenElement {
	readonly namespace: string;
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	children: XmlElement[];
	text: string;
	readonly scope: Scope;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CHILDREN: XmlElement[] = [];

/** Returns the depth of an element; 0 for the element around the document. */
function depthOf(matcher: string | { getDepth(): number }): number {
	return typeof matcher === 'string' ? 0 : matcher.getDepth() - 1;
}

/**
 * Builds the tree from the library's callbacks; the library keeps nothing of it.
 *
 * @returns the root element; `undefined` if there is none
 */
function treeOf({ xml, restore }: PreparedXml): XmlElement | undefined {
	const around = documentScope();
	/** The open elements by depth. */
	const open: OpenElement[] = [];
	let attributes: Attribute[] | undefined;

	const parser = new XMLParser({
		jPath: false,
		ignoreAttributes: false,
		parseTagValue: false,
		processEntities: false,
		trimValues: false,
		// The library builds no tree, so no such name becomes a property.
		onDangerousProperty: (name) => name,
		// Otherwise the library refuses such names itself, by another message.
		transformTagName: (name) => safeName('element', name),
		attributeValueProcessor(name, value) {
			if (value.includes('<') || value.includes(MARK)) {
				throw new XmlError('no well-formed XML (an attribute with "<" in it)');
			}
			(attributes ??= []).push([name, value]);
		},
		updateTag(qualified, matcher) {
			const depth = depthOf(matcher);
			if (depth > MAX_DEPTH) throw new XmlError(`XML that is refused (over ${MAX_DEPTH} levels)`);
			const parent = open[depth - 1];
			const outer = parent?.scope ?? around;
			const scope = attributes === undefined ? outer : scopeOf(attributes, outer);
			const { namespace, local: name } = nameOf(qualified, scope);
			const element: OpenElement = {
				namespace,
				name,
				attributes: attributes === undefined ? NO_ATTRIBUTES : resolveAttributes(attributes, scope),
				children: NO_CHILDREN,
				text: '',
				scope,
			};
			if (parent?.children === NO_CHILDREN) parent.children = [element];
			else if (depth === 1) throw new XmlError('not exactly one root element');
			else parent?.children.push(element);
			open[depth] = element;
			attributes = undefined;
			return false;
		},
		tagValueProcessor(_, raw, matcher) {
			const depth = depthOf(matcher);
			const text = restore(raw);
			const element = open[depth];
			if (depth > 0 && element !== undefined) element.text += text;
			else if (/[^\t\n ]/.test(text) || raw.includes(SECTION)) {
				throw new XmlError('no well-formed XML (text outside the root element)');
			}
			return '';
		},
	});
	parser.parse(xml);
	return open[0]?.children[0];
}

/** Returns the first fault that the library's validator finds; `undefined` if there is none. */
function faultOf(text: string): XmlError | undefined {
	// The library treats more characters as whitespace than XML does (two of them, U+1680 and U+FEFF,
	// XML allows in names), and its validator ignores a "=" without a value. The mark replaces both:
	// the validator accepts it in texts and attribute values, but not elsewhere in a tag.
	const strict = text.replace(/[^\S\t\n ]|=(?![\t\n ]*["'])/g, MARK);
	const result = XMLValidator.validate(strict);
	return result === true ? undefined : illFormed(result.err.line);
}

/**
 * Reads a whole XML document, namespaces resolved.
 *
 * @returns its root element
 * @throws {XmlError} if the text is not exactly one well-formed document, is nested too deeply, or
 * contains a document type declaration, which could define entity bombs or external entities
 */
export function parseXml(document: string): XmlElement {
	if (!isXmlText(document)) throw new XmlError('a character that XML does not allow');
	const text = document.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
	const prepared = setAside(text);
	let root: XmlElement | undefined;
	try {
		root = treeOf(prepared);
	} catch (error) {
		// The parser's own errors do not tell the line.
		throw error instanceof XmlError ? error : (faultOf(text) ?? error);
	}
	const fault = faultOf(text);
	if (fault !== undefined) throw fault;
	if (root === undefined) throw new XmlError('not exactly one root element');
	return root;
}
