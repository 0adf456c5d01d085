/** Which characters and names XML 1.0 allows. They apply to every text and name of a request. */

/** Characters that XML 1.0 does not allow. With the `u` flag, they include lone surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether XML 1.0 allows every character of a text. */
export function isXmlText(text: string): boolean {
	return !NOT_XML.test(text);
}

/** The characters that a name can begin with, as the content of a class of a regular expression. */
export const LETTERS =
	'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
	'\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}';
const NC_NAME = new RegExp(`^[${LETTERS}][${LETTERS}0-9.\\u{B7}-]*$`, 'u');

/**
 * Whether a text is an XML name without a prefix (`NCName` of XML namespaces). Combining marks and
 * joiners are not supported: no name of the service has them.
 */
export function isXmlName(text: string): boolean {
	return NC_NAME.test(text);
}
