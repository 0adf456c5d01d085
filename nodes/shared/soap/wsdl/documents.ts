import { UnreadableError } from '../../errors/ServiceError';
import { onceFor } from '../../contract/onceFor';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { parseXml } from '../parseXml';
import { allText, childrenOf, XmlError, type QName, type XmlElement } from '../xml';

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';

/** Maximum number of elements of a document. In 8 MiB, the services of .NET have about 100,000. */
const MAX_ELEMENTS = 120_000;

/** A WSDL that cannot be read. */
export class WsdlError extends UnreadableError {}

/** One document of a description: the WSDL itself, or one that it imports. */
export interface WsdlDocument {
	/** `wsdl:definitions` or `xs:schema`. */
	readonly root: XmlElement;
	/** The addresses of the documents that it imports or includes. */
	readonly imports: readonly string[];
}

/** Definitions by their qualified names. A namespace may be long, so it is no part of each key. */
export class Definitions<T> {
	readonly #byNamespace = new Map<string, Map<string, T>>();

	/** Adds a definition, unless there is one of its name. */
	add({ namespace, local }: QName, definition: T): void {
		const known = this.#byNamespace.get(namespace) ?? new Map<string, T>();
		if (!known.has(local)) this.#byNamespace.set(namespace, known.set(local, definition));
	}

	get({ namespace, local }: QName): T | undefined {
		return this.#byNamespace.get(namespace)?.get(local);
	}

	values(): T[] {
		return [...this.#byNamespace.values()].flatMap((known) => [...known.values()]);
	}
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

/** Returns what a description says about an element of it: `wsdl:documentation` or `xs:documentation`. */
export const documentationOf = onceFor((node: XmlElement): string | undefined => {
	const { namespace } = node;
	const around = namespace === WSDL ? [node] : childrenOf(node, XSD, 'annotation');
	const parts = around.flatMap((element) => childrenOf(element, namespace, 'documentation'));
	const text = allText(parts);
	return text === '' ? undefined : truncate(text, namespace === WSDL ? 5000 : 200);
});

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
		root = parseXml(text, MAX_ELEMENTS);
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
