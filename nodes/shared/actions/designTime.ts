import { type ILoadOptionsFunctions, isExpression } from 'n8n-workflow';
import { toConnection, withDomain } from '../credential/connection';
import { serviceError, unexpected } from '../errors/catalog';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { createAccess, type ServiceAccess } from '../exchange/exchange';
import { domainIn } from '../form/options';
import { apiError } from '../host/errors';
import { RequestHost } from '../host/requests';
import { presentableError } from '../run/errors';
import { redactorOf } from '../run/redact';

/** Total time for a list, including retries, pauses and a token renewal, in milliseconds. */
const TOTAL_TIMEOUT_MS = 15_000;

/**
 * Calls the service while a builder edits a node, for example to read a list to choose from. Token
 * session, masking of secrets and limits work as in a run. The Domain is the one that a run would
 * use.
 *
 * @param work may throw the errors that a run may throw
 * @throws {NodeApiError} with a message and advice for the builder
 */
export async function atDesignTime<T>(
	context: ILoadOptionsFunctions,
	work: (access: ServiceAccess) => Promise<T>,
): Promise<T> {
	const host = new RequestHost(context, AbortSignal.timeout(TOTAL_TIMEOUT_MS));
	const options = context.getCurrentNodeParameter('options') as unknown;
	// n8n may return null for all options if it cannot evaluate one of them.
	const domain =
		options === null ? '' : domainIn(options, (value) => (isExpression(value) ? undefined : value));
	const data = await host.readCredential();
	let access: ServiceAccess | undefined;
	try {
		const stored = toConnection(data);
		const connection = domain === undefined ? stored : withDomain(stored, domain);
		// An attempt never times out before the total time does: its advice is about the options of a run.
		const timeoutMs = 2 * TOTAL_TIMEOUT_MS;
		const limits = { timeoutMs, maxBytes: 8 * 2 ** 20, isAdaptive: false };
		access = createAccess(host, connection, limits);
		return await work(access);
	} catch (error) {
		let failure = unexpected(error);
		if (error instanceof ServiceError) failure = error;
		else if (error instanceof CancelledError) failure = serviceError('ANSWER_TIMEOUT/list');
		const shown = presentableError(failure, redactorOf(access));
		throw apiError(context.getNode(), shown.message, shown);
	}
}
