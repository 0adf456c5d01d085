import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Effect } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { ServiceError, type WriteOutcome } from '../errors/ServiceError';

export type NodeError = NodeApiError | NodeOperationError;

const OUTCOME: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
};

/** Anything that looks like a JSON web token, or stands behind `Bearer` or `Basic`. */
const WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const CREDENTIALS = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;

/** What a text would do to whoever shows it: control characters, turned reading direction. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** The longest title or description, and the longest details, in characters. */
const MAX_MESSAGE = 1000;
const MAX_DETAILS = 10_000;

/** Removes values that nobody may read from a text. */
function redact(text: string, secrets: readonly string[]): string {
	return secrets.reduce((clean, secret) => {
		if (secret === '') return clean;
		const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		// As a word of its own, so that a short domain does not blacken half the message.
		return clean.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '***');
	}, text);
}

/**
 * A text as it may be shown: without secrets and invisible characters, and not longer than `max`.
 * It may come from the service, so it is cut before anything is looked for that takes time.
 */
function shown(text: string, secrets: readonly string[], max: number): string {
	const clean = redact(text, secrets).replace(/\r\n?/g, '\n');
	const cut = clean.length > max ? `${clean.slice(0, max)}…` : clean;
	return cut
		.replace(WEB_TOKEN, '***')
		.replace(CREDENTIALS, '$1$2***')
		.replace(INVISIBLE, '\ufffd')
		.toWellFormed();
}

/**
 * Turns whatever ended an item into the error that the builder sees: a title, what to do, the item,
 * and the service's code and status in the details. It keeps no link to the failed request.
 */
export function toNodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	effect: Effect,
	secrets: readonly string[],
): NodeError {
	const node = context.getNode();
	if (error instanceof InputError) {
		return new NodeOperationError(node, shown(error.message, secrets, MAX_MESSAGE), {
			itemIndex,
			description: 'Nothing was sent for this item. Correct the value and run it again.',
		});
	}
	if (error instanceof ServiceError) {
		const clean = (text: string | undefined, max = MAX_MESSAGE): string =>
			shown(text ?? '', secrets, max);
		const outcome = effect === 'write' ? OUTCOME[error.outcome] : '';
		const message = clean(error.message);
		const data = {
			...(error.serviceCode === undefined ? {} : { serviceCode: error.serviceCode }),
			...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
			...(error.details === undefined ? {} : { details: clean(error.details, MAX_DETAILS) }),
			...(effect === 'write' ? { outcome: error.outcome } : {}),
		};
		const nodeError = new NodeApiError(
			node,
			{ message },
			{
				itemIndex,
				message,
				description: [clean(error.description), outcome].filter(Boolean).join(' '),
				...(error.httpStatus === undefined ? {} : { httpCode: String(error.httpStatus) }),
			},
		);
		nodeError.context.data = data;
		return nodeError;
	}
	if (error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const message = error instanceof Error ? error.message : 'The item could not be processed';
	return new NodeOperationError(node, shown(message, secrets, MAX_MESSAGE), { itemIndex });
}

/** An error as data, for an item: what the builder sees, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
