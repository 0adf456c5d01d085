/** One call of an operation, and what its answer means. */
import type { Effect, FaultAdvice, Operation } from '../contract/operation';
import type { AddressField, Connection } from '../credential/connection';
import { adviceOn, adviceOnCode, FAULT_PHRASES } from '../errors/advice';
import { serviceError } from '../errors/catalog';
import { messageOf, type ServiceError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import { type Exchange, TokenError } from '../exchange/exchange';
import { decodeText, type ExchangeResponse, isWebPage } from '../http/answer';
import { lineOf, statusError } from '../http/failures';
import type { Values } from '../values/values';
import type { Fault } from './fault';
import { readAnswer, type SoapAnswer, type SoapResult } from './read';
import { serviceNamespace, soapVersions, wrapRequest, writeRequest } from './write';
import { XmlLimitError } from './xml';

const SOAP_ADDRESS: AddressField = 'SOAP Address';

/** Returns the error for a fault, with the advice that its text calls for. */
function faultError(
	fault: Fault,
	response: ExchangeResponse,
	advice: readonly FaultAdvice[],
): ServiceError | TokenError {
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
		error = statusError(response, SOAP_ADDRESS);
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

/**
 * Calls an operation (docs/dev/interface.md, section 4.3). How OAuth applies to SOAP is not specified: the token and the
 * subscription key are sent as in REST calls.
 *
 * @param request the values of the request by element name
 * @param children XML of the request, if it is already written
 * @throws {InputError} before anything is sent, naming every value that is not allowed
 */
export async function callSoap<E extends Effect>(
	exchange: Exchange<E>,
	connection: Connection,
	operation: Operation<E>,
	request: Readonly<Values>,
	children?: string,
): Promise<SoapResult> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const written = children ?? writeRequest(operation.request, request, namespace);
	const headers: Record<string, string> = {
		'Content-Type': soapVersions[connection.soapVersion].contentType,
		'X-Subscription-Key': connection.subscriptionKey,
	};
	if (connection.soapVersion === '1.1') headers.SOAPAction = `"${namespace}/${operation.name}"`;
	return await exchange(
		{
			method: 'POST',
			url: `${connection.soapUrl}/soap/v3/${operation.service}.asmx`,
			address: SOAP_ADDRESS,
			headers,
			body: wrapRequest(connection, operation, written),
			effect: operation.effect,
		},
		(response) => {
			const { status, body } = response;
			const contentType = response.headers['content-type'];
			const isAccepted = operation.canBeSilent === true && (status === 202 || status === 204);
			// With any other status, only a fault is read: there is no result then.
			const isSuccess = status === 200 || isAccepted;
			if (status >= 300 && status < 400) throw statusError(response, SOAP_ADDRESS);
			let text: string | undefined;
			let answer: SoapAnswer;
			try {
				text = decodeText(body, contentType);
				answer = readAnswer(operation, namespace, text);
			} catch (error) {
				// Another status says more than the body.
				if (!isSuccess) throw statusError(response, SOAP_ADDRESS);
				if (text === undefined) throw serviceError('ANSWER_UNREADABLE/characters');
				if (isWebPage(response)) throw serviceError('ANSWER_UNREADABLE/webPage');
				// Markup and JSON may be those of another address.
				const said = /^\s*[<[{-]/.test(text) ? undefined : lineOf(text);
				if (said) throw serviceError('ANSWER_UNREADABLE/text', { text: formatValue(said) });
				if (/^\s*multipart\//i.test(String(contentType))) {
					throw serviceError('ANSWER_UNREADABLE/multipart');
				}
				if (error instanceof XmlLimitError) {
					throw serviceError('ANSWER_TOO_LARGE/parts', { limit: error.limit });
				}
				throw serviceError('ANSWER_UNREADABLE', { reason: messageOf(error) });
			}
			if (answer.kind === 'fault') {
				throw faultError(answer.fault, response, operation.advice?.(request) ?? []);
			}
			if (!isSuccess) throw statusError(response, SOAP_ADDRESS);
			if (answer.kind === 'odd')
				throw serviceError('ANSWER_UNREADABLE/part', { reason: answer.reason });
			return answer;
		},
	);
}
