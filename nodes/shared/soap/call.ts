/** One call of an operation, and what its answer means. */
import type { Effect, Operation } from '../contract/operation';
import type { Connection } from '../credential/connection';
import { serviceError } from '../errors/catalog';
import { messageOf } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import type { Exchange } from '../exchange/exchange';
import { decodeText, isWebPage } from '../http/answer';
import { inOwnWords, lineOf, statusError } from '../http/failures';
import type { Values } from '../values/values';
import { faultError } from './fault';
import { readAnswer, type SoapAnswer, type SoapResult } from './read';
import { serviceNamespace, soapVersions, wrapRequest, writeRequest } from './write';
import { XmlError } from './xml';

/** How an envelope begins. */
const ENVELOPE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w-]+:)?Envelope\b/;

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
			address: 'SOAP Address',
			headers,
			body: wrapRequest(connection, operation, written),
			effect: operation.effect,
		},
		(response) => {
			const { status } = response;
			const isAccepted = operation.canBeSilent === true && (status === 202 || status === 204);
			// With any other status, only a fault is read: there is no result then.
			const isSuccess = status === 200 || isAccepted;
			if (status >= 300 && status < 400) throw statusError(response, 'SOAP Address');
			const text = decodeText(response);
			if (text === undefined && isSuccess) throw serviceError('ANSWER_UNREADABLE/characters');
			// Another status says more than the body.
			if (text === undefined) throw statusError(response, 'SOAP Address');
			let answer: SoapAnswer;
			try {
				answer = readAnswer(operation, namespace, text);
			} catch (error) {
				if (!isSuccess) throw statusError(response, 'SOAP Address');
				if (isWebPage(response)) throw serviceError('ANSWER_UNREADABLE/webPage');
				// Markup and JSON may be those of another address.
				const said = /^\s*[<[{-]/.test(text) ? undefined : lineOf(text);
				if (said) throw serviceError('ANSWER_UNREADABLE/text', { text: formatValue(said) });
				if (/^\s*multipart\//i.test(String(response.headers['content-type']))) {
					throw serviceError('ANSWER_UNREADABLE/multipart');
				}
				if (error instanceof XmlError && error.limit !== undefined) {
					throw serviceError('ANSWER_TOO_LARGE/parts', { limit: error.limit });
				}
				const isJson = { reason: 'It is JSON' };
				const own = inOwnWords(serviceError('ANSWER_UNREADABLE/part', isJson), response);
				if (own.isQuote) throw own;
				// What begins as an envelope is an answer of the service, whatever is wrong in it.
				const isOwn = error instanceof XmlError && ENVELOPE.test(text);
				throw serviceError(isOwn ? 'ANSWER_UNREADABLE/part' : 'ANSWER_UNREADABLE', {
					reason: messageOf(error),
				});
			}
			if (answer.kind === 'fault') {
				throw faultError(answer.node, response, operation.advice?.(request) ?? []);
			}
			if (!isSuccess) throw statusError(response, 'SOAP Address');
			if (answer.kind === 'odd')
				throw serviceError('ANSWER_UNREADABLE/part', { reason: answer.reason });
			return answer;
		},
	);
}
