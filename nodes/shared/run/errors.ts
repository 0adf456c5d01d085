import {
	ApplicationError,
	BaseError,
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
} from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { fill, joined, texts, type Text } from '../errors/catalogue';
import { describeProblems, InputError, type Path } from '../errors/InputError';
import type { WriteOutcome } from '../errors/outcomes';
import { CancelledError, ServiceError, unexpected } from '../errors/ServiceError';
import type { InputItem, InputItems } from '../form/inputItem';
import { formatKeys, itemOf, valueName, type OperationForm } from '../form/valueNames';
import { isTool, withMessage } from '../host/workarounds';
import { withoutTrace } from '../soap/fault';
import type { Action } from './action';
import type { Redactor } from './redact';

export type NodeError = NodeApiError | NodeOperationError;

/** An error that says whether a write was applied. */
type CallError = CancelledError | InputError | ServiceError;

/** Returns an error of a call; one that nobody expected as the error that says so. */
export function callError(error: unknown): CallError {
	const isExpected =
		error instanceof CancelledError || error instanceof InputError || error instanceof ServiceError;
	return isExpected ? error : unexpected(error);
}

/** Whether an error is n8n's own. It throws them for expressions, before a call is sent. */
function isOfHost(error: unknown): error is ApplicationError | BaseError {
	return error instanceof ApplicationError || error instanceof BaseError;
}

/** Returns whether a write that failed with this error was applied. */
export function outcomeOf(error: unknown): WriteOutcome {
	return isOfHost(error) ? 'notApplied' : callError(error).outcome;
}

const OUTCOME: Readonly<Record<WriteOutcome, Text>> = {
	notApplied: texts.endings.notApplied,
	unknown: texts.endings.unknown,
};

/**
 * Maximum lengths, in characters: of a title or description, of a title that lists several
 * problems, and of details.
 */
const MAX_MESSAGE = 1000;
const MAX_PROBLEMS = 3000;
const MAX_DETAILS = 4000;

/** Returns a copy of an error with truncated texts and masked secrets, safe to show and store. */
export function presentableError(error: ServiceError, redactor: Redactor): ServiceError {
	const clean = <T extends string | undefined>(text: T, max = MAX_MESSAGE): T =>
		(text === undefined ? text : redactor.clean(text, max)) as T;
	return new ServiceError(error.kind, clean(error.message), {
		...error,
		description: clean(error.description),
		serviceCode: clean(error.serviceCode),
		details: clean(error.details, MAX_DETAILS),
		cause: undefined,
	});
}

/**
 * Returns a failure as data for an item that reports it, with secrets masked: title, advice, and
 * codes to branch on.
 */
export function failureData(error: ServiceError, redactor: Redactor, effect: Effect = 'read') {
	const shown = presentableError(error, redactor);
	const { message, description, serviceCode, httpStatus, details, outcome } = shown;
	// For a write, this advice depends on the outcome.
	const again = shown.isTransient ? texts.endings.transient : undefined;
	return {
		message,
		description: joined(description, effect === 'write' ? OUTCOME[outcome] : again),
		...(serviceCode !== undefined && { serviceCode }),
		...(httpStatus !== undefined && { httpStatus }),
		...(details !== undefined && { details: withoutTrace(details) }),
		...(effect === 'write' && { outcome }),
	};
}

/**
 * Converts any error of an item to the error that the builder sees: title, advice, request keys,
 * item index, and the service's code and status in the details. It has no reference to the failed
 * request.
 *
 * @param item the input item of the error, unless the faulty value is in another item
 * @param keys the request keys (employee or company, and period), by element name
 * @param items all input items of the call
 */
export function toNodeError(
	error: unknown,
	item: InputItem,
	action: OperationForm & Pick<Action, 'effect' | 'keysInItems'>,
	keys: IDataObject,
	redactor: Redactor,
	items: InputItems = [item],
): NodeError {
	const { node, index: itemIndex } = item;
	if (error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const about = formatKeys(action.request, keys);
	const request = about === '' ? {} : { request: action.keysInItems(item, keys) };
	const ending = about === '' ? '' : redactor.clean(`${about}.`, MAX_MESSAGE);
	const withRequest = (advice: string): string => [advice, ending].filter(Boolean).join(' ');
	const operationError = (message: string, advice: string, index = itemIndex): NodeError => {
		const title = redactor.clean(message, MAX_PROBLEMS);
		const description = withRequest(redactor.clean(advice, MAX_MESSAGE));
		const nodeError = new NodeOperationError(node, title, { itemIndex: index, description });
		nodeError.context.data = request;
		return withMessage(nodeError, title);
	};
	if (isOfHost(error)) {
		const { message, description } = error as { message: string; description?: string | null };
		return operationError(message, description ?? texts.invalid.expression.advice);
	}
	if (error instanceof InputError) {
		const { problems } = error;
		const title = describeProblems(problems, (path: Path) => valueName(action, items, path));
		const { advice } = problems.length === 1 ? texts.invalid.value : texts.invalid.values;
		const done = action.effect === 'write' ? 'written' : 'sent';
		const at = itemOf(action.request, items, problems[0]?.path ?? []);
		return operationError(title, fill(advice, { done }), at?.index);
	}
	const own = error instanceof ServiceError ? error : unexpected(error);
	const { message, description, ...data } = failureData(own, redactor, action.effect);
	const nodeError = new NodeApiError(
		node,
		{ message },
		{
			itemIndex,
			message,
			description: withRequest(description),
			...(own.httpStatus !== undefined && { httpCode: String(own.httpStatus) }),
			...(own.cause !== undefined && { level: 'error' as const }),
		},
	);
	// n8n logs the stack of an error of this level.
	if (own.cause instanceof Error) {
		nodeError.stack = redactor.clean(own.cause.stack ?? '', MAX_DETAILS);
	}
	nodeError.context.data = { ...request, ...data };
	return withMessage(nodeError, message);
}

/**
 * Prepares an error for its caller. n8n often passes only the message to an AI model, so for a tool
 * the advice and the outcome of a write are appended to the message.
 */
export function toToolError(node: INode, error: NodeError): NodeError {
	if (!error.description || !isTool(node)) return error;
	// n8n keeps the message of this class and wraps any other error.
	const toolError = withMessage(
		new NodeOperationError(node, error),
		`${error.message.replace(/\.$/, '')}. ${error.description}`,
	);
	toolError.description = null;
	toolError.context = error.context;
	return toolError;
}

/** Returns an error as data for an item: message, description, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
