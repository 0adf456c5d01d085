import type { IDataObject } from 'n8n-workflow';
import type { Effect, FaultAdvice, Operation } from '../contract/operation';
import type { AddressField, Connection } from '../credential/connection';
import { adviceOn, FAULT_PHRASES } from '../errors/advice';
import { answerOverLimit, notSoap, undecodableAnswer, webPage } from '../errors/answerErrors';
import { faultCoded, faultRefused, faultUnclear } from '../errors/requestErrors';
import { ServiceError, UnreadableError } from '../errors/ServiceError';
import type { Exchange } from '../exchange/exchange';
import { decodeText } from '../http/charset';
import type { ExchangeResponse } from '../http/send';
import { isWebPage, statusError, unauthorized } from '../http/statusErrors';
import type { Values } from '../values/values';
import { serviceNamespace, soapVersions, wrapRequest, writeRequest } from './envelope';
import type { Fault } from './fault';
import { readAnswer, type SoapAnswer } from './response';
import { XmlLimitError } from './xml';

const SOAP_ADDRESS: AddressField = 'SOAP Address';

function bodyText(response: ExchangeResponse): string {
	try {
		return decodeText(response.body, response.headers['content-type']);
	} catch {
		throw undecodableAnswer();
	}
}

function readBody(response: ExchangeResponse, read: (text: string) => SoapAnswer): SoapAnswer {
	const { status } = response;
	// Only a fault is read with a status other than 200; any other answer has no result then.
	if (status >= 300 && status < 400) throw statusError(response, SOAP_ADDRESS);
	try {
		const text = bodyText(response);
		if (text.trim() === '') throw new UnreadableError('The answer is empty');
		const answer = read(text);
		if (answer.kind === 'result' && status !== 200) throw statusError(response, SOAP_ADDRESS);
		return answer;
	} catch (error) {
		throw notAnAnswer(error, response);
	}
}

/** The error for a body that is no SOAP answer; a status other than 200 says more than the body. */
function notAnAnswer(error: unknown, response: ExchangeResponse): ServiceError {
	if (response.status !== 200) return statusError(response, SOAP_ADDRESS);
	if (error instanceof ServiceError) return error;
	if (isWebPage(response)) return webPage();
	if (error instanceof XmlLimitError) return answerOverLimit(`${error.limit} ${error.what}`);
	return notSoap(error instanceof Error ? error.message : 'The reason is unknown');
}

/**
 * Whether a fault is about the access token of the request. Its text alone may be about anything, and
 * the service may have carried out the call.
 *
 * @param hasTokenExpired whether the token is past the end that it names
 */
function rejectsToken(
	{ isSecurityFault, mentionsToken }: Fault,
	{ status }: ExchangeResponse,
	hasTokenExpired: boolean,
): boolean {
	return isSecurityFault || (mentionsToken && (status === 403 || hasTokenExpired));
}

/** Classifies a fault by its own content, else by the HTTP status of the answer. */
function meaningOf(fault: Fault, tokenRejected: boolean, response: ExchangeResponse): ServiceError {
	if (tokenRejected) return unauthorized(false);
	const refused = faultRefused(fault.message);
	if (fault.isRefusal) return refused;
	if (fault.serviceCode !== undefined) return faultCoded(fault.message, fault.serviceCode);
	const byStatus = statusError(response, SOAP_ADDRESS);
	if (byStatus.outcome === 'unknown') return faultUnclear(fault.message);
	return byStatus.isTransient ? byStatus : byStatus.with({ description: refused.description });
}

function faultError(
	fault: Fault,
	tokenRejected: boolean,
	response: ExchangeResponse,
	advice: readonly FaultAdvice[],
): ServiceError {
	const known =
		advice.find((entry) => entry.fault.test(fault.message))?.text ??
		// What servers commonly mean by it.
		adviceOn(`${fault.code}\n${fault.message}`, FAULT_PHRASES);
	const error = meaningOf(fault, tokenRejected, response);
	return error.with({
		message: error.kind === 'faultCoded' ? error.message : fault.message,
		description: known ?? error.description,
		httpStatus: response.status,
		serviceCode: fault.serviceCode,
		details: fault.details,
		isTransient: error.isTransient && known === undefined,
	});
}

/**
 * Calls an operation (docs/dev/interface.md, section 4.3).
 *
 * How OAuth applies to SOAP is not specified; the token and the subscription key are sent as in
 * REST calls.
 *
 * @param request the values of the request by element name
 * @param children XML of the request, if it is already written
 * @returns the values of the response element, by the names of its elements
 * @throws {InputError} before anything is sent, naming every value that is not allowed
 * @throws {ServiceError} if the call failed
 */
export async function callSoap<E extends Effect>(
	exchange: Exchange<E>,
	connection: Connection,
	operation: Operation<E>,
	request: Readonly<Values>,
	children?: string,
): Promise<IDataObject> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const written = children ?? writeRequest(operation.request, request, namespace);
	const headers: Record<string, string> = {
		'Content-Type': soapVersions[connection.soapVersion].contentType,
		'X-Subscription-Key': connection.subscriptionKey,
	};
	if (connection.soapVersion === '1.1') headers.SOAPAction = `"${namespace}/${operation.name}"`;
	const { answer, response, tokenRejected } = await exchange(
		{
			method: 'POST',
			url: `${connection.soapUrl}/soap/v3/${operation.service}.asmx`,
			address: SOAP_ADDRESS,
			headers,
			body: wrapRequest(connection, operation, written),
			effect: operation.effect,
		},
		(response, hasTokenExpired) => {
			const answer = readBody(response, (text) => readAnswer(operation, namespace, text));
			const tokenRejected =
				answer.kind === 'fault' && rejectsToken(answer.fault, response, hasTokenExpired);
			return { value: { answer, response, tokenRejected }, tokenRejected };
		},
	);
	if (answer.kind === 'result') return answer.result;
	throw faultError(answer.fault, tokenRejected, response, operation.advice?.(request) ?? []);
}
