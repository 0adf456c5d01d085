import { isXmlName, isXmlText } from '../contract/xmlRules';
import { unescapeXml, XmlError, type XmlElement } from './xml';
import { XMLValidator } from './xmlValidator';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** Deeper than any answer of the service; a bound against nesting bombs. */
const MAX_DEPTH = 64;

/** Names that would reach an object's prototype. */
const POLLUTING: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const CDATA = '<![CDATA[';

/** Codes of characters: to compare numbers makes no text of each character. */
const BLANK = 0x20;
const BANG = 0x21;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/** The length from which on V8 does not copy a part of a text. */
const VIEW = 13;

/** Where an element or attribute belongs. */
interface Name {
	readonly namespace: string;
	readonly local: string;
}

/** The prefixes an element binds, and those of the elements around it; never copied. */
interface Scope {
	readonly bound: ReadonlyMap<string, string>;
	readonly outer: Scope | undefined;
	/** The elements' names that were met here: in a list they come again and again. */
	readonly names: Map<string, Name>;
}

/** An attribute as it stands in the document. */
type Attribute = readonly [qualified: string, value: string];

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_CHILDREN: readonly XmlElement[] = [];

function split(qualified: string): readonly [prefix: string, local: string] {
	const [first = '', second, ...more] = qualified.split(':');
	if (second === undefined) return ['', first];
	if (first === '' || second === '' || more.length > 0) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [first, second];
}

/** Refuses a name that must not become a property. */
function checked(kind: 'attribute' | 'element', local: string): string {
	if (POLLUTING.has(local)) throw new XmlError(`the ${kind} name "${local}", which is refused`);
	return local;
}

function namespaceOf(prefix: string, scope: Scope): string {
	let here: Scope | undefined = scope;
	while (here !== undefined && !here.bound.has(prefix)) here = here.outer;
	const namespace = here?.bound.get(prefix) ?? '';
	// Only the empty prefix can be without a namespace.
	if (namespace === '' && prefix !== '') throw new XmlError(`the unbound prefix "${prefix}"`);
	return namespace;
}

function nameOf(qualified: string, scope: Scope): Name {
	const known = scope.names.get(qualified);
	if (known !== undefined) return known;
	const [prefix, local] = split(qualified);
	const name = { local: checked('element', local), namespace: namespaceOf(prefix, scope) };
	scope.names.set(qualified, name);
	return name;
}

function scopeOf(attributes: readonly Attribute[], outer: Scope): Scope {
	const bound = new Map<string, string>();
	for (const [qualified, value] of attributes) {
		if (qualified !== 'xmlns' && !qualified.startsWith('xmlns:')) continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = qualified.slice('xmlns:'.length);
		const namespace = unescapeXml(value);
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		bound.set(prefix, namespace);
	}
	return bound.size === 0 ? outer : { bound, outer, names: new Map() };
}

function resolved(attributes: readonly Attribute[], scope: Scope): ReadonlyMap<string, string> {
	const byName = new Map<string, string>();
	for (const [qualified, value] of attributes) {
		const [prefix, local] = split(qualified);
		if (prefix === 'xmlns' || qualified === 'xmlns') continue;
		const isXsi = prefix !== '' && namespaceOf(prefix, scope) === XSI;
		byName.set((isXsi ? 'xsi:' : '') + checked('attribute', local), unescapeXml(value));
	}
	return byName;
}

/** Whether a character ends a name; those of a name mostly come behind all of these. */
function endsName(code: number): boolean {
	return code <= QUESTION && (code >= LESS || code === SLASH || code <= BLANK);
}

/**
 * A text that stands for itself. V8 makes of a longer part of a text a view, and what is kept of an
 * answer would keep all of it in memory.
 */
function copyOf(part: string): string {
	return part.length < VIEW ? part : [part.slice(0, 1), part.slice(1)].join('');
}

/**
 * Reads a document from left to right, in one pass.
 *
 * Which characters make a name, and whether an element has the same attribute twice, is left to the
 * validator; whatever else is not well-formed ends here.
 */
class Reader {
	private at = 0;

	/** @param text characters of XML only, no byte order mark, line feeds as the only line ends */
	constructor(private readonly text: string) {}

	/** The root element, with nothing else around it than XML allows. */
	document(): XmlElement {
		this.passAsides();
		const bound = new Map([['xml', XML]]);
		const root = this.element({ bound, outer: undefined, names: new Map() }, 1);
		this.passAsides();
		if (this.text.startsWith('<', this.at)) throw new XmlError('not exactly one root element');
		if (this.at < this.text.length) throw this.illFormed();
		return root;
	}

