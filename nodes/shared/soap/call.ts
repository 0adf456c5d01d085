/** One call of an operation: what its answer means, a result or an error; and the records of a result. */
import type { IDataObject } from 'n8n-workflow';
import { type Fields, TEXT } from '../contract/fields';
import { LIMITS } from '../contract/limits';
import {
	type Effect,
	type FaultAdvice,
	keysOf,
	type Operation,
	resultField,
} from '../contract/operation';
import { isOfContract } from '../contract/operations';
import type { Connection } from '../credential/connection';
import { mentionedIn, TOKEN, TWK_EXCEPTION } from '../errors/phrases';
import {
	messageOf,
	type ServiceError,
	serviceError,
	UnreadableError,
} from '../errors/ServiceError';
import { beginning, formatValue } from '../errors/words';
import type { Exchange } from '../exchange/exchange';
import { decodeText, ENVELOPE, type ExchangeResponse, isWebPage } from '../http/answer';
import { inOwnWords, lineOf, statusError } from '../http/failures';
import { isObject, isSet, type Values } from '../values/values';
import { readAnswer, type SoapAnswer } from './read';
import { serviceNamespace, soapVersions, wrapRequest, writeRequest } from './write';
import { allText, type XmlElement, XmlError } from './xml';

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
/** The trace in the JSON of ASP.NET, perhaps cut. */
const STACK_MEMBER = /"StackTrace\w*"\s*:\s*"(?:[^"\\]|\\.)*(?:",?|$)/gi;

/** The class of an exception, `A.BException`, ``FaultException`1[C.D]``, `CError (0x80004005)`, also in brackets. */
const CLASS = String.raw`[A-Za-z_][\w.+]*(?:Exception|Error|Fault)(?:\x60\d+(?:\[[^\]\r\n]*\]+)?)?(?: \([\dA-Fx]+\))?`;
const BEFORE_MESSAGE = new RegExp(String.raw`^(?:${CLASS}:(?=\s|$)|\[${CLASS}\]:?|\(${CLASS}\):?)`);
/** `[A.BException: message]`. */
const IN_BRACKETS = new RegExp(String.raw`^\[(?=${CLASS}: )([^]*)\]$`);

/** What is written before an inner exception, and the sign for one of several. */
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

/** Reads the text of an ASP.NET fault, by its innermost exception: `A: outer ---> B: 2011: inner\n   at Some.Method()`. */
function readFaultText(text: string) {
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

/** Returns the text of a fault without the lines of a stack trace. */
export function withoutTrace(text: string): string {
	return text.replace(STACK_LINES, '').replace(STACK_MEMBER, '');
}

/**
 * Returns the error for a `Fault` element of SOAP 1.1 (`faultstring`) or SOAP 1.2 (`Reason/Text`), by the rules of SOAP
 * and ASP.NET: docs/dev/interface.md, section 7, specifies none.
 */
function faultError(
	node: XmlElement,
	response: ExchangeResponse,
	advice: readonly FaultAdvice[],
): ServiceError {
	const elementAt = (...path: string[]): XmlElement | undefined =>
		path.reduce<XmlElement | undefined>(
			(found, name) => found?.children.find((child) => child.name === name),
			node,
		);
	const nameIn = (element?: XmlElement) => beginning(element?.text ?? '', LIMITS.name).trim();
	const codeElement = elementAt('faultcode') ?? elementAt('Code', 'Value');
	const code = nameIn(codeElement);
	const subcode = nameIn(elementAt('Code', 'Subcode', 'Value'));
	// A reason has a text in each language.
	const texts = [elementAt('faultstring') ?? [], elementAt('Reason')?.children ?? []].flat();
	const text = texts.map((one) => allText(one)).find((own) => own !== '') ?? '';
	const detail = allText(elementAt('detail') ?? elementAt('Detail'))
		.replace(/\s+/g, ' ')
		.trim();
	const { message: said, serviceCode, isTwkException } = readFaultText(text);
	// The detail is only shown: what it says decides nothing about a write.
	const message = detail !== '' && GENERIC.test(said) ? readFaultText(detail).message : said;
	// A service may have a `Client` of its own, behind a prefix that it binds.
	const [prefix] = code.includes(':') ? code.split(':') : [];
	const own = prefix === undefined ? undefined : codeElement?.scope[prefix];
	const isStandard = !own || own === node.namespace || WS_SECURITY.test(own);
	// Its codes or its text name a token: perhaps that of the request.
	const namesToken =
		SECURITY.test(code) || SECURITY.test(subcode) || TOKEN.test(withoutTrace(allText(node)));
	const { status: httpStatus } = response;
	const details = [code, text.trim(), detail].filter((part) => part !== '').join('\n');
	const known = { fault: message, httpStatus, serviceCode, details };
	// If it refuses the call for its sender (SOAP 1.1, section 4.4.1), also by a code of WS-Security, or HTTP does,
	// nothing was carried out. Any other fault, also one with a code of the service at HTTP 403, may mean a token of
	// the service's own.
	const blamesSender = isStandard && SENDER.test(code);
	const isRefused = blamesSender || (httpStatus === 403 && serviceCode === undefined);
	let error: ServiceError;
	if (namesToken && isRefused) {
		error = serviceError('TOKEN_REJECTED/fault', known);
	} else if (isTwkException || (isStandard && REFUSAL.test(code))) {
		error = serviceError('FAULT_REFUSED', known);
	} else if (serviceCode !== undefined) {
		const coded = `${serviceCode}: ${message}`;
		error = serviceError('FAULT_CODED', { ...known, serviceCode, fault: coded });
	} else {
		// Without words of its own, the HTTP status decides.
		error = statusError(response, 'SOAP Address').with(known);
		if (error.outcome === 'unknown') error = serviceError('FAULT_UNCLEAR', known);
	}
	const advised = advice.find((entry) => entry.fault.test(message))?.text;
	// What servers commonly mean by it; a limit says when to call again.
	const isLimit = error.code === 'RATE_LIMITED';
	const mentions = isLimit ? undefined : mentionedIn(`${code}\n${message}`, true);
	const isTransient = error.isTransient && advised === undefined && mentions === undefined;
	const verdict = isRefused ? 'refused' : 'suspected';
	const token = namesToken ? verdict : undefined;
	return error.with({ advice: advised, mentions, isTransient, token });
}

/** Returns the error for an answer of HTTP 200 that cannot be read. */
function unreadable(response: ExchangeResponse, text: string, error: unknown): ServiceError {
	const facts = error instanceof UnreadableError ? error.facts : {};
	const reason = messageOf(error);
	if (facts.isPart) return serviceError('ANSWER_UNREADABLE/part', { reason });
	if (isWebPage(response)) return serviceError('ANSWER_UNREADABLE/webPage');
	// Markup and JSON may be those of another address.
	const said = /^\s*[<[{-]/.test(text) ? undefined : lineOf(text);
	if (said) return serviceError('ANSWER_UNREADABLE/text', { text: formatValue(said) });
	if (/^\s*multipart\//i.test(String(response.headers['content-type']))) {
		return serviceError('ANSWER_UNREADABLE/multipart');
	}
	if (facts.limit) return serviceError('ANSWER_TOO_LARGE/parts', { limit: facts.limit });
	const json = serviceError('ANSWER_UNREADABLE/part', { reason: 'It is JSON' });
	const own = inOwnWords(json, response);
	if (own.quote) return own;
	// What begins as an envelope is an answer of the service, whatever is wrong in it.
	const isOwn = error instanceof XmlError && ENVELOPE.test(text);
	return serviceError(isOwn ? 'ANSWER_UNREADABLE/part' : 'ANSWER_UNREADABLE', { reason });
}

/** Returns the fields of the items that an answer makes; `undefined` if nothing is known of them. */
export function itemFields(operation: Operation): Fields | undefined {
	const { fields, isOpen } = operation.response;
	const [, result] = resultField(operation) ?? [];
	if (result === undefined) return isOpen ? undefined : fields;
	const row = result.kind === 'list' || result.kind === 'repeated' ? result.of : result;
	if (row.kind === 'any') return undefined;
	return row.kind === 'record' ? row.fields : { [row.property ?? 'Result']: row };
}

/** Names of elements that say that a call failed, or whether it succeeded. */
const [FAILURE, SUCCESS] = [/error|exception|(?<!de)fault/i, /succe/i];

/** Whether an element of an answer that is not described, or is to be empty, says that the call failed. */
function isFailure(operation: Operation, [element, said]: readonly [string, unknown]): boolean {
	const { fields, isOpen } = operation.response;
	const text = isSet(said) ? String(said).trim().toLowerCase() : '';
	if (text === '' || isOpen === true || Object.hasOwn(fields, element)) return false;
	const isToBeEmpty = Object.keys(fields).length === 0;
	if (isToBeEmpty && element === `${operation.name}Result`) return text !== 'true';
	return (text === 'false' || text === '0' ? SUCCESS : FAILURE).test(element);
}

/** What may stand beside the rows of an answer in all of its items, in characters of JSON. */
const MAX_BESIDE = 2 ** 25;

/**
 * Converts an answer to records: each row of the described element, if that is a list, else that element, else the whole
 * answer. Whatever stands beside the element is in each record; in the first alone, if that would be too much; in one
 * of its own, if there is no row, unless the operation is a reading one of the contract. An answer that is to be
 * empty, or is, is a success.
 *
 * @throws {ServiceError} if something in the answer says that the call failed, or stands in place of records, or if the
 * identifier of a new record is no positive number
 */
function recordsOf(operation: Operation, values: IDataObject): readonly IDataObject[] {
	const [name = `${operation.name}Result`, field] = resultField(operation) ?? [];
	const { [name]: value, ...others } = values;
	const beside = Object.entries(others);
	const isNone = Array.isArray(value) && value.length === 0;
	if (isNone && beside[0] && operation.effect === 'read' && isOfContract(operation)) {
		const [other, said] = beside[0];
		const reason = `Expected rows in ${name}, got ${other} ${formatValue(said)}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const failed = Object.entries(values).find((entry) => isFailure(operation, entry));
	if (failed !== undefined) {
		const got = `${failed[0]} is ${formatValue(failed[1])}`;
		if (operation.effect === 'write') throw serviceError('WRITE_UNCONFIRMED', { got });
		const reason = `It says that the call failed: ${got}`;
		throw serviceError('ANSWER_UNREADABLE/part', { reason });
	}
	const known = itemFields(operation);
	if (field === undefined) {
		const isEmpty = [known, values].some((own) => own && Object.keys(own).length === 0);
		return [isEmpty ? { success: true, ...values } : values];
	}
	if (field.property === 'Id' && Number(value) <= 0) {
		throw serviceError('WRITE_UNCONFIRMED', { got: `${name} is ${formatValue(value)}` });
	}
	const isList = field.kind === 'list' || field.kind === 'repeated';
	const all = (isList ? (value ?? []) : [value ?? null]) as unknown[];
	const isOurs = isOfContract(operation);
	// A row that is nil, or has nothing, is no record: an update would send it back.
	const rows = isOurs ? all.filter((row) => !isObject(row) || Object.keys(row).length > 0) : all;
	const keys = isOurs ? Object.keys(keysOf(operation.request.fields)) : [];
	if (rows.length === 0 && beside.length > 0) return [others];
	const isInAll = rows.length * JSON.stringify(beside).length <= MAX_BESIDE;
	return rows.map((row, index) => {
		const isRecord = isObject(row) && !Object.hasOwn(row, TEXT);
		const item = (isRecord ? row : { [field.property ?? 'Result']: row }) as IDataObject;
		// Whose an item is, the request says: a record may have the period in which it begins.
		for (const key of keys) {
			if (!Object.hasOwn(item, key) || Object.hasOwn(known ?? {}, key)) continue;
			item[`Record.${key}`] = item[key];
			delete item[key];
		}
		for (const [other, found] of isInAll || index === 0 ? beside : []) {
			// Nobody may take it for a value that the record can have.
			const isTaken = [item, known ?? {}].some((own) => Object.hasOwn(own, other));
			item[isTaken || keys.includes(other) ? `${operation.name}Response.${other}` : other] = found;
		}
		return item;
	});
}

/**
 * Calls an operation (docs/dev/interface.md, section 4.3), and converts its answer to records. How OAuth applies to SOAP is
 * not specified: the token and the subscription key are sent as in REST calls.
 *
 * @param request the values of the request by element name
 * @param children XML of the request, if it is already written
 * @returns also the paths of elements that had a character that XML does not allow
 * @throws {InputError} before anything is sent, naming every value that is not allowed
 * @throws {ServiceError | CancelledError}
 */
export async function callForRecords<E extends Effect>(
	exchange: Exchange<E>,
	connection: Connection,
	operation: Operation<E>,
	request: Readonly<Values>,
	children?: string,
): Promise<{ readonly records: readonly IDataObject[]; readonly mended: readonly string[] }> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const written = children ?? writeRequest(operation.request, request, namespace);
	const headers: Record<string, string> = {
		'Content-Type': soapVersions[connection.soapVersion].contentType,
		'X-Subscription-Key': connection.subscriptionKey,
	};
	if (connection.soapVersion === '1.1') headers.SOAPAction = `"${namespace}/${operation.name}"`;
	const { result, mended } = await exchange(
		{
			method: 'POST',
			url: `${connection.soapUrl}/soap/v3/${operation.service}.asmx`,
			address: 'SOAP Address',
			headers,
			body: wrapRequest(connection, operation, written),
			effect: operation.effect,
		},
		(response) => {
			const { status } = response;
			const isAccepted = operation.canBeSilent === true && (status === 202 || status === 204);
			const isRedirect = status >= 300 && status < 400;
			const text = isRedirect ? undefined : decodeText(response);
			let answer: SoapAnswer | undefined;
			let failure: unknown;
			try {
				if (text !== undefined) answer = readAnswer(operation, namespace, text);
			} catch (error) {
				failure = error;
			}
			if (answer?.kind === 'fault') {
				throw faultError(answer.node, response, operation.advice?.(request) ?? []);
			}
			// With any other status, only a fault is read: it says more than the body.
			if (status !== 200 && !isAccepted) throw statusError(response, 'SOAP Address');
			if (text === undefined) throw serviceError('ANSWER_UNREADABLE/characters');
			if (answer === undefined) throw unreadable(response, text, failure);
			return answer;
		},
	);
	return { records: recordsOf(operation, result), mended };
}
