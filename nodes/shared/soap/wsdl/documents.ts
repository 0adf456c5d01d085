/** The documents of a description: WSDL 1.1, and the XML schemas that it has or imports. */
import { onceFor } from '../../contract/fields';
import { LIMITS } from '../../contract/limits';
import { UnreadableError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { parseXml } from '../parseXml';
import { allText, childrenOf, type XmlElement, XmlError, XSD } from '../xml';

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';

/** A WSDL that cannot be read. */
export class WsdlError extends UnreadableError {}

/** One document of a description: the WSDL itself, or one that it imports. */
export interface WsdlDocument {
	/** `wsdl:definitions` or `xs:schema`. */
	readonly root: XmlElement;
	/** The addresses of the documents that it imports or includes. */
	readonly imports: readonly string[];
}

/** Returns the schemas in a document: those whose namespace a name can have. */
export function schemasOf(root: XmlElement): readonly XmlElement[] {
	const types = childrenOf(root, WSDL, 'types');
	const schemas =
		root.namespace === XSD ? [root] : types.flatMap((one) => childrenOf(one, XSD, 'schema'));
	return schemas.filter(
		({ attributes }) => (attributes.get('targetNamespace') ?? '').length <= LIMITS.name,
	);
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
		root = parseXml(text, LIMITS.descriptionElements);
	} catch (error) {
		if (text.trim() === '') throw notWsdl('an empty text');
		if (/^\s*<(?:!doctype\s+)?html\b/i.test(text)) throw notWsdl('a web page');
		throw error instanceof XmlError
			? new WsdlError(`The description of the service holds ${error.found}`)
			: error;
	}
	checkRoot(root, 'definitions', 'schema');
	const imports = [
		...childrenOf(root, WSDL, 'import').map((node) => node.attributes.get('location')),
		...schemasOf(root)
			.flatMap((schema) => childrenOf(schema, XSD, 'import', 'include'))
			.map((node) => node.attributes.get('schemaLocation')),
	].flatMap((location) =>
		location !== undefined && URL.canParse(location, address)
			? [new URL(location, address).href.replace(/#.*/s, '')]
			: [],
	);
	return { root, imports: [...new Set(imports)] };
}