	private element(outer: Scope, depth: number): XmlElement {
		if (depth > MAX_DEPTH) throw new XmlError(`XML that is refused (over ${MAX_DEPTH} levels)`);
		this.pass('<');
		const qualified = this.name();
		const raw = this.attributes();
		const isEmpty = this.text.charCodeAt(this.at) === SLASH;
		this.pass(isEmpty ? '/>' : '>');
		const scope = raw === undefined ? outer : scopeOf(raw, outer);
		const { namespace, local: name } = nameOf(qualified, scope);
		const attributes = raw === undefined ? NO_ATTRIBUTES : resolved(raw, scope);
		if (isEmpty) return { namespace, name, attributes, children: NO_CHILDREN, text: '' };
		let children: XmlElement[] | undefined;
		let text = '';
		for (;;) {
			text += this.characters();
			const next = this.text.charCodeAt(this.at + 1);
			if (next === SLASH) break;
			if (next === BANG && this.text.startsWith(CDATA, this.at)) text += this.section();
			else if (next === BANG || next === QUESTION) this.passAside();
			else (children ??= []).push(this.element(scope, depth + 1));
		}
		this.pass('</');
		this.pass(qualified);
		this.passBlanks();
		this.pass('>');
		return { namespace, name, attributes, children: children ?? NO_CHILDREN, text };
	}

	/** The name that begins here. */
	private name(): string {
		const { text } = this;
		const start = this.at;
		let end = start;
		while (end < text.length && !endsName(text.charCodeAt(end))) end += 1;
		if (end === start) throw this.illFormed();
		this.at = end;
		return text.slice(start, end);
	}

	/** The attributes up to the end of a start tag; mostly there are none. */
	private attributes(): readonly Attribute[] | undefined {
		let attributes: Attribute[] | undefined;
		while (this.passBlanks()) {
			const next = this.text.charCodeAt(this.at);
			if (next === SLASH || next === GREATER) break;
			(attributes ??= []).push(this.attribute());
		}
		return attributes;
	}

	private attribute(): Attribute {
		const name = this.name();
		this.passBlanks();
		this.pass('=');
		this.passBlanks();
		const quote = this.text.charAt(this.at);
		if (quote !== '"' && quote !== "'") throw this.illFormed();
		const value = this.upTo(quote, this.at + 1);
		if (value.includes('<')) throw this.illFormed();
		return [name, value];
	}

	/** The character data up to the next markup. */
	private characters(): string {
		const { text, at } = this;
		const end = text.indexOf('<', at);
		if (end < 0) throw this.illFormed();
		if (end === at) return '';
		this.at = end;
		return unescapeXml(copyOf(text.slice(at, end)));
	}

	/** The characters of the CDATA section here. */
	private section(): string {
		return copyOf(this.upTo(']]>', this.at + CDATA.length));
	}

	/** Passes what may stand around the root element: blanks, comments and instructions. */
	private passAsides(): void {
		this.passBlanks();
		while (/^<[!?]/.test(this.text.slice(this.at, this.at + 2))) {
			this.passAside();
			this.passBlanks();
		}
	}

	/** Passes a comment or an instruction, and refuses what else begins with `<!` or `<?`. */
	private passAside(): void {
		const { text, at } = this;
		if (text.startsWith('<?', at)) {
			this.pass('<?');
			const target = this.name();
			// Only the beginning of a document declares what it is.
			const isOutOfPlace = at > 0 && target.toLowerCase() === 'xml';
			if (!isXmlName(target) || isOutOfPlace) throw this.illFormed();
			if (!this.passBlanks() && !text.startsWith('?>', this.at)) throw this.illFormed();
			this.upTo('?>', this.at);
		} else if (text.startsWith('<!--', at)) {
			this.upTo('--', at + 4);
			if (this.at === text.length) throw this.illFormed();
			if (text.charCodeAt(this.at) !== GREATER) throw new XmlError('a comment with "--" in it');
			this.at += 1;
		} else if (text.startsWith(CDATA, at)) {
			throw this.illFormed();
		} else {
			throw new XmlError('a document type declaration, which is refused');
		}
	}

	/** Passes blanks; gives whether there were any. */
	private passBlanks(): boolean {
		const start = this.at;
		while (this.text.charCodeAt(this.at) <= BLANK) this.at += 1;
		return this.at > start;
	}

	/** Passes what has to stand here. */
	private pass(mark: string): void {
		if (!this.text.startsWith(mark, this.at)) throw this.illFormed();
		this.at += mark.length;
	}

	/** What stands between a place and a mark, which is passed. */
	private upTo(mark: string, from: number): string {
		const end = this.text.indexOf(mark, from);
		if (end < 0) throw this.illFormed();
		this.at = end + mark.length;
		return this.text.slice(from, end);
	}

	private illFormed(): XmlError {
		return illFormed(this.text.slice(0, this.at).split('\n').length);
	}
}

function illFormed(line: number): XmlError {
	return new XmlError(`no well-formed XML (line ${line})`);
}

/**
 * Reads a whole XML document, namespaces resolved.
 *
 * What this reader takes for a document the library's validator has to take for one, too.
 *
 * @returns its root element
 * @throws {XmlError} where the text is not exactly one well-formed document, nests too deep, or
 * carries a document type declaration (the door of entity bombs and of external entities)
 */
export function parseXml(text: string): XmlElement {
	if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
	const root = new Reader(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')).document();
	const invalid = XMLValidator.validate(text);
	if (invalid !== true) throw illFormed(invalid.err.line);
	return root;
}
