import { isXmlName } from '../values/xmlRules';
import { illFormed, unescapeXml, XmlError } from './xml';

/** Encloses the number of what was set aside. XML forbids this character, so no document has it. */
export const MARK = '\uffff';

/** How the mark of a CDATA section begins. */
export const SECTION = `${MARK}C`;

/** The library appends a text character by character, at 32 bytes each until the text ends. */
const MAX_TEXT = 1_000_000;

/** A comment, a CDATA section, an instruction; or what only begins like one of them. */
const MARKUP =
	/<!--[^]*?--(>?)|<!\[CDATA\[([^]*?)\]\]>|<\?([^\t\n ?]*)(?:[\t\n ][^]*?)?\?>|<!--|<!\[CDATA\[|<[!?]/g;

/** What the library parses in place of a document. */
export interface PreparedXml {
	/** Tags and short texts, wrapped in one more element: text outside the root is text of that one. */
	readonly xml: string;
	/** Puts back what was set aside of a text, and resolves the text's references. */
	readonly restore: (text: string) => string;
}

/** Copies a part of a text. V8 would make a view of it, which keeps the whole text in memory. */
function copyOf(part: string): string {
	return [part.slice(0, 1), part.slice(1)].join('');
}

/** Returns where the tag ends with which a text begins; a quoted value may hold a ">". */
function endOfTag(text: string): number {
	const mark = /[>"']/g;
	for (let found = mark.exec(text)?.[0]; found !== '>'; found = mark.exec(text)?.[0]) {
		const end = found === undefined ? -1 : text.indexOf(found, mark.lastIndex);
		if (end < 0) return text.length;
		mark.lastIndex = end + 1;
	}
	return mark.lastIndex;
}

/** Replaces the text behind a tag where both together are longer than {@link MAX_TEXT}. */
function replaceLongTexts(xml: string, replace: (text: string) => string): string {
	const parts: string[] = [];
	let copied = 0;
	for (let tag = 0, next = 0; next < xml.length; tag = next) {
		next = xml.indexOf('<', tag + 1);
		if (next < 0) next = xml.length;
		if (next - tag <= MAX_TEXT) continue;
		const text = tag + endOfTag(xml.slice(tag, next));
		parts.push(xml.slice(copied, text), replace(xml.slice(text, next)));
		copied = next;
	}
	return parts.join('') + xml.slice(copied);
}

/**
 * Replaces with marks what the library's parser does not check (comments and instructions), does not
 * distinguish from text (CDATA sections), or needs too much memory for (long texts).
 *
 * @param document characters of XML only, line feeds as the only line ends
 * @throws {XmlError} at a document type declaration, at a comment, CDATA section or instruction that
 * is not well-formed, and at the end of a document that is cut within a tag or text
 */
export function setAside(document: string): PreparedXml {
	const kept: string[] = [];
	const keep = (begin: string, text: string): string => {
		kept.push(copyOf(text));
		return `${begin}${kept.length - 1}${MARK}`;
	};
	const lineAt = (place: number): number => document.slice(0, place).split('\n').length;
	const replaceMarkup = (match: RegExpExecArray): string => {
		const [found, commentEnd, section, target] = match;
		const { index } = match;
		if (section !== undefined) return keep(SECTION, section);
		if (found === '<!') throw new XmlError('a document type declaration, which is refused');
		if (commentEnd === '' && index + found.length < document.length) {
			throw new XmlError('a comment with "--" in it');
		}
		// Only the beginning of a document declares what it is.
		const isInstruction =
			target !== undefined && isXmlName(target) && (index === 0 || target.toLowerCase() !== 'xml');
		if (commentEnd === '>' || isInstruction) return MARK + MARK;
		throw illFormed(lineAt(index));
	};

	const restore = (text: string): string => {
		const unescaped = unescapeXml(text);
		if (!unescaped.includes(MARK)) return unescaped;
		return unescaped.replace(
			/\uffffC?(\d*)\uffff/g,
			(_, number: string) => kept[Number.parseInt(number, 10)] ?? '',
		);
	};
	// A long text may hold marks itself.
	const replaceText = (text: string): string =>
		keep(text.includes(SECTION) ? SECTION : MARK, restore(text));

	const parts: string[] = [];
	let copied = 0;
	// Not `replace`, which finds all matches first: each that has no end takes the rest of the document.
	for (const match of document.matchAll(MARKUP)) {
		parts.push(document.slice(copied, match.index), replaceMarkup(match));
		copied = match.index + match[0].length;
	}
	const marked = parts.join('') + document.slice(copied);
	// A tag that is cut short would go on into the end of the element around the document.
	if (!/[>\uffff]/.test(marked.trimEnd().slice(-1))) throw illFormed(lineAt(document.length));
	const xml = `<document>${marked}</document>`;
	return { restore, xml: xml.length > MAX_TEXT ? replaceLongTexts(xml, replaceText) : xml };
}
