import { type ILoadOptionsFunctions, type INodeListSearchResult, isExpression } from 'n8n-workflow';
import { toConnection, withDomain } from '../credential/connection';
import { RequestHost } from '../host/requests';
import { serviceError, unexpected } from '../errors/catalog';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { createAccess, type ExchangeLimits, type ServiceAccess } from '../exchange/exchange';
import { domainIn } from '../form/options';
import { apiError } from '../host/errors';
import { areUnknown } from '../host/forms';
import { presentableError } from '../run/errors';
import { Redactor } from '../run/redact';
import { redactorOf } from '../run/targets';

/** A list search method, which n8n calls for a list that the builder chooses from. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/** Total time for a list, including retries, pauses and a token renewal, in milliseconds. */
const TOTAL_TIMEOUT_MS = 15_000;

/**
 * Limits of one attempt. Its timeout is longer than the total time and never applies: the advice of
 * a timeout refers to options of a run.
 */
const DESIGN_TIME_LIMITS: ExchangeLimits = {
	timeoutMs: 2 * TOTAL_TIMEOUT_MS,
	maxBytes: 8 * 2 ** 20,
	isAdaptive: false,
};

/** Reads the Domain that is currently entered in the node's options, see {@link domainIn}. */
function editedDomain(context: ILoadOptionsFunctions): string | undefined {
	const options = context.getCurrentNodeParameter('options') as unknown;
	if (areUnknown(options)) return '';
	return domainIn(options, (value) => (isExpression(value) ? undefined : value));
}

function failureOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error instanceof CancelledError) return serviceError('ANSWER_TIMEOUT/list');
	return unexpected(error);
}

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
	const domain = editedDomain(context);
	const data = await host.readCredential();
	let access: ServiceAccess | undefined;
	try {
		const stored = toConnection(data);
		const connection = domain === undefined ? stored : withDomain(stored, domain);
		access = createAccess(host, connection, DESIGN_TIME_LIMITS);
		return await work(access);
	} catch (error) {
		const redactor = access ? redactorOf(access) : new Redactor([]);
		const shown = presentableError(failureOf(error), redactor);
		throw apiError(context.getNode(), shown.message, shown);
	}
}
