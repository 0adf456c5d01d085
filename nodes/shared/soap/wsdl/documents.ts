import { texts } from '../../errors/catalogue';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { parseXml } from '../parseXml';
import { XmlError, type QName, type XmlElement } from '../xml';
import { DescriptionError } from './description';

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';

/** One document of a description: the WSDL itself, or one that it imports. */
export interface DescriptionDocument {
	readonly address: string;
	/** `wsdl:definitions` or `xs:schema`. */
	readonly root: XmlElement;
	/** The addresses of the documents that it imports or includes. */
	readonly imports: readonly string[];
}

/** Returns a text that no other qualified name has. */
export function keyOf({ namespace, local }: QName): string {
	return `{${namespace}}${local}`;
}

/** Returns the children that have one of the given names in a namespace, in document order. */
export function childrenOf(
	{ children }: XmlElement,
	namespace: string,
	...names: readonly string[]
): readonly XmlElement[] {
	return children.filter((child) => child.namespace === namespace && names.includes(child.name));
}

/** Returns the address that an import refers to; `undefined` if it refers to none. */
function importedAddress(node: XmlElement, address: string): string | undefined {
	const location = node.attributes.get(node.namespace === WSDL ? 'location' : 'schemaLocation');
	if (location === undefined || !URL.canParse(location, address)) return undefined;
	return new URL(location, address).href.replace(/#.*/s, '');
}

/** Returns the schemas in a document. */
export function schemasOf(root: XmlElement): readonly XmlElement[] {
	if (root.namespace === XSD) return [root];
	return childrenOf(root, WSDL, 'types').flatMap((types) => childrenOf(types, XSD, 'schema'));
}

/** The text of an element and its descendants, on one line. */
function textOf(node: XmlElement): string {
	return [node.text, ...node.children.map(textOf)].join(' ').replace(/\s+/g, ' ').trim();
}

/** What a description says about an element of it: `wsdl:documentation` or `xs:documentation`. */
export function documentationOf(node: XmlElement, maximum: number): string | undefined {
	const { namespace } = node;
	const around = namespace === WSDL ? [node] : childrenOf(node, XSD, 'annotation');
	const parts = around.flatMap((element) => childrenOf(element, namespace, 'documentation'));
	const text = parts.map(textOf).join(' ').trim();
	return text === '' ? undefined : truncate(text, maximum);
}

function notRead(found: string): DescriptionError {
	return new DescriptionError(texts.descriptions.otherDocument, { found });
}

function unreadable(text: string, { found }: XmlError): DescriptionError {
	if (text.trim() === '') return notRead('an empty text');
	if (/^\s*<(?:!doctype\s+)?html\b/i.test(text)) return notRead('a web page');
	return new DescriptionError(texts.descriptions.holds, { found });
}

/**
 * Checks that a document can be part of a description.
 *
 * @param expected names that its root element may have
 * @throws {DescriptionError} if it is something else, for example a web page
 */
export function checkRoot({ namespace, name }: XmlElement, ...expected: readonly string[]): void {
	const isKnown = namespace === (name === 'schema' ? XSD : WSDL);
	if (isKnown && expected.includes(name)) return;
	if (name.toLowerCase() === 'html') throw notRead('a web page');
	if (name === 'schema') throw notRead('an XML schema');
	if (name === 'description') throw notRead('WSDL 2.0');
	throw notRead(`the XML element ${truncate(name)}`);
}

function parsed(text: string): XmlElement {
	try {
		return parseXml(text);
	} catch (error) {
		throw error instanceof XmlError ? unreadable(text, error) : error;
	}
}

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @throws {DescriptionError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string): DescriptionDocument {
	const root = parsed(text);
	checkRoot(root, 'definitions', 'schema');
	const imports = [
		...childrenOf(root, WSDL, 'import'),
		...schemasOf(root).flatMap((schema) => childrenOf(schema, XSD, 'import', 'include')),
	].flatMap((node) => importedAddress(node, address) ?? []);
	return { address, root, imports: [...new Set(imports)] };
}
