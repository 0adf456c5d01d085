import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { describeProblems, InputError, type Path } from '../errors/InputError';
import type { WriteOutcome } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import { takesItems } from '../form/items';
import { requestList } from '../form/requestForm';
import { isGivenAsJson } from '../form/requestValues';
import { itemOf, keysInWords, valueName, type GivenValues } from '../form/valueNames';
import type { Action } from './action';
import { presentable } from './redact';
import { isTool } from './tool';

export type NodeError = NodeApiError | NodeOperationError;

const OUTCOME: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
	applied:
		'The service carried the call out. If it changes data, that is done: do not send it again only to read the answer.',
};

/** Only for a call that reads: of a write, the outcome says what to do. */
const LATER = 'Run it again later.';

const UNEXPECTED = 'This was not expected. Look at the values and expressions of this item.';

/** The longest title or description, also of several faulty values, and the longest details, in characters. */
const MAX_MESSAGE = 1000;
const MAX_PROBLEMS = 3000;
const MAX_DETAILS = 4000;

/** What a failed call tells: a title, what to do, and codes to branch on. */
interface Told {
	readonly message: string;
	readonly description: string;
	readonly data: IDataObject;
}

/** What a failed call tells, as it may be shown. */
function tell(error: ServiceError, effect: Effect, secrets: readonly string[]): Told {
	const clean = (text: string | undefined, max = MAX_MESSAGE): string =>
		presentable(text ?? '', secrets, max);
	const again = error.passing ? LATER : '';
	const outcome = effect === 'write' ? OUTCOME[error.outcome] : again;
	return {
		message: clean(error.message),
		description: [clean(error.description), outcome].filter(Boolean).join(' '),
		data: {
			...(error.serviceCode === undefined ? {} : { serviceCode: error.serviceCode }),
			...(error.httpStatus === undefined ? {} : { httpStatus: error.httpStatus }),
			...(error.details === undefined ? {} : { details: clean(error.details, MAX_DETAILS) }),
			...(effect === 'write' ? { outcome: error.outcome } : {}),
		},
	};
}

/** The same error, as it may be shown and kept. */
export function presentableError(error: ServiceError, secrets: readonly string[]): ServiceError {
	const { kind, message, description, httpStatus, serviceCode, details, passing } = error;
	const clean = (text: string, max: number): string => presentable(text, secrets, max);
	return new ServiceError(kind, clean(message, MAX_MESSAGE), {
		description: description === undefined ? undefined : clean(description, MAX_MESSAGE),
		details: details === undefined ? undefined : clean(details, MAX_DETAILS),
		httpStatus,
		serviceCode,
		passing,
	});
}

/** The failure of a reading call as data, where it ends nothing and is part of an item. */
export function failureData(error: ServiceError, secrets: readonly string[]): IDataObject {
	const { message, description, data } = tell(error, 'read', secrets);
	return { message, description, ...data };
}

/** How the values of a call were given, for the names of those that are not allowed. */
function givenValues(
	context: IExecuteFunctions,
	{ request, keys, properties }: Pick<Action, 'request' | 'keys' | 'properties'>,
	items: readonly number[],
): GivenValues {
	const [first = 0] = items;
	const list = requestList(request);
	const isJson = (element: string): boolean => isGivenAsJson(context, element, first);
	const common = { request, keys, properties, isJson };
	return list !== undefined && takesItems(context, list) ? { ...common, items } : common;
}

/**
 * Gives an error its message back. Where n8n finds a code of Node in it, it puts its own in its place:
 * for ECONNRESET "You can retry the request immediately", also of a write; "EmployeeExists" holds EEXIST.
 */
function withMessage<E extends NodeError>(error: E, message: string): E {
	error.message = message;
	return error;
}

/**
 * Turns whatever ended an item into the error that the builder sees: a title, what to do, whom and
 * when it is about, the item, and the service's code and status in the details. It keeps no link to
 * the failed request.
 *
 * @param itemIndex the input item that the error is for, unless another one holds the value
 * @param keys whom and when the call was about, by the service's own names
 * @param items all input items of the call
 */
export function toNodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
	action: Pick<Action, 'effect' | 'request' | 'keys' | 'properties'>,
	keys: IDataObject,
	secrets: readonly string[],
	items: readonly number[] = [itemIndex],
): NodeError {
	const { effect, request } = action;
	const node = context.getNode();
	const clean = (text: string, max = MAX_MESSAGE): string => presentable(text, secrets, max);
	const words = keysInWords(request, keys);
	const withPlace = (text: string): string =>
		[text, words === '' ? '' : clean(`${words}.`)].filter(Boolean).join(' ');
	const place = words === '' ? {} : { request: keys };
	if (error instanceof ServiceError) {
		const { message, description, data } = tell(error, effect, secrets);
		const nodeError = new NodeApiError(
			node,
			{ message },
			{
				itemIndex,
				message,
				description: withPlace(description),
				...(error.httpStatus === undefined ? {} : { httpCode: String(error.httpStatus) }),
			},
		);
		nodeError.context.data = { ...place, ...data };
		return withMessage(nodeError, message);
	}
	if (error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const operationError = (message: string, advice: string, index: number): NodeOperationError => {
		const title = clean(message, MAX_PROBLEMS);
		const description = withPlace(clean(advice));
		const nodeError = new NodeOperationError(node, title, { itemIndex: index, description });
		nodeError.context.data = place;
		return withMessage(nodeError, title);
	};
	if (error instanceof InputError) {
		const { problems } = error;
		const given = givenValues(context, action, items);
		const title = describeProblems(problems, (path: Path) => valueName(given, path));
		const advice = `Nothing was ${effect === 'write' ? 'written' : 'sent'} for this item. Correct the value${problems.length === 1 ? '' : 's'}.`;
		return operationError(title, advice, itemOf(given, problems[0]?.path ?? []) ?? itemIndex);
	}
	const { description } = Object(error) as { description?: unknown };
	return operationError(
		error instanceof Error ? error.message : 'The item could not be processed',
		typeof description === 'string' ? description : UNEXPECTED,
		itemIndex,
	);
}

/**
 * The error of a node that a model may have called: n8n hands a model the message and often nothing
 * else, so a tool's says what to do as well, and whether a change was applied.
 */
export function toldToCaller(context: IExecuteFunctions, error: NodeError): NodeError {
	if (!error.description || !isTool(context)) return error;
	// Of this class n8n keeps the message; any other error it would wrap.
	const told = withMessage(
		new NodeOperationError(context.getNode(), error),
		`${error.message.replace(/\.$/, '')}. ${error.description}`,
	);
	told.description = null;
	told.context = error.context;
	return told;
}

/** An error as data, for an item: what the builder sees, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
