import { UnreadableError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { parseXml } from '../parseXml';
import { allText, childrenOf, XmlError, type QName, type XmlElement } from '../xml';

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';

/** A WSDL that cannot be read, or an operation that it does not define. */
export class WsdlError extends UnreadableError {}

/** One document of a description: the WSDL itself, or one that it imports. */
export interface WsdlDocument {
	/** `wsdl:definitions` or `xs:schema`. */
	readonly root: XmlElement;
	/** The addresses of the documents that it imports or includes. */
	readonly imports: readonly string[];
}

/** Returns a text that no other qualified name has. */
export function keyOf({ namespace, local }: QName): string {
	return `{${namespace}}${local}`;
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

/** What a description says about an element of it: `wsdl:documentation` or `xs:documentation`. */
export function documentationOf(node: XmlElement, maximum: number): string | undefined {
	const { namespace } = node;
	const around = namespace === WSDL ? [node] : childrenOf(node, XSD, 'annotation');
	const parts = around.flatMap((element) => childrenOf(element, namespace, 'documentation'));
	const text = allText(parts);
	return text === '' ? undefined : truncate(text, maximum);
}

function notWsdl(found: string): WsdlError {
	return new WsdlError(
		`The address answers with ${found} instead of a description of the service (WSDL)`,
	);
}

function unreadable(text: string, error: unknown): unknown {
	if (!(error instanceof XmlError)) return error;
	if (text.trim() === '') return notWsdl('an empty text');
	if (/^\s*<(?:!doctype\s+)?html\b/i.test(text)) return notWsdl('a web page');
	return new WsdlError(`The description of the service holds ${error.found}`);
}

/**
 * Checks that a document can be part of a description.
 *
 * @param expected names that its root element may have
 * @throws {WsdlError} if it is something else, for example a web page
 */
export function checkRoot({ namespace, name }: XmlElement, ...expected: readonly string[]): void {
	const isKnown = namespace === (name === 'schema' ? XSD : WSDL);
	if (isKnown && expected.includes(name)) return;
	if (name.toLowerCase() === 'html') throw notWsdl('a web page');
	if (name === 'schema') throw notWsdl('an XML schema');
	if (name === 'description') throw notWsdl('WSDL 2.0');
	throw notWsdl(`the XML element ${truncate(name)}`);
}

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @throws {WsdlError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string): WsdlDocument {
	let root: XmlElement;
	try {
		root = parseXml(text);
	} catch (error) {
		throw unreadable(text, error);
	}
	checkRoot(root, 'definitions', 'schema');
	const imports = [
		...childrenOf(root, WSDL, 'import'),
		...schemasOf(root).flatMap((schema) => childrenOf(schema, XSD, 'import', 'include')),
	].flatMap((node) => importedAddress(node, address) ?? []);
	return { root, imports: [...new Set(imports)] };
}
