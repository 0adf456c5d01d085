import { isXmlName, isXmlText } from '../values/xmlRules';
import {
	DOCUMENT_SCOPE,
	namespaceOf,
	NO_ATTRIBUTES,
	resolveAttributes,
	safeName,
	splitName,
} from './namespaces';
import { unescapeXml, XmlError, XmlLimitError, type Scope, type XmlElement } from './xml';

/** Limits of one document, on what takes many times the memory of its own characters. */
export const LIMITS = {
	/** 100,000 records of ten fields have 1.1 million, and one more for each field that is nil. */
	'elements and attributes': 1_700_000,
	/** Elements within each other. */
	levels: 64,
	'references and carriage returns': 2_500_000,
} as const;

const NAME = '([^\\t\\n />="\'<]+)';
const TAG_BEGIN = new RegExp(`<${NAME}`, 'y');
const TAG_END = /[\t\n ]*(\/?)>/y;
const END_TAG = new RegExp(`</${NAME}[\\t\\n ]*>`, 'y');
const ATTRIBUTE = new RegExp(`[\\t\\n ]+${NAME}[\\t\\n ]*=[\\t\\n ]*(["'])`, 'y');
const BLANKS = /[\t\n ]*/y;

/** An element whose end is not read yet. */
interface OpenElement extends XmlElement {
	children: XmlElement[];
	text: string;
}

/** Elements without children share it. */
const NO_CHILDREN: XmlElement[] = [];

function checkLimit(count: number, what: keyof typeof LIMITS): void {
	if (count > LIMITS[what]) throw new XmlLimitError(LIMITS[what], what);
}

/** Copies a part of a text: from 13 characters on, V8 would keep the whole text for it. */
function copyOf(part: string): string {
	return part.length < 13 ? part : [part.slice(0, 1), part.slice(1)].join('');
}

/** Reads a document from its beginning to its end. */
class Reader {
	#at = 0;
	#parts = 0;
	readonly #names = new Map<string, readonly [prefix: string, local: string]>();

	/** @param document with line feeds as its only line ends */
	constructor(private readonly document: string) {}

	readDocument(): XmlElement {
		this.#skipMisc();
		const root = this.#readElement(DOCUMENT_SCOPE, 1);
		this.#skipMisc();
		if (this.#at < this.document.length) throw this.#illFormed();
		return root;
	}

	#illFormed(): XmlError {
		let line = 1;
		let end = this.document.indexOf('\n');
		for (; end >= 0 && end < this.#at; end = this.document.indexOf('\n', end + 1)) line += 1;
		return new XmlError(`no well-formed XML (line ${line})`);
	}

	#isAt(mark: string): boolean {
		return this.document.startsWith(mark, this.#at);
	}

	/** Goes on after a mark, if it is next. */
	#skip(mark: string): boolean {
		const isNext = this.#isAt(mark);
		if (isNext) this.#at += mark.length;
		return isNext;
	}

	#match(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.document);
		if (match !== null) this.#at = pattern.lastIndex;
		return match;
	}

	#take(pattern: RegExp): string {
		const match = this.#match(pattern);
		if (match === null) throw this.#illFormed();
		return match[1] ?? '';
	}

	/** Returns what is before the next mark, and goes on after it. */
	#takeUntil(mark: string): string {
		const end = this.document.indexOf(mark, this.#at);
		if (end < 0) throw this.#illFormed();
		const part = this.document.slice(this.#at, end);
		this.#at = end + mark.length;
		return part;
	}

	/** Returns the parts of a name. Most names occur in every record. */
	#partsOf(name: string): readonly [prefix: string, local: string] {
		const known = this.#names.get(name);
		if (known !== undefined) return known;
		if (!isXmlName(name.replaceAll(':', ''))) throw this.#illFormed();
		const [prefix, local] = splitName(name);
		const parts = [prefix, copyOf(local)] as const;
		this.#names.set(name, parts);
		return parts;
	}

	/** Skips what may stand around the root element. */
	#skipMisc(): void {
		for (this.#match(BLANKS); this.#isAt('<!') || this.#isAt('<?'); this.#match(BLANKS)) {
			if (this.#isAt('<![CDATA[')) throw this.#illFormed();
			this.#readMarkup();
		}
	}

	/** Reads a comment, an instruction or a CDATA section, and returns its text. */
	#readMarkup(): string {
		// Only the beginning of a document declares what it is.
		const isFirst = this.#at === 0;
		if (this.#skip('<![CDATA[')) return this.#takeUntil(']]>');
		if (this.#skip('<!--')) {
			const comment = this.#takeUntil('-->');
			if (!comment.includes('--') && !comment.endsWith('-')) return '';
			throw new XmlError('a comment with "--" in it');
		}
		if (!this.#skip('<?')) throw new XmlError('a document type declaration, which is refused');
		const [target = ''] = this.#takeUntil('?>').split(/[\t\n ]/, 1);
		const isMisplaced = target.toLowerCase() === 'xml' && !isFirst;
		if (isMisplaced || !isXmlName(target)) throw this.#illFormed();
		return '';
	}

	#readElement(outer: Scope, level: number): XmlElement {
		checkLimit(level, 'levels');
		checkLimit(++this.#parts, 'elements and attributes');
		const tag = this.#take(TAG_BEGIN);
		const [prefix, local] = this.#partsOf(tag);
		const written = this.#readAttributes();
		const isEmpty = this.#take(TAG_END) !== '';
		const { attributes, scope } = resolveAttributes(written, outer);
		const namespace = namespaceOf(prefix, scope);
		const name = safeName('element', local);
		const element: OpenElement = { namespace, name, attributes, children: NO_CHILDREN, text: '', scope };
		if (!isEmpty) this.#readContent(element, tag, level);
		return element;
	}

	#readAttributes(): ReadonlyMap<string, string> {
		let match = this.#match(ATTRIBUTE);
		if (match === null) return NO_ATTRIBUTES;
		const attributes = new Map<string, string>();
		for (; match !== null; match = this.#match(ATTRIBUTE)) {
			checkLimit(++this.#parts, 'elements and attributes');
			const [, name = '', quote = ''] = match;
			const value = this.#takeUntil(quote);
			if (value.includes('<') || attributes.has(name)) throw this.#illFormed();
			this.#partsOf(name);
			attributes.set(name, copyOf(unescapeXml(value)));
		}
		return attributes;
	}

	#readContent(element: OpenElement, tag: string, level: number): void {
		const children: XmlElement[] = [];
		while (!this.#isAt('</')) {
			if (this.#isAt('<!') || this.#isAt('<?')) element.text += copyOf(this.#readMarkup());
			else if (this.#isAt('<')) children.push(this.#readElement(element.scope, level + 1));
			else element.text += copyOf(unescapeXml(this.#readText()));
		}
		if (this.#take(END_TAG) !== tag) throw this.#illFormed();
		if (children.length > 0) element.children = children;
	}

	#readText(): string {
		const text = this.#takeUntil('<');
		this.#at -= 1;
		if (text.includes(']]>')) throw this.#illFormed();
		return text;
	}
}

/**
 * Reads a whole XML document, namespaces resolved.
 *
 * @returns its root element
 * @throws {XmlError} if the text is not exactly one well-formed document, exceeds a limit, or
 * contains a document type declaration, which could define entity bombs or external entities
 */
export function parseXml(text: string): XmlElement {
	if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
	const counted = /[\r&]/g;
	for (let count = 1; counted.test(text); count++) {
		checkLimit(count, 'references and carriage returns');
	}
	return new Reader(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')).readDocument();
}
