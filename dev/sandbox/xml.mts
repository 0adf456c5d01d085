/** Reads and writes XML for the sandbox, with sax: the package's own reader uses another parser. */
import saxParser, { type QualifiedAttribute, type QualifiedTag, type SAXOptions } from 'sax';

/** An element with its names resolved. */
export interface XmlElement {
	readonly namespace: string;
	/** Local name. */
	readonly name: string;
	/**
	 * Attributes by local name; `xsi:…` and `xml:…` of these namespaces, `{namespace}local` of any other. No
	 * namespace declarations.
	 */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: XmlElement[];
	/** Character data directly inside. */
	text: string;
}

/** A document that is not well-formed, or that SOAP does not allow. */
export class MalformedXml extends Error {}

/** An end of a processing instruction that sax does not recognize; tests leave such documents out. */
export const OVERLOOKED = '??>';

/** A name with its namespace. */
export interface TypeName {
	readonly namespace: string;
	readonly name: string;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const XSD = 'http://www.w3.org/2001/XMLSchema';

const PREFIXES: Readonly<Record<string, string>> = {
	'': '',
	[XSI]: 'xsi:',
	'http://www.w3.org/XML/1998/namespace': 'xml:',
};

/** The state of sax within the value of an attribute. Its types do not have it. */
const ATTRIBUTE_VALUE = (saxParser as unknown as { STATE: Record<string, number> }).STATE
	.ATTRIB_VALUE_QUOTED;

/** Kept aside, so that elements compare by what the package's reader gives, too. */
const types = new WeakMap<XmlElement, TypeName>();

// sax refuses texts of more than 64 kB by default.
Object.assign(saxParser, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/**
 * Takes a document's text; returns its root element.
 *
 * @throws {MalformedXml} if it is not one well-formed document, or has a DTD
 */
export function readXml(document: string): XmlElement {
	const options = { xmlns: true, strictEntities: true };
	const sax = saxParser.parser(true, options as SAXOptions);
	const roots: XmlElement[] = [];
	const open: XmlElement[] = [];
	sax.ondoctype = () => {
		throw new MalformedXml('For security reasons DTD is prohibited in this XML document.');
	};
	sax.onopentag = (tag) => {
		const { uri, local, attributes: all, ns } = tag as QualifiedTag;
		const attributes = attributesOf(Object.values(all));
		const element = { namespace: uri, name: local, attributes, children: [], text: '' };
		const [name = '', prefix = ''] = (attributes.get('xsi:type') ?? '').trim().split(':').reverse();
		if (name !== '') types.set(element, { namespace: ns[prefix] ?? '', name });
		(open.at(-1)?.children ?? roots).push(element);
		open.push(element);
	};
	sax.onclosetag = () => void open.pop();
	sax.ontext = sax.oncdata = (text) => {
		const element = open.at(-1);
		if (element !== undefined) element.text += text;
	};
	sax.onerror = ({ message }) => {
		throw new MalformedXml(message);
	};
	// sax normalizes neither line ends nor the whitespace in attributes.
	for (const part of document.replace(/\r\n?/g, '\n').split(/([\t\n])/)) {
		const isInValue = (sax as unknown as { state: number }).state === ATTRIBUTE_VALUE;
		sax.write(isInValue ? part.replace(/[\t\n]/, ' ') : part);
	}
	sax.close();
	const [root] = roots;
	if (root === undefined || roots.length > 1) throw new MalformedXml('Root element is missing.');
	return root;
}

function attributesOf(attributes: readonly QualifiedAttribute[]): ReadonlyMap<string, string> {
	const own = attributes.filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns');
	const named = new Map(
		own.map(({ uri, local, value }) => [(PREFIXES[uri] ?? `{${uri}}`) + local, value]),
	);
	if (named.size < own.length) throw new MalformedXml('An attribute is there twice.');
	return named;
}

/** Returns the type that `xsi:type` names, if an element has one. */
export function typeOf(element: XmlElement): TypeName | undefined {
	return types.get(element);
}

/** Takes an element; returns it under another name, or with other content. */
export function changed(
	element: XmlElement,
	to: Partial<Pick<XmlElement, 'name' | 'attributes' | 'children' | 'text'>>,
): XmlElement {
	const result = { ...element, ...to };
	const type = types.get(element);
	if (type) types.set(result, type);
	return result;
}

/**
 * Takes an element and the default namespace around it; returns it as XML. The prefixes `xsi` and
 * `xsd` must be bound.
 */
export function writeXml(element: XmlElement, around: string): string {
	const { namespace, name, children, text } = element;
	const type = types.get(element);
	const attributes = [...element.attributes]
		.filter(([key]) => key !== 'xsi:type')
		.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
	if (type?.namespace === XSD) attributes.push(` xsi:type="xsd:${type.name}"`);
	else if (type?.namespace === namespace) attributes.push(` xsi:type="${type.name}"`);
	else if (type) {
		const bound = escapeAttribute(type.namespace);
		attributes.push(` xmlns:q1="${bound}" xsi:type="q1:${type.name}"`);
	}
	if (namespace !== around) attributes.unshift(` xmlns="${escapeAttribute(namespace)}"`);
	const content =
		children.length > 0
			? children.map((child) => writeXml(child, namespace)).join('')
			: escapeXml(text);
	const open = `<${name}${attributes.join('')}`;
	return content === '' ? `${open} />` : `${open}>${content}</${name}>`;
}

/** Takes any text; returns it as the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
	const escaped = escapeXml(text).replaceAll('"', '&quot;');
	return escaped.replaceAll('\t', '&#x9;').replaceAll('\n', '&#xA;');
}

/** Takes any text; returns it as element content that a reader gets back unchanged. */
export function escapeXml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('\r', '&#xD;');
}
