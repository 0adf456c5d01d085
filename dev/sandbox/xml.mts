/** Reads and writes XML for the sandbox, with sax: the package's own reader uses another parser. */
import saxParser, { type QualifiedAttribute, type QualifiedTag, type SAXOptions } from 'sax';

/** An element with its names resolved. */
export interface XmlElement {
	readonly namespace: string;
	/** Local name. */
	readonly name: string;
	/** Attributes by local name, those of XML Schema instance as `xsi:…`; no namespace declarations. */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: XmlElement[];
	/** Character data directly inside. */
	text: string;
}

/** A document that is not well-formed, or that SOAP does not allow. */
export class MalformedXml extends Error {}

/** An end of a processing instruction that sax does not recognize; tests leave such documents out. */
export const OVERLOOKED = '??>';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

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
		const { uri, local, attributes: all } = tag as QualifiedTag;
		const attributes = attributesOf(Object.values(all));
		const element = { namespace: uri, name: local, attributes, children: [], text: '' };
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
	// sax does not normalize line ends.
	sax.write(document.replace(/\r\n?/g, '\n')).close();
	const [root] = roots;
	if (root === undefined || roots.length > 1) throw new MalformedXml('Root element is missing.');
	return root;
}

function attributesOf(attributes: readonly QualifiedAttribute[]): ReadonlyMap<string, string> {
	return new Map(
		attributes
			.filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
			.map(({ uri, local, value }) => [uri === XSI ? `xsi:${local}` : local, value]),
	);
}

/** Takes any text; returns it as element content that a reader gets back unchanged. */
export function escapeXml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('\r', '&#xD;');
}
