import { XMLParser, XMLValidator } from './xmlParser';

/** An element with its names resolved; prefixes are gone. */
export interface XmlElement {
	readonly namespace: string;
	readonly name: string;
	/** Attributes by local name, those of XML Schema instance as `xsi:…`. */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	/** The character data directly inside the element. */
	readonly text: string;
}

/** A text that is not well-formed XML, or XML that is refused for safety. */
export class XmlError extends Error {
	override readonly name = 'XmlError';

	/** @param found what stands in the document */
	constructor(found: string) {
		super(`The answer holds ${found}`);
	}
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XML = 'http://www.w3.org/XML/1998/namespace';
const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** Deeper than any answer of the service; a bound against nesting bombs. */
const MAX_DEPTH = 64;

/** Names that would reach an object's prototype, as the parser's own list has them. */
const POLLUTING: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};

const parser = new XMLParser({
	preserveOrder: true,
	ignoreAttributes: false,
	attributeNamePrefix: '',
	textNodeName: TEXT,
	cdataPropName: CDATA,
	parseTagValue: false,
	parseAttributeValue: false,
	trimValues: false,
	processEntities: false,
	ignorePiTags: true,
	maxNestedTags: MAX_DEPTH,
	jPath: false,
	onDangerousProperty: (name) => name,
});

/** Characters that XML 1.0 cannot carry; with the `u` flag a lone surrogate is one of them. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether a text can stand in an XML 1.0 document. */
export function isXmlText(text: string): boolean {
	return !NOT_XML.test(text);
}

/** Escapes character data; a carriage return would otherwise be read back as a line feed. */
export function escapeXml(text: string): string {
	return text.replace(/[&<>\r]/g, (character) => {
		if (character === '&') return '&amp;';
		if (character === '<') return '&lt;';
		return character === '>' ? '&gt;' : '&#13;';
	});
}

function unescapeXml(text: string): string {
	return text.replace(/&([^;&]{0,12});?/g, (reference: string, name: string) => {
		if (!reference.endsWith(';')) throw new XmlError('an "&" that begins no entity');
		const entity = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
		if (entity !== undefined) return entity;
		const code = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name);
		if (code === null) throw new XmlError(`the unknown entity "&${name};"`);
		const point = code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16);
		const character = point <= 0x10ffff ? String.fromCodePoint(point) : '\0';
		if (!isXmlText(character)) throw new XmlError(`the forbidden character "&${name};"`);
		return character;
	});
}

type ParsedNode = Readonly<Record<string, unknown>>;
/** The prefixes an element binds, and those of the elements around it; never copied. */
interface Scope {
	readonly bound: ReadonlyMap<string, string>;
	readonly outer?: Scope;
}

const DOCUMENT: Scope = { bound: new Map([['xml', XML]]) };

function scopeOf(raw: Readonly<Record<string, string>>, outer: Scope): Scope {
	const bound = new Map<string, string>();
	for (const [name, value] of Object.entries(raw)) {
		if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
		// `xmlns` alone binds the empty prefix.
		bound.set(name.slice('xmlns:'.length), unescapeXml(value));
	}
	return bound.size === 0 ? outer : { bound, outer };
}

