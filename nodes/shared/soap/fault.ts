import { TWK_EXCEPTION } from '../errors/advice';
import { allText, qualifiedName, shownText, textsIn, type XmlElement } from './xml';

/** The content of a SOAP fault, by the rules of SOAP and ASP.NET: docs/dev/interface.md, section 7, specifies none. */
export interface Fault {
	/** The innermost message, without exception class, stack trace or error code. */
	readonly message: string;
	/** The service's own error code, if the message begins with a number. */
	readonly serviceCode: string | undefined;
	/** SOAP's own code, for example `soap:VersionMismatch`. */
	readonly code: string;
	/** Whether the fault proves that the call was not carried out. */
	readonly isRefusal: boolean;
	/** The whole text of the fault. */
	readonly details: string;
	/** Whether its code, also that of WS-Security, says that the sender is at fault. */
	readonly blamesSender: boolean;
	/** Whether its codes or its text name a token: perhaps that of the request. */
	readonly namesToken: boolean;
}

/**
 * The start of a line of a .NET stack trace, in English or in Dutch: `   at A.B(Int32 c)`. The indent and a blank before
 * the bracket differ between versions; a name without a dot (`at office (Utrecht)`) may be a part of the message.
 */
const STACK = new RegExp(
	[
		String.raw`\r?\n[ \t]*(?:at|bij) (?:\(wrapper |[^\s(.]*\.(?!\d)(?:\(|[^\s(]+ ?\())`,
		String.raw`\r?\n[ \t]+(?:at|bij) [^\s(]+\(`,
		String.raw`\r?\n[ \t]*--- `,
	].join('|'),
);
const STACK_LINES = new RegExp(String.raw`(?:${STACK.source})[^\r\n]*`, 'g');

/** The class of an exception, `A.BException`, ``FaultException`1[C.D]``, `CError (0x80004005)`, also in brackets. */
const CLASS = String.raw`[A-Za-z_][\w.+]*(?:Exception|Error|Fault)(?:\x60\d+(?:\[[^\]\r\n]*\]+)?)?(?: \([\dA-Fx]+\))?`;
const BEFORE_MESSAGE = new RegExp(String.raw`^(?:${CLASS}:(?=\s|$)|\[${CLASS}\]:?|\(${CLASS}\):?)`);
/** `[A.BException: message]`. */
const IN_BRACKETS = new RegExp(String.raw`^\[(?=${CLASS}: )([^]*)\]$`);

/** What stands before an inner exception, and the sign for one of several. */
const INNER = /\s---> (?:\(Inner Exception #\d+\) )?/;
const SEVERAL = /\(Inner Exception #[1-9]/;
/** SOAP's codes for a call that was not carried out. In SOAP 1.1, a more specific code follows after a dot. */
const REFUSAL =
	/^(?:[^:]*:)?(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)(?:\.|$)/;

/** The codes of WS-Security for credentials that are not accepted. */
const INSECURE =
	'(?:InvalidSecurity|InvalidSecurityToken|FailedAuthentication|SecurityTokenUnavailable)$';
/** They may stand behind another code, but do not blame the sender behind the code of the server. */
const SECURITY = new RegExp(String.raw`(?:^|[.:])(?:${INSECURE}|Client\.Authentication$)`);
const SENDER = new RegExp(String.raw`^(?:[^:]*:)?(?:(?:Client|Sender)(?:\.|$)|${INSECURE})`);
const WS_SECURITY = /^http:\/\/(?:docs\.oasis-open\.org\/wss|schemas\.xmlsoap\.org\/ws)\//;

/** What servers say in place of a reason, which then stands in the detail. */
const GENERIC =
	/^(?:Exception of type '[^']*' was thrown|Server was unable to process request|The service gave no reason|.* did not specify a Reason)\.?$/i;

/** The words for a token. What services say of one that is not accepted is not specified. */
const TOKEN = /token|\bjwt\b/i;

/**
 * Returns the message in an ASP.NET fault text: that of the innermost exception
 * (`A: outer ---> B: inner\n   at Some.Method()`), without class name, stack trace and leading code.
 */
export function readFaultText(
	text: string,
): Pick<Fault, 'message' | 'serviceCode'> & { readonly isTwkException: boolean } {
	const innermost = text.split(INNER).at(-1) ?? text;
	const message = (innermost.split(STACK, 1)[0] ?? '')
		.replace(/<---\s*$/, '')
		.trim()
		.replace(IN_BRACKETS, '$1')
		.replace(BEFORE_MESSAGE, '')
		.trimStart();
	// A digit after the colon means a time, not a code: "12:30 is no valid time".
	const coded = /^((?:TWK exception: )?)(\d{1,9}):(?!\d) ?(?=\S)/.exec(message);
	// Of several exceptions, one alone says nothing about the call.
	const isOne = !SEVERAL.test(text);
	const [start = '', prefix = '', serviceCode] = (isOne && coded) || [];
	const rest = prefix + message.slice(start.length);
	return {
		message: rest === '' ? 'The service gave no reason' : rest,
		serviceCode,
		isTwkException: isOne && TWK_EXCEPTION.test(message),
	};
}

/** Returns the text of a fault without the lines of a stack trace, for people. */
export function withoutTrace(text: string): string {
	return text.replace(STACK_LINES, '');
}

/** Reads a `Fault` element of SOAP 1.1 (`faultstring`) or SOAP 1.2 (`Reason/Text`). */
export function readFault(node: XmlElement): Fault {
	const elementAt = (...path: string[]): XmlElement | undefined =>
		path.reduce<XmlElement | undefined>(
			(found, name) => found?.children.find((child) => child.name === name),
			node,
		);
	const codeElement = elementAt('faultcode') ?? elementAt('Code', 'Value');
	const code = shownText(codeElement).trim();
	const subcode = shownText(elementAt('Code', 'Subcode', 'Value')).trim();
	const text = shownText(elementAt('faultstring') ?? elementAt('Reason', 'Text'));
	const details = elementAt('detail') ?? elementAt('Detail');
	const detail = details === undefined ? '' : allText([details]);
	const { message: said, serviceCode, isTwkException } = readFaultText(text);
	// The detail is only shown: what it says decides nothing about a write.
	const message = detail !== '' && GENERIC.test(said) ? readFaultText(detail).message : said;
	// A service may have a `Client` of its own, behind a prefix that it binds.
	let isStandard = true;
	try {
		const own = code.includes(':') && codeElement && qualifiedName(codeElement, code).namespace;
		if (own) isStandard = own === node.namespace || WS_SECURITY.test(own);
	} catch {
		// The prefix is not bound.
	}
	return {
		message,
		serviceCode,
		code,
		isRefusal: isTwkException || (isStandard && REFUSAL.test(code)),
		details: [code, text.trim(), detail].filter((part) => part !== '').join('\n'),
		blamesSender: isStandard && SENDER.test(code),
		namesToken:
			[code, subcode].some((name) => SECURITY.test(name)) ||
			textsIn([node]).some((said) => TOKEN.test(withoutTrace(said))),
	};
}
