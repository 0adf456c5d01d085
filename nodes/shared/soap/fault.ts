/** What a SOAP fault says, and the error that it means. */
import type { FaultAdvice } from '../contract/operation';
import { adviceOn, adviceOnCode, FAULT_PHRASES, TWK_EXCEPTION } from '../errors/advice';
import { serviceError } from '../errors/catalog';
import type { ServiceError } from '../errors/ServiceError';
import { TokenError } from '../exchange/exchange';
import type { ExchangeResponse } from '../http/answer';
import { statusError } from '../http/failures';
import { allText, qualifiedName, shownText, textsIn, type XmlElement } from './xml';

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
export function readFaultText(text: string) {
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

/**
 * Reads a `Fault` element of SOAP 1.1 (`faultstring`) or SOAP 1.2 (`Reason/Text`), by the rules of SOAP and ASP.NET:
 * docs/dev/interface.md, section 7, specifies none.
 */
export function readFault(node: XmlElement) {
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
		/** The innermost message, without exception class, stack trace or error code. */
		message,
		/** The service's own error code, if the message begins with a number. */
		serviceCode,
		/** SOAP's own code, for example `soap:VersionMismatch`. */
		code,
		/** Whether the fault proves that the call was not carried out. */
		isRefusal: isTwkException || (isStandard && REFUSAL.test(code)),
		/** The whole text of the fault. */
		details: [code, text.trim(), detail].filter((part) => part !== '').join('\n'),
		/** Whether its code, also that of WS-Security, says that the sender is at fault. */
		blamesSender: isStandard && SENDER.test(code),
		/** Whether its codes or its text name a token: perhaps that of the request. */
		namesToken:
			[code, subcode].some((name) => SECURITY.test(name)) ||
			textsIn([node]).some((said) => TOKEN.test(withoutTrace(said))),
	};
}

/** Returns the error for a `Fault` element, with the advice that its text calls for. */
export function faultError(
	node: XmlElement,
	response: ExchangeResponse,
	advice: readonly FaultAdvice[],
): ServiceError | TokenError {
	const fault = readFault(node);
	const { message, code, serviceCode, details } = fault;
	const { status } = response;
	// If it refuses the call for its sender (SOAP 1.1, section 4.4.1), or HTTP does, nothing was carried out. Any other
	// fault, also one with a code of the service at HTTP 403, may mean a token of the service's own.
	const isRefused = fault.blamesSender || (status === 403 && serviceCode === undefined);
	const refused = serviceError('FAULT_REFUSED', { fault: message });
	let error: ServiceError;
	if (fault.namesToken && isRefused) {
		error = serviceError('TOKEN_REJECTED/fault', { fault: message });
	} else if (fault.isRefusal) {
		const description = serviceCode === undefined ? refused.description : adviceOnCode(serviceCode);
		error = refused.with({ description });
	} else if (serviceCode !== undefined) {
		const codeAdvice = adviceOnCode(serviceCode);
		error = serviceError('FAULT_CODED', { code: serviceCode, fault: message, advice: codeAdvice });
	} else {
		// Without words of its own, the HTTP status decides.
		error = statusError(response, 'SOAP Address');
		if (error.outcome === 'unknown') error = serviceError('FAULT_UNCLEAR', { fault: message });
		else if (!error.isTransient) error = error.with({ description: refused.description });
	}
	// What servers commonly mean by it; a limit says when to call again.
	const common =
		error.code === 'RATE_LIMITED' ? undefined : adviceOn(`${code}\n${message}`, FAULT_PHRASES);
	const known = advice.find((entry) => entry.fault.test(message))?.text ?? common;
	const said = error.with({
		message: error.code === 'FAULT_CODED' ? error.message : message,
		isQuote: true,
		description: known ?? error.description,
		httpStatus: status,
		serviceCode,
		details,
		isTransient: error.isTransient && known === undefined,
	});
	return fault.namesToken ? new TokenError(said, isRefused ? 'refused' : 'suspected') : said;
}
