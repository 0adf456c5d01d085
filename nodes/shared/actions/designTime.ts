import { NodeApiError, type ILoadOptionsFunctions, type INode } from 'n8n-workflow';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { editedDomain } from '../form/editor';
import { presentableError } from '../run/errors';
import {
	readCredential,
	secretsOf,
	toConnection,
	tokensOf,
	withDomain,
	type Connection,
} from '../transport/connection';
import { derive } from '../transport/context';
import { createExchange, type Exchange } from '../transport/exchange';
import type { Limits } from '../transport/send';
import { sessionOf } from '../transport/session';
import { Tally } from '../transport/tally';

/** How long a list may take with its retries, pauses and a renewal of the token, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Bounds of one attempt. Its own time never ends first: the advice on that is about a run. */
const LIMITS: Limits = { timeoutMs: 2 * PATIENCE_MS, maxBytes: 8 * 2 ** 20 };

/** The error for the editor: unlike any other, its description is shown there, too. */
function editorError(
	node: INode,
	{ message, description, httpStatus }: ServiceError,
): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			...(description !== undefined && { description }),
			...(httpStatus !== undefined && { httpCode: String(httpStatus) }),
		},
	);
	// n8n puts a text of its own in its place where it finds a code of Node in it.
	error.message = message;
	return error;
}

function failureOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error instanceof CancelledError) {
		return new ServiceError('reading', 'The payroll service did not answer in time', {
			description: 'Open the list again later, or enter the value By ID.',
		});
	}
	return new ServiceError('reading', error instanceof Error ? error.message : String(error));
}

/**
 * Does something with the service while a builder fills in the form of a node, for example reads a
 * list to choose from. The session, the masking of secrets and the bounds of a run hold here, too;
 * the Domain is the one that a run would use.
 *
 * @param work may throw what a run may throw
 * @throws {NodeApiError} with what the builder should know
 */
export async function atDesignTime<T>(
	context: ILoadOptionsFunctions,
	work: (exchange: Exchange, connection: Connection) => Promise<T>,
): Promise<T> {
	const patience = AbortSignal.timeout(PATIENCE_MS);
	const own = derive(context, { getExecutionCancelSignal: () => patience });
	const domain = editedDomain(context);
	const data = await readCredential(own);
	try {
		const stored = toConnection(data);
		const connection = domain === undefined ? stored : withDomain(stored, domain);
		return await work(createExchange(own, connection, LIMITS, new Tally()), connection);
	} catch (error) {
		const secrets = [...secretsOf(data), domain ?? '', sessionOf(own, tokensOf(data)).token ?? ''];
		throw editorError(context.getNode(), presentableError(failureOf(error), secrets));
	}
}
