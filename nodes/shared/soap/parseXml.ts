import { XML } from '../values/untyped';
import { checkLimit, XmlCheck } from './checkXml';
import { qualifiedName, resolveAttributes, safeName, type Attribute } from './namespaces';
import { illFormed, unescapeXml, XmlError, type Scope, type XmlElement } from './xml';
import { XMLParser, XMLValidator } from './xmlLibrary';

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
	children: XmlElement[];
	text: string;
}

/** Elements without children share it. */
const NO_CHILDREN: XmlElement[] = [];

/** Copies a part of a text: from 13 characters on, V8 would keep the whole text for it. */
function copyOf(part: string): string {
	return part.length < 13 ? part : [part.slice(0, 1), part.slice(1)].join('');
}

/** Returns the depth of an element; 0 for the document. */
function depthOf(matcher: string | { getDepth(): number }): number {
	return typeof matcher === 'string' ? 0 : matcher.getDepth();
}

function openElement(qualified: string, written: readonly Attribute[], outer: Scope): OpenElement {
	const { attributes, scope } = resolveAttributes(written, outer);
	const { namespace, local } = qualifiedName({ scope }, qualified);
	const name = safeName('element', local);
	return { namespace, name, attributes, children: NO_CHILDREN, text: '', scope };
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
	const scope: Scope = { bound: new Map([['xml', XML]]), outer: undefined, names: { length: 0 } };
	const document = openElement('document', [], scope);
	/** The open elements by depth. */
	const open = [document];
	/** The attributes of the next element, which the library reads first. */
	const attributes: Attribute[] = [];
	const names = new Set<string>();
	const attributeNames = new Set<string>();
	new XMLParser({
		...OPTIONS,
		attributeValueProcessor(name, value) {
			attributes.push([name, copyOf(value)]);
			if (name.startsWith('xmlns:')) return;
			checkLimit(attributeNames.add(name).size, 'different names of attributes');
		},
		updateTag(qualified, matcher) {
			const depth = depthOf(matcher);
			const parent = open[depth - 1] ?? document;
			const element = openElement(qualified, attributes, parent.scope);
			checkLimit(names.add(element.name).size, 'different names of elements');
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
export function parseXml(text: string, maxElements?: number): XmlElement {
	const check = new XmlCheck(text, maxElements);
	const prepared = check.prepare();
	const result = XMLValidator.validate(check.document);
	if (result !== true) throw illFormed(result.err.line);
	const [root, other] = treeOf(prepared).children;
	if (root === undefined || other !== undefined) throw new XmlError('not exactly one root element');
	return root;
}
