/** The errors of n8n (1.123 and 2.41). Lines of sources are those of 2.41.1. */
import {
	ApplicationError,
	BaseError,
	NodeApiError,
	NodeOperationError,
	type INode,
} from 'n8n-workflow';
import { readable } from '../errors/words';
import { isTool } from './runs';

/** What stands before the words of the service, in quotes: a model must not take them for the node's. */
export const SERVICE_SAYS = 'The service says: ';

/** Whether an error is n8n's own. It throws them for expressions, before a call is sent. */
export function isOfHost(error: unknown): error is ApplicationError | BaseError {
	return error instanceof ApplicationError || error instanceof BaseError;
}

/**
 * Restores an error's message. n8n replaces a message that contains a Node.js error code: for ECONNRESET
 * with "You can retry the request immediately", even for a write. "EmployeeExists" contains EEXIST. See
 * `node.error.ts` of n8n-workflow, line 186.
 */
export function withMessage<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}

interface ApiErrorFields {
	readonly description?: string | undefined;
	readonly httpStatus?: number | undefined;
	readonly itemIndex?: number | undefined;
	/** n8n logs the stack of an error of the level `error`. */
	readonly level?: 'error' | undefined;
}

/**
 * Creates the one class of error whose description the editor shows, also for its lists:
 * `sendErrorResponse` in `response-helper.ts` of its server, line 83.
 */
export function apiError(
	node: INode,
	message: string,
	{ description, httpStatus, itemIndex, level }: ApiErrorFields,
): NodeApiError {
	const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
	const options = { message, description, httpCode, itemIndex, level };
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	return withMessage(new NodeApiError(node, { message }, Object.fromEntries(given)), message);
}

/** Returns a text without what it says of a retry: a model makes none, and n8n offers none of an execution that went on. */
export const withoutRetry = (text: string): string =>
	text.replace(/(?:\.|:) a retry of this execution[^.]*(?=\.)/gi, '');

/**
 * Prepares an error for its caller. n8n often passes only the message to an AI model, so for a tool
 * the advice and the outcome of a write are appended to the message. Whether a protection is turned off, or a change
 * in doubt sent again, is a person's decision there, and the credential and the options are the builder's. A model retries no execution.
 * n8n keeps a `NodeOperationError`, and wraps any other error: `makeHandleToolInvocation` in
 * `get-input-connection-data.ts` of n8n-core, line 233.
 */
export function toToolError(
	node: INode,
	error: NodeApiError | NodeOperationError,
): NodeApiError | NodeOperationError {
	if (!isTool(node)) return error;
	const { message, description } = error;
	const text = description ? `${message.replace(/\.$/, '')}. ${description}` : message;
	const [own = '', ...said] = readable(text).split(SERVICE_SAYS);
	let ours = withoutRetry(own)
		.replace(/ before you send it again\b/, ', and ask the user$&')
		.replace(/\bturn (?:on|off)(?= ')/g, 'ask the user whether to $&')
		.replace(/\bTurn (on|off)(?= ')/g, 'Ask the user whether to turn $1');
	const isForBuilder = /\bthe credential\b|\bthe node's options\b|\bthe option '/i.test(ours);
	if (isForBuilder && !/\bask the user whether\b/i.test(ours)) {
		ours = `${ours.trimEnd()} You cannot change that: ask the user. `;
	}
	const forModel = [ours, ...said].join(SERVICE_SAYS).trimEnd();
	const toolError = withMessage(new NodeOperationError(node, error), forModel);
	toolError.description = null;
	toolError.context = error.context;
	return toolError;
}

/**
 * Returns the code of a failed request, for example `ECONNREFUSED`. n8n wraps the original error: 2.41
 * keeps it as the cause, 1.123 only keeps its code, as `httpCode`, which otherwise is an HTTP status.
 */
export function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, httpCode, cause } = link as Record<string, unknown>;
		const found = [code, httpCode].find((text) => typeof text === 'string' && !/^\d+$/.test(text));
		if (found !== undefined) return found as string;
		link = cause;
	}
	return undefined;
}
