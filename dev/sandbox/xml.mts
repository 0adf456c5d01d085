/** Reads an XML document with its namespaces, using fast-xml-parser. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export interface XmlElement {
	namespace: string;
	/** Local name. */
	name: string;
	children: XmlElement[];
	/** Character data directly inside. */
	text: string;
}

/** A document that is not well-formed, or that SOAP does not allow. */
export class MalformedXml extends Error {}

type Node = Record<string, unknown>;

const parser = new XMLParser({
	preserveOrder: true,
	ignoreAttributes: false,
	attributeNamePrefix: '',
	ignoreDeclaration: true,
	ignorePiTags: true,
	parseTagValue: false,
	parseAttributeValue: false,
	trimValues: false,
	// Decoded here: fast-xml-parser leaves character references as they are.
	processEntities: false,
	cdataPropName: '#cdata',
});

/** Takes a document's text; gives its root element, or throws MalformedXml. */
export function parseXml(text: string): XmlElement {
	const document = text.replace(/^\uFEFF/, '');
	if (/^(?:\s|<\?.*?\?>|<!--.*?-->)*<!DOCTYPE/s.test(document)) {
		throw new MalformedXml('For security reasons DTD is prohibited in this XML document.');
	}
	const verdict = XMLValidator.validate(document);
	if (verdict !== true) throw new MalformedXml(`${verdict.err.msg} Line ${verdict.err.line}.`);
	const nodes = elementsOf(parser.parse(document));
	const [root] = nodes;
	if (root === undefined || nodes.length > 1) throw new MalformedXml('Root element is missing.');
	return resolve(root, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
}

function nodesOf(value: unknown): Node[] {
	return Array.isArray(value) ? (value as Node[]) : [];
}

function tagOf(node: Node): string {
	return Object.keys(node).find((key) => key !== ':@') ?? '';
}

function elementsOf(value: unknown): Node[] {
	return nodesOf(value).filter((node) => !tagOf(node).startsWith('#'));
}

function resolve(node: Node, outer: ReadonlyMap<string, string>): XmlElement {
	const scope = new Map(outer);
	for (const [name, value] of Object.entries((node[':@'] ?? {}) as Record<string, string>)) {
		if (name === 'xmlns') scope.set('', decode(value));
		else if (name.startsWith('xmlns:')) scope.set(name.slice(6), decode(value));
	}
	const tag = tagOf(node);
	const [prefix, name] = tag.includes(':') ? tag.split(':', 2) : ['', tag];
	const namespace = scope.get(prefix ?? '');
	if (prefix !== '' && namespace === undefined) {
		throw new MalformedXml(`'${prefix}' is an undeclared prefix.`);
	}
	const text = nodesOf(node[tag]).map((child) => {
		if ('#text' in child) return decode(String(child['#text']));
		const [part] = nodesOf(child['#cdata']);
		return part === undefined ? '' : String(part['#text'] ?? '');
	});
	return {
		namespace: namespace ?? '',
		name: name ?? '',
		children: elementsOf(node[tag]).map((child) => resolve(child, scope)),
		text: text.join(''),
	};
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
	return text.replace(/&([^;&\s]*);?/g, (whole, reference: string) => {
		const code = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(reference);
		const point = code ? parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10) : undefined;
		if (point !== undefined && point <= 0x10ffff) return String.fromCodePoint(point);
		const character = Object.hasOwn(named, reference) ? named[reference] : undefined;
		if (character === undefined || !whole.endsWith(';')) {
			throw new MalformedXml(`Reference to undeclared entity '${reference}'.`);
		}
		return character;
	});
}

/** Takes any text; gives it as element content that a reader gets back unchanged. */
export function escapeXml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('\r', '&#xD;');
}
