import type { TransportContext } from '../host/context';
import { Attempts } from './retry';
import { sendUnsigned, type ExchangeRequest, type ExchangeResponse, type Limits } from './send';

/**
 * Sends a request without the access token, and retries it if that is safe.
 *
 * @returns the answer, of any status
 * @throws {ServiceError} if there is no answer
 * @throws {CancelledError} if the user cancelled the run
 */
export async function exchangeUnsigned(
	context: TransportContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<ExchangeResponse> {
	const attempts = new Attempts(context, request.effect);
	for (;;) {
		const answer = await attempts.settle(await sendUnsigned(context, request, limits));
		if (answer !== undefined) return answer.response;
	}
}
