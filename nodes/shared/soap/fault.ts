import { allText, type XmlElement } from './xml';

/**
 * The content of a SOAP fault. The interface does not specify it (docs/dev/interface.md, section 7), so
 * the rules are those of SOAP 1.1, SOAP 1.2 and ASP.NET.
 */
export interface Fault {
	/** The innermost message, without exception class, stack trace or error code. */
	readonly message: string;
	/** The service's own error code, if the message begins with a number. */
	readonly serviceCode: string | undefined;
	/** SOAP's own code, for example `soap:VersionMismatch`. */
	readonly code: string;
	/** Whether the fault refuses the call, so nothing was carried out; if not, the service failed. */
	readonly isRefusal: boolean;
	/** The whole text of the fault. */
	readonly details: string;
	/** Whether the fault's code says that the access token is not accepted. */
	readonly isSecurityFault: boolean;
	/** Whether the fault's text mentions a token that is expired or not accepted: perhaps not ours. */
	readonly mentionsToken: boolean;
}

/** Matches the start of a .NET stack trace, in English or in Dutch. */
const STACK = /\r?\n[ \t]+(?:at|bij) [^\s(]+\(|\r?\n[ \t]*--- /;
/** Matches the lines of a .NET stack trace. */
const STACK_LINES = /\r?\n[ \t]+(?:at|bij) [^\s(]+\([^\r\n]*|\r?\n[ \t]*--- [^\r\n]*/g;
const EXCEPTION_CLASS = /^[A-Za-z_][\w.]*(?:Exception|Error|Fault)(?: \(0x[0-9A-Fa-f]+\))?:(?: |$)/;
/**
 * Matches texts that say that the token is no longer valid. The wording is not specified, so the
 * usual ones are listed.
 */
const TOKEN_KIND = '(?:access|bearer|security|identity|oauth2?|jwt)[ _-]?';
const NO_LONGER_VALID =
	'(?:expired|invalid|not valid|not accepted|rejected|revoked|verlopen|ongeldig)';
const TOKEN_REJECTED = new RegExp(
	[
		`\\b${TOKEN_KIND}token\\b[^.]{0,80}\\b${NO_LONGER_VALID}\\b`,
		`\\btoken (?:(?:has|have|is|was|been|already|no longer|al) )*${NO_LONGER_VALID}\\b`,
		`\\b(?:expired|invalid|revoked|verlopen|ongeldige?)[ _](?:${TOKEN_KIND})?token\\b`,
	].join('|'),
	'i',
);

/** The service's own exceptions (docs/dev/interface.md, section 7). */
const TWK = /\bTWK\b/;
/**
 * SOAP's codes for a call that was not carried out: the sender is at fault, or the envelope was not
 * processed. In SOAP 1.1, a more specific code follows after a dot. Any prefix may stand before it.
 */
const REFUSAL =
	/^(?:[^:]*:)?(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)(?:\.|$)/;

/** The codes of WS-Security for credentials that are not accepted. */
const SECURITY =
	/(?:^|[.:])(?:InvalidSecurity|InvalidSecurityToken|FailedAuthentication|SecurityTokenUnavailable)$/;

/**
 * Returns the message in an ASP.NET fault text: that of the innermost exception
 * (`A: outer ---> B: inner\n   at Some.Method()`), without class name, stack trace and leading code.
 */
export function readFaultText(text: string): Pick<Fault, 'message' | 'serviceCode'> {
	const innermost = text.split(' ---> ').at(-1) ?? text;
	const message = (innermost.split(STACK)[0] ?? '').trim().replace(EXCEPTION_CLASS, '');
	// A digit after the colon means a time, not a code: "12:30 is no valid time".
	const coded = /^((?:TWK exception: )?)(\d{1,9}):(?!\d) ?(?=\S)/.exec(message);
	const [start = '', prefix = '', serviceCode] = coded ?? [];
	const rest = prefix + message.slice(start.length);
	return { message: rest === '' ? 'The service gave no reason' : rest, serviceCode };
}

/** Returns the text of a fault without the lines of a stack trace, for people. */
export function withoutTrace(text: string): string {
	return text.replace(STACK_LINES, '');
}

/** Returns the element at a path of names. */
function elementAt(node: XmlElement, ...path: readonly string[]): XmlElement | undefined {
	return path.reduce<XmlElement | undefined>(
		(found, name) => found?.children.find((child) => child.name === name),
		node,
	);
}

/** Reads a `Fault` element of SOAP 1.1 (`faultstring`) or SOAP 1.2 (`Reason/Text`). */
export function readFault(node: XmlElement): Fault {
	const textAt = (...path: string[]): string | undefined => elementAt(node, ...path)?.text;
	const code = (textAt('faultcode') ?? textAt('Code', 'Value') ?? '').trim();
	const subcode = (textAt('Code', 'Subcode', 'Value') ?? '').trim();
	const text = textAt('faultstring') ?? textAt('Reason', 'Text') ?? '';
	const details = elementAt(node, 'detail') ?? elementAt(node, 'Detail');
	const detail = details === undefined ? '' : allText(details, 'StackTrace');
	const { message, serviceCode } = readFaultText(text);
	return {
		message,
		serviceCode,
		code,
		isRefusal: serviceCode !== undefined || TWK.test(text) || REFUSAL.test(code),
		details: [code, text.trim(), detail].filter((part) => part !== '').join('\n'),
		isSecurityFault: [code, subcode].some((one) => SECURITY.test(one)),
		mentionsToken: TOKEN_REJECTED.test(text),
	};
}
