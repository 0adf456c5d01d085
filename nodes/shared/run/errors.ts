import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Effect } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { ServiceError, type WriteOutcome } from '../errors/ServiceError';
import { presentable } from './redact';

export type NodeError = NodeApiError | NodeOperationError;

const OUTCOME: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
};

/** The longest title or description, and the longest details, in characters. */
const MAX_MESSAGE = 1000;
const MAX_DETAILS = 4000;

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
		return new NodeOperationError(node, presentable(error.message, secrets, MAX_MESSAGE), {
			itemIndex,
			description: 'Nothing was sent for this item. Correct the value and run it again.',
		});
	}
	if (error instanceof ServiceError) {
		const clean = (text: string | undefined, max = MAX_MESSAGE): string =>
			presentable(text ?? '', secrets, max);
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
	return new NodeOperationError(node, presentable(message, secrets, MAX_MESSAGE), { itemIndex });
}

/** An error as data, for an item: what the builder sees, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
