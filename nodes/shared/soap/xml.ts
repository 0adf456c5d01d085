import { fill, texts } from '../errors/catalogue';
import { isXmlText } from '../values/xmlRules';

/** A name whose prefix is resolved. */
export interface QName {
	readonly namespace: string;
	readonly local: string;
}

/** The prefixes an element binds, and those of the elements around it; never copied. */
export interface Scope {
	readonly bound: ReadonlyMap<string, string>;
	readonly outer: Scope | undefined;
	/** Names of elements that were resolved before: in a list they come again and again. */
	readonly names: Map<string, QName>;
}

/** An element with its names resolved. */
export interface XmlElement {
	readonly namespace: string;
	readonly name: string;
	/** Attributes by local name, those of XML Schema instance as `xsi:…`. */
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	/** The character data directly inside the element. */
	readonly text: string;
	/** Resolves the prefixes of names in its attribute values, see `qualifiedName`. */
	readonly scope: Scope;
}

/** A text that is not well-formed XML, or XML that is refused for safety. */
export class XmlError extends Error {
	override readonly name = 'XmlError';

	/** @param found what stands in the document, as a noun phrase */
	constructor(readonly found: string) {
		super(fill(texts.answers.holds, { found }));
	}
}

/** @param line the line of the document, or whatever tells it */
export function illFormed(line: number): XmlError {
	return new XmlError(`no well-formed XML (line ${line})`);
}

const ENTITIES: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};

/** Escapes character data; a carriage return would otherwise be read back as a line feed. */
export function escapeXml(text: string): string {
	return text.replace(/[&<>\r]/g, (character) => {
		if (character === '&') return '&amp;';
		if (character === '<') return '&lt;';
		return character === '>' ? '&gt;' : '&#13;';
	});
}

/** Escapes the value of an attribute, whose whitespace would otherwise be read back as blanks. */
export function escapeAttribute(text: string): string {
	return escapeXml(text).replace(/["\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @throws {XmlError} where a reference means no character that XML knows */
export function unescapeXml(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&([^;&\uffff]{0,12});?/g, (reference: string, name: string) => {
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

/** Whether an element is `xsi:nil`. */
export function isNil(node: XmlElement): boolean {
	const nil = node.attributes.get('xsi:nil')?.trim();
	return nil === 'true' || nil === '1';
}
