import type { RequestOf, ResultOf, SoapOperation } from '../contract/operations';
import { ServiceError } from '../errors/ServiceError';
import { decodeText } from '../transport/charset';
import type { Connection } from '../transport/connection';
import type { Exchange, Reading } from '../transport/exchange';
import type { ExchangeResponse } from '../transport/send';
import { statusError, unreadable } from '../transport/status';
import { serviceNamespace, soapVersions, writeEnvelope } from './envelope';
import type { Fault } from './fault';
import { readEnvelope, ResponseError, type SoapAnswer } from './response';

function textOf(response: ExchangeResponse): string {
	try {
		return decodeText(response.body, response.headers['content-type']);
	} catch {
		throw unreadable(
			response,
			'The answer of the payroll service cannot be decoded',
			'Its bytes are not of the character set it names.',
		);
	}
}

function read<O extends SoapOperation>(
	operation: O,
	namespace: string,
	response: ExchangeResponse,
): SoapAnswer<O> {
	const { status } = response;
	// Only a fault may come with another status than 200; everything else has no result.
	if (status >= 300 && status < 400) throw statusError(response);
	try {
		const text = textOf(response);
		if (text.trim() === '') throw new ResponseError('The answer is empty');
		const answer = readEnvelope(operation, namespace, text);
		if (answer.kind === 'result' && status !== 200) throw statusError(response);
		return answer;
	} catch (error) {
		throw notAnAnswer(error, response);
	}
}

/** The error for whatever came instead of an answer; a status other than 200 says more than the body. */
function notAnAnswer(error: unknown, response: ExchangeResponse): ServiceError {
	if (response.status !== 200) return statusError(response);
	if (error instanceof ServiceError) return error;
	return unreadable(
		response,
		'The payroll service gave no readable answer',
		`${error instanceof Error ? error.message : 'It is not known why'}. Check the SOAP address, namespace and version in the credential.`,
	);
}

function faultError(fault: Fault, status: number): ServiceError {
	return new ServiceError(fault.message, {
		description: 'The payroll service refused the call. Correct the values and run it again.',
		httpStatus: status,
		serviceCode: fault.serviceCode,
		details: fault.details,
	});
}

/**
 * Calls one SOAP operation (interface.md section 4.3).
 *
 * How OAuth applies to SOAP is not specified; the token and the subscription key go along as on
 * REST calls.
 *
 * @returns the result's value, `undefined` where the operation returns none
 * @throws {InputError} before anything is sent, {ServiceError} where the call failed
 */
export async function callSoap<O extends SoapOperation>(
	exchange: Exchange,
	connection: Connection,
	operation: O,
	request: RequestOf<O>,
): Promise<ResultOf<O>> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const body = writeEnvelope(connection, operation, request);
	const headers: Record<string, string> = {
		'Content-Type': soapVersions[connection.soapVersion].contentType,
		'X-Subscription-Key': connection.subscriptionKey,
	};
	if (connection.soapVersion === '1.1') headers.SOAPAction = `"${namespace}/${operation.name}"`;
	const { answer, status } = await exchange(
		{
			method: 'POST',
			url: `${connection.soapUrl}/soap/v3/${operation.service}.asmx`,
			headers,
			body,
			effect: operation.effect,
		},
		(response): Reading<{ answer: SoapAnswer<O>; status: number }> => {
			const value = read(operation, namespace, response);
			return {
				value: { answer: value, status: response.status },
				tokenRejected: value.kind === 'fault' && value.fault.tokenRejected,
			};
		},
	);
	if (answer.kind === 'fault') throw faultError(answer.fault, status);
	return answer.result;
}