function split(name: string): readonly [prefix: string, local: string] {
	const colon = name.indexOf(':');
	return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function namespaceOf(prefix: string, scope: Scope): string {
	for (let here: Scope | undefined = scope; here !== undefined; here = here.outer) {
		const namespace = here.bound.get(prefix);
		if (namespace !== undefined) return namespace;
	}
	if (prefix !== '') throw new XmlError(`the unbound prefix "${prefix}"`);
	return '';
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

function attributesOf(
	raw: Readonly<Record<string, string>>,
	scope: Scope,
): ReadonlyMap<string, string> {
	const attributes = new Map<string, string>();
	for (const [qualified, value] of Object.entries(raw)) {
		const [prefix, local] = split(qualified);
		if (prefix === 'xmlns' || qualified === 'xmlns') continue;
		const isXsi = prefix !== '' && namespaceOf(prefix, scope) === XSI;
		attributes.set(isXsi ? `xsi:${local}` : local, unescapeXml(value));
	}
	return attributes;
}

function element(qualified: string, node: ParsedNode, outer: Scope): XmlElement {
	const raw = node[ATTRIBUTES] as Readonly<Record<string, string>> | undefined;
	const scope = raw === undefined ? outer : scopeOf(raw, outer);
	const [prefix, name] = split(qualified);
	// The parser refuses it only where it has no prefix.
	if (POLLUTING.has(name)) throw new XmlError(`the element name "${name}", which is refused`);
	const children: XmlElement[] = [];
	let text = '';
	for (const child of node[qualified] as readonly ParsedNode[]) {
		for (const key of Object.keys(child)) {
			if (key === ATTRIBUTES) continue;
			if (key === TEXT) text += unescapeXml(String(child[key]));
			else if (key === CDATA) text += cdataOf(child[key]);
			else children.push(element(key, child, scope));
		}
	}
	return {
		namespace: namespaceOf(prefix, scope),
		name,
		attributes: raw === undefined ? NO_ATTRIBUTES : attributesOf(raw, scope),
		children,
		text,
	};
}

function cdataOf(section: unknown): string {
	return (section as readonly ParsedNode[]).map((part) => part[TEXT]).join('');
}

const COMMENT = ['<!--', '-->'] as const;

/** What may hold any text, by its beginning and its end. */
const OPAQUE = [COMMENT, ['<?', '?>'], ['<![CDATA[', ']]>']] as const;

/**
 * Finds what the validator does not mind: a document type declaration, wherever it stands, and a
 * comment with `--` in it, whose end others see elsewhere. One pass, whatever comes.
 */
function refusedMarkup(text: string): string | undefined {
	let at = text.indexOf('<');
	while (at >= 0) {
		const part = OPAQUE.find(([begin]) => text.startsWith(begin, at));
		if (part === undefined && text.startsWith('<!', at)) {
			return 'a document type declaration, which is refused';
		}
		const inside = at + (part?.[0].length ?? 0);
		const end = part === undefined ? at : text.indexOf(part[1], inside);
		if (end < 0) return undefined;
		if (part === COMMENT && text.indexOf('--', inside) < end) return 'a comment with "--" in it';
		at = text.indexOf('<', end + 1);
	}
	return undefined;
}

function parseNodes(text: string): readonly ParsedNode[] {
	try {
		return parser.parse(text) as readonly ParsedNode[];
	} catch (error) {
		throw refused(error);
	}
}

/** What the parser itself refuses: elements nested too deep, names that would pollute a prototype. */
function refused(error: unknown): XmlError {
	const reason = error instanceof Error ? error.message : 'no reason given';
	return new XmlError(`XML that is refused (${reason})`);
}

/**
 * Parses a whole XML document, namespaces resolved.
 *
 * @returns its root element
 * @throws {XmlError} where the text is not exactly one well-formed document, nests too deep, or
 * carries a document type declaration (the door of entity bombs and of external entities)
 */
export function parseXml(text: string): XmlElement {
	const refusal = refusedMarkup(text);
	if (refusal !== undefined) throw new XmlError(refusal);
	const invalid = XMLValidator.validate(text);
	if (invalid !== true) throw new XmlError(`no well-formed XML (line ${invalid.err.line})`);
	if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
	const roots = parseNodes(text).flatMap((node) =>
		Object.keys(node)
			.filter((key) => key !== ATTRIBUTES && key !== TEXT)
			.map((key) => element(key, node, DOCUMENT)),
	);
	const [root] = roots;
	if (root === undefined || roots.length > 1) throw new XmlError('not exactly one root element');
	return root;
}

/** Whether an element is `xsi:nil`. */
export function isNil(node: XmlElement): boolean {
	const nil = node.attributes.get('xsi:nil')?.trim();
	return nil === 'true' || nil === '1';
}
