import type { XmlElement } from './xml';

/** What a SOAP fault says (its shape is not specified; SOAP 1.1, SOAP 1.2 and ASP.NET habits are). */
export interface Fault {
	/** The innermost message, without exception class, stack trace or error code. */
	readonly message: string;
	/** The service's own error code, where the message begins with a number. */
	readonly serviceCode: string | undefined;
	/** SOAP's own code, for example `soap:VersionMismatch`. */
	readonly code: string;
	/** Whether it refuses the call, so that nothing was carried out; otherwise the service failed. */
	readonly isRefusal: boolean;
	/** The whole text of the fault. */
	readonly details: string;
	/** Whether it says that the access token is expired or not accepted. */
	readonly tokenRejected: boolean;
}

/** Where .NET begins to list stack frames, in English and in Dutch. */
const STACK = /\r?\n[ \t]+(?:at|bij) [^\s(]+\(|\r?\n[ \t]*--- /;
const EXCEPTION_CLASS = /^[A-Za-z_][\w.]*(?:Exception|Error|Fault)(?: \(0x[0-9A-Fa-f]+\))?:(?: |$)/;
/** A token, told to be no longer good; the wording is not specified, so the usual ones are known. */
const KIND = '(?:access|bearer|security|identity|oauth2?|jwt)[ _-]?';
const BAD = '(?:expired|invalid|not valid|not accepted|rejected|revoked|verlopen|ongeldig)';
const TOKEN_REJECTED = new RegExp(
	[
		`\\b${KIND}token\\b[^.]{0,80}\\b${BAD}\\b`,
		`\\btoken (?:(?:has|have|is|was|been|already|no longer|al) )*${BAD}\\b`,
		`\\b(?:expired|invalid|revoked|verlopen|ongeldige?)[ _](?:${KIND})?token\\b`,
	].join('|'),
	'i',
);

/** The service's own exceptions (docs/interface.md, section 7). */
const TWK = /\bTWK\b/;
/**
 * SOAP's codes for a call that was not carried out: the sender is at fault, or the envelope was not
 * processed. SOAP 1.1 refines a code by words behind a dot.
 */
const REFUSAL = /^(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)(?:\.|$)/;

/** A code without its prefix, which every document chooses itself. */
function localName(code: string): string {
	return code.slice(code.indexOf(':') + 1);
}

/**
 * Finds what an ASP.NET fault text wants to say: the innermost of the chained exceptions
 * (`A: outer ---> B: inner\n   at Some.Method()`), freed of class name, stack and leading code.
 */
export function readFaultText(text: string): Pick<Fault, 'message' | 'serviceCode'> {
	const innermost = text.split(' ---> ').at(-1) ?? text;
	const message = (innermost.split(STACK)[0] ?? '').trim().replace(EXCEPTION_CLASS, '');
	// Digits right behind the colon make it a time: "12:30 is no valid time".
	const coded = /^((?:TWK exception: )?)(\d{1,9}):(?!\d) ?(?=\S)/.exec(message);
	if (coded === null) {
		return {
			message: message === '' ? 'The service gave no reason' : message,
			serviceCode: undefined,
		};
	}
	return {
		message: `${coded[1] ?? ''}${message.slice(coded[0].length)}`,
		serviceCode: coded[2],
	};
}

function child(node: XmlElement | undefined, name: string): XmlElement | undefined {
	return node?.children.find((candidate) => candidate.name === name);
}

function allText(node: XmlElement | undefined): string {
	if (node === undefined) return '';
	return [node.text, ...node.children.map(allText)].join(' ').replace(/\s+/g, ' ').trim();
}

/** Reads a `Fault` element of SOAP 1.1 (`faultstring`) or SOAP 1.2 (`Reason/Text`). */
export function readFault(node: XmlElement): Fault {
	const code = (
		child(node, 'faultcode')?.text ??
		child(child(node, 'Code'), 'Value')?.text ??
		''
	).trim();
	const text = child(node, 'faultstring')?.text ?? child(child(node, 'Reason'), 'Text')?.text ?? '';
	const detail = allText(child(node, 'detail') ?? child(node, 'Detail'));
	const { message, serviceCode } = readFaultText(text);
	return {
		message,
		serviceCode,
		code,
		isRefusal: serviceCode !== undefined || TWK.test(text) || REFUSAL.test(localName(code)),
		details: [code, text.trim(), detail].filter((part) => part !== '').join('\n'),
		tokenRejected: TOKEN_REJECTED.test(text),
	};
}
