import { isXmlName, isXmlText } from '../values/xmlRules';
import { illFormed, unescapeXml, XmlError, XmlLimitError } from './xml';

/** Limits of one document, on what takes many times the time or memory of its own characters. */
export const LIMITS = {
	/** With comments, CDATA sections and instructions. 100,000 records have 1.1 million. */
	elements: 1_200_000,
	/** With those that bind prefixes. Each of 100,000 records can have five that are nil. */
	attributes: 750_000,
	/** Elements within each other. */
	levels: 64,
	'characters of a name': 1000,
	/** Of a million, a record takes three times as long, and four times the memory. */
	'different names of elements': 100_000,
	/** Without those that bind prefixes: ASP.NET numbers these. More take five times as long. */
	'different names of attributes': 1000,
	/** The library takes 32 bytes for each. */
	'characters of a tag': 2 ** 16,
	/** Of attributes, and of types that elements name. A short prefix may stand for a long namespace. */
	'characters of names with their namespaces': 2 ** 25,
	/** Estimated, of the document and its elements. */
	'MiB in memory': 330,
	/** Each takes memory when it is replaced. 100,000 indented records have 1.6 million line ends. */
	'references and line ends': 2_500_000,
} as const;

/** Bytes that an element takes in memory, and what its attributes, its own prefixes (also time) and a copied tag add. */
const BYTES = { element: 100, attributes: 200, prefixes: 400, copy: 80 };

/** The library takes 32 bytes for each character of a text. */
const MAX_TEXT = 2 ** 16;

/** A comment, a CDATA section, an instruction, or the beginning of a declaration. */
const MARKUP =
	/<!--[^]*?--(>?)|<!\[CDATA\[[^]*?\]\]>|<\?([^\t\n ?]*)(?:[\t\n ][^]*?)?\?>|<!(?!--|\[CDATA\[)/y;

/** A tag up to its next value or its end. The library takes more characters for whitespace than XML. */
const PART_OF_TAG =
	/[^<>"'=\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*(?:=[\t\n ]*(?:"[^"<]*"|'[^'<]*')|>)/y;

/** @throws {XmlLimitError} if {@link LIMITS} allow fewer */
export function checkLimit(count: number, what: keyof typeof LIMITS): void {
	if (count > LIMITS[what]) throw new XmlLimitError(LIMITS[what], what);
}

/** Checks that a document is within {@link LIMITS}, and what the library does not. */
export class XmlCheck {
	/** With line feeds as its only line ends. */
	readonly document: string;
	readonly #parts: string[] = [];
	/** The end of the last part. */
	#copied = 0;
	#elements = 0;
	#attributes = 0;
	/** In bytes. */
	#memory: number;
	#depth = 0;

	constructor(
		text: string,
		private readonly maxElements: number = LIMITS.elements,
	) {
		if (!isXmlText(text)) throw new XmlError('a character that XML does not allow');
		const counted = /\r\n?|[\n&]/g;
		for (let count = 1; counted.test(text); count++) checkLimit(count, 'references and line ends');
		this.document = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
		// The document, the prepared one, and the texts of the elements.
		this.#memory = 3 * text.length * (/[^\0-\xff]/.test(text) ? 2 : 1);
	}

	/**
	 * Returns the document without comments and instructions, with blanks as the only whitespace of tags,
	 * and with its long texts as CDATA sections.
	 *
	 * @throws {XmlError} at a document type declaration, at a tag, comment, CDATA section or instruction
	 * that is not well-formed, and at a text outside the root element
	 */
	prepare(): string {
		const { document } = this;
		let end = 0;
		for (let at = this.#endOfText(0); at < document.length; at = this.#endOfText(end)) {
			end = '!?'.includes(document.charAt(at + 1)) ? this.#endOfMarkup(at) : this.#endOfTag(at);
		}
		return this.#parts.join('') + document.slice(this.#copied);
	}

	#illFormed(at: number): XmlError {
		return illFormed(this.document.slice(0, at).split('\n').length);
	}

	#replace(begin: number, end: number, by: string): void {
		this.#parts.push(this.document.slice(this.#copied, begin), by);
		this.#copied = end;
	}

	#countElement(): void {
		this.#memory += BYTES.element;
		checkLimit(this.#memory / 2 ** 20, 'MiB in memory');
		if (++this.#elements > this.maxElements) throw new XmlLimitError(this.maxElements, 'elements');
	}

	#endOfText(begin: number): number {
		const next = this.document.indexOf('<', begin);
		const end = next < 0 ? this.document.length : next;
		const isInside = this.#depth > 0;
		if (isInside && end - begin <= MAX_TEXT) return end;
		const text = this.document.slice(begin, end);
		if (isInside ? text.includes(']]>') : /[^\t\n ]/.test(text)) throw this.#illFormed(begin);
		// The library takes a CDATA section as a whole, but a carriage return in it for a line end. It ends with
		// the first "]]>".
		const safe = unescapeXml(text).replace(/\r|(?<=\]\])>/g, (one) => {
			return `]]>&#${one.charCodeAt(0)};<![CDATA[`;
		});
		this.#replace(begin, end, isInside ? `<![CDATA[${safe}]]>` : '');
		return end;
	}

	#endOfMarkup(at: number): number {
		this.#countElement();
		MARKUP.lastIndex = at;
		const [found = '', commentEnd, target] = MARKUP.exec(this.document) ?? [];
		const end = at + found.length;
		if (found === '<!') throw new XmlError('a document type declaration, which is refused');
		if (commentEnd === '' && end < this.document.length) {
			throw new XmlError('a comment with "--" in it');
		}
		// Only the beginning of a document declares what it is.
		const isInstruction =
			target !== undefined && isXmlName(target) && (at === 0 || target.toLowerCase() !== 'xml');
		const isSection = found.endsWith(']]>') && this.#depth > 0;
		if (commentEnd !== '>' && !isInstruction && !isSection) throw this.#illFormed(at);
		// The library would look for quoted values in an instruction, and would collect the texts around a
		// comment as one.
		if (!isSection) this.#replace(at, end, this.#depth > 0 ? '<![CDATA[]]>' : '');
		return end;
	}

	#endOfTag(at: number): number {
		const { document } = this;
		let end = at + 1;
		let parts = 0;
		for (; document[end - 1] !== '>'; parts++) {
			PART_OF_TAG.lastIndex = end;
			if (!PART_OF_TAG.test(document)) throw this.#illFormed(end);
			end = PART_OF_TAG.lastIndex;
			checkLimit(end - at, 'characters of a tag');
		}
		if (parts > 1) {
			this.#attributes += parts - 1;
			checkLimit(this.#attributes, 'attributes');
			const tag = document.slice(at, end);
			this.#memory += BYTES.attributes;
			if (tag.includes('xmlns')) this.#memory += BYTES.prefixes;
			// In the value of an attribute, they mean blanks (XML 1.0, 3.3.3), and the library keeps them.
			if (/[\t\n]/.test(tag)) {
				this.#memory += BYTES.copy;
				this.#replace(at, end, tag.replace(/[\t\n]/g, ' '));
			}
		}
		if (document[at + 1] === '/') this.#depth--;
		else {
			this.#countElement();
			checkLimit(this.#depth + 1, 'levels');
			if (document[end - 2] !== '/') this.#depth++;
		}
		return end;
	}
}
