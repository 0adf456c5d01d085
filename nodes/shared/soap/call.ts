import type { IDataObject } from 'n8n-workflow';
import type { Effect, FaultAdvice, Operation } from '../contract/operation';
import type { AddressField, Connection } from '../credential/connection';
import { adviceOn, adviceOnCode, FAULT_PHRASES } from '../errors/advice';
import {
	answerOverLimit,
	NO_MTOM,
	notSoap,
	undecodableAnswer,
	webPage,
} from '../errors/answerErrors';
import { faultCoded, faultNamesToken, faultRefused, faultUnclear } from '../errors/requestErrors';
import { ServiceError, UnreadableError } from '../errors/ServiceError';
import type { Exchange, TokenVerdict } from '../exchange/exchange';
import { decodeText } from '../http/charset';
import type { ExchangeResponse } from '../http/send';
import { isWebPage, statusError } from '../http/failures';
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
	if (/^\s*multipart\//i.test(String(response.headers['content-type']))) {
		return notSoap('It is a multipart message (MTOM), which this node does not read', NO_MTOM);
	}
	if (error instanceof XmlLimitError) return answerOverLimit(`${error.limit} ${error.what}`);
	return notSoap(error instanceof Error ? error.message : 'The reason is unknown');
}

/**
 * Judges the access token by a fault that names a token. If the fault refuses the call for its sender
 * (SOAP 1.1, section 4.4.1), or HTTP does, nothing was carried out. Any other fault, also one with a
 * code of the service at HTTP 403, may mean a token of the service's own, and leaves open what was
 * carried out.
 */
function verdictOf(
	{ blamesSender, namesToken, serviceCode }: Fault,
	status: number,
): TokenVerdict | undefined {
	if (!namesToken) return undefined;
	return blamesSender || (status === 403 && serviceCode === undefined) ? 'refused' : 'suspected';
}

/** Classifies a fault by its own content, else by the HTTP status of the answer. */
function meaningOf(fault: Fault, response: ExchangeResponse): ServiceError {
	if (verdictOf(fault, response.status) === 'refused') return faultNamesToken(fault.message);
	const refused = faultRefused(fault.message);
	if (fault.isRefusal) {
		const { serviceCode } = fault;
		return serviceCode === undefined
			? refused
			: refused.with({ description: adviceOnCode(serviceCode) });
	}
	if (fault.serviceCode !== undefined) return faultCoded(fault.message, fault.serviceCode);
	const byStatus = statusError(response, SOAP_ADDRESS);
	if (byStatus.outcome === 'unknown') return faultUnclear(fault.message);
	return byStatus.isTransient ? byStatus : byStatus.with({ description: refused.description });
}

function faultError(
	fault: Fault,
	response: ExchangeResponse,
	advice: readonly FaultAdvice[],
): ServiceError {
	const error = meaningOf(fault, response);
	const known =
		advice.find((entry) => entry.fault.test(fault.message))?.text ??
		// What servers commonly mean by it; a limit says when to call again.
		(error.code === 'RATE_LIMITED'
			? undefined
			: adviceOn(`${fault.code}\n${fault.message}`, FAULT_PHRASES));
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
			const answer = readBody(response, (text) => readAnswer(operation, namespace, text));
			if (answer.kind === 'result') return { value: answer.result };
			const error = faultError(answer.fault, response, operation.advice?.(request) ?? []);
			const token = verdictOf(answer.fault, response.status);
			if (token === undefined) throw error;
			return { token, error };
		},
	);
}
