import { texts } from '../../errors/catalogue';
import { truncate } from '../../errors/words';
import { parseXml } from '../parseXml';
import { XmlError, type QName, type XmlElement } from '../xml';
import { DescriptionError } from './description';

export const WSDL = 'http://schemas.xmlsoap.org/wsdl/';
export const XSD = 'http://www.w3.org/2001/XMLSchema';

/** One document of a description: the WSDL itself, or one that it imports. */
export interface DescriptionDocument {
	readonly address: string;
	/** `wsdl:definitions`, possibly without its types; or `xs:schema`. */
	readonly root: XmlElement;
	/** The addresses of the documents that it imports, includes or redefines. */
	readonly imports: readonly string[];
	/**
	 * Returns the schemas in it, which are parsed on first use.
	 *
	 * @throws {DescriptionError} if they are not well-formed
	 */
	readonly schemas: () => readonly XmlElement[];
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
export function importedAddress(node: XmlElement, address: string): string | undefined {
	const location = node.attributes.get(node.namespace === WSDL ? 'location' : 'schemaLocation');
	if (location === undefined || !URL.canParse(location, address)) return undefined;
	return new URL(location, address).href.replace(/#.*/s, '');
}

function schemasOf(root: XmlElement): readonly XmlElement[] {
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
 * Separates the types of a WSDL, most of its text, from its list of operations. Either part has the
 * root element around it.
 *
 * @returns `undefined` unless each "<" begins a tag, and the types import nothing
 */
function separated(text: string): { list: string; types: string } | undefined {
	const [, before = '', root, name] =
		/^(\ufeff?(?:<\?[^>]*>)?\s*)(<([^\s<>]+)(?=[\s>])[^<>]*>)/.exec(text) ?? [];
	const [start, tag] = /<((?:[^\s<>:]+:)?types)[\s>]/.exec(text) ?? [];
	if (root === undefined || start === undefined || tag === undefined) return undefined;
	if (/<[!?]/.test(text.slice(before.length))) return undefined;
	const begin = text.indexOf(start);
	const end = text.indexOf(`</${tag}>`, begin) + `</${tag}>`.length;
	const types = text.slice(begin, end);
	if (end < begin || types.includes('schemaLocation')) return undefined;
	return { list: text.slice(0, begin) + text.slice(end), types: `${root}${types}</${name}>` };
}

/** Parses the types of a WSDL; the whole WSDL if they are not well-formed by themselves. */
function parsedTypes(types: string, wsdl: string): XmlElement {
	try {
		return parseXml(types);
	} catch {
		return parsed(wsdl);
	}
}

/** Reads a WSDL whose types are parsed on first use; `undefined` if it cannot be read like that. */
function readList(address: string, text: string): DescriptionDocument | undefined {
	const parts = separated(text);
	if (parts === undefined) return undefined;
	let schemas: readonly XmlElement[] | undefined;
	try {
		const root = parseXml(parts.list);
		checkRoot(root, 'definitions');
		return {
			address,
			root,
			imports: importsOf(childrenOf(root, WSDL, 'import'), address),
			schemas: () => (schemas ??= [root, parsedTypes(parts.types, text)].flatMap(schemasOf)),
		};
	} catch {
		// Not separated where an element begins and ends, or an error, which the whole text shows.
		return undefined;
	}
}

function importsOf(nodes: readonly XmlElement[], address: string): readonly string[] {
	return [...new Set(nodes.flatMap((node) => importedAddress(node, address) ?? []))];
}

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @throws {DescriptionError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string): DescriptionDocument {
	const list = readList(address, text);
	if (list !== undefined) return list;
	const root = parsed(text);
	checkRoot(root, 'definitions', 'schema');
	const schemas = schemasOf(root);
	const imports = [
		...childrenOf(root, WSDL, 'import'),
		...schemas.flatMap((schema) => childrenOf(schema, XSD, 'import', 'include', 'redefine')),
	];
	return { address, root, imports: importsOf(imports, address), schemas: () => schemas };
}
