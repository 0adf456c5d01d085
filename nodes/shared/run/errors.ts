import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Effect } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { ServiceError, type WriteOutcome } from '../errors/ServiceError';
import { escapeXml } from '../soap/xml';

export type NodeError = NodeApiError | NodeOperationError;

const OUTCOME: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
};

/** Anything that looks like a JSON web token, also a cut one, or stands behind `Bearer` or `Basic`. */
const TOKEN = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}|(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/g;

const URL_ENCODED = /(?:[\w.~+=&/:-]|%[\dA-F]{2})*%[\dA-F]{2}(?:[\w.~+=&/:-]|%[\dA-F]{2})*/gi;
const BASE64 = /[\w+/-]{6,}={0,2}/g;

/** Removes values that nobody may read, where they stand as they are. */
function redactPlain(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(clean, secret) => {
			if (secret === '') return clean;
			const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			// As a word of its own, so that a short domain does not blacken half the message.
			return clean.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), '***');
		},
		text.replace(TOKEN, '***'),
	);
}

function urlDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** What a run of base64 characters says, wherever in it the first group of four begins. */
function base64Decoded(run: string): string[] {
	return [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1'));
}

/**
 * Removes values that nobody may read from a text the service sent back: as they are, escaped for
 * XML, URL-encoded, and in base64.
 */
function redact(text: string, secrets: readonly string[]): string {
	// A service that quotes the envelope it was sent shows the domain as it was written there.
	const known = [...secrets, ...secrets.map(escapeXml)];
	const tells = (decoded: string): boolean => redactPlain(decoded, known) !== decoded;
	const inBase64 = (run: string): string => (base64Decoded(run).some(tells) ? '***' : run);
	const plain = (part: string): string => redactPlain(part, known).replace(BASE64, inBase64);
	return plain(text).replace(URL_ENCODED, (run) => {
		// In a form, a blank stands as "+".
		const decoded = [run, run.replace(/\+/g, '%20')].map(urlDecoded);
		return decoded.every((words) => plain(words) === words) ? run : '***';
	});
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
		return new NodeOperationError(node, error.message, {
			itemIndex,
			description: 'Nothing was sent for this item. Correct the value and run it again.',
		});
	}
	if (error instanceof ServiceError) {
		const clean = (text: string | undefined): string => redact(text ?? '', secrets);
		const outcome = effect === 'write' ? OUTCOME[error.outcome] : '';
		const message = clean(error.message);
		const data = {
			...(error.serviceCode === undefined ? {} : { serviceCode: error.serviceCode }),
			...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
			...(error.details === undefined ? {} : { details: clean(error.details) }),
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
	return new NodeOperationError(node, redact(message, secrets), { itemIndex });
}

/** An error as data, for an item: what the builder sees, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
