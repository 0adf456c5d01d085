/** What XML 1.0 can carry: every text and name of a request has to keep to it. */

/** Characters that XML 1.0 cannot carry; with the `u` flag a lone surrogate is one of them. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether a text can stand in an XML 1.0 document. */
export function isXmlText(text: string): boolean {
	return !NOT_XML.test(text);
}

const LETTERS =
	'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
	'\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}';
const NAME = new RegExp(`^[${LETTERS}][${LETTERS}0-9.\\u{B7}-]*$`, 'u');

/**
 * Whether a text is a name without a prefix (`NCName` of XML namespaces; its combining marks and
 * joiners, which no service's names have, are left out).
 */
export function isXmlName(text: string): boolean {
	return NAME.test(text);
}
