import { type IDataObject, type NodeApiError, NodeOperationError } from 'n8n-workflow';
import { REPORTED, SERVICE_SAYS } from '../errors/advice';
import { describeProblems, InputError, type Path, rowsText } from '../errors/InputError';
import { unexpected } from '../errors/catalog';
import {
	CancelledError,
	type EarlierOutcome,
	ServiceError,
	type WriteOutcome,
} from '../errors/ServiceError';
import { sentences } from '../errors/words';
import type { InputItems } from '../form/inputItem';
import { resendOption } from '../form/options';
import { formatKeys, type OperationForm, placeOf, rowsOf } from '../form/names';
import { apiError, isOfHost, withMessage } from '../host/errors';
import { isTool } from '../host/runs';
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

/** Returns whether a write that failed with this error was applied. */
export function outcomeOf(error: unknown): WriteOutcome {
	return isOfHost(error) ? 'notApplied' : callError(error).outcome;
}

const OUTCOMES: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	refused: 'The service gave a code; usually nothing was written then.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
	applied: 'The change was applied: a retry of this execution does not send it again.',
};

/** When a retry sends again what the service refused with a code. */
export function resentIf(action: Pick<Action, 'effect'>): string {
	return 'isReadable' in action && action.isReadable === true
		? 'if reading shows that it is not there'
		: `if the option '${resendOption.displayName}' is on`;
}

/** What an error of an item adds that an earlier run wrote. */
export const EARLIER: Readonly<Record<EarlierOutcome, string>> = {
	applied:
		'The run before applied this item, with the values that it had then. A retry with other values writes it again.',
	refused:
		'In the run before, the service gave a code for this item; usually nothing was written then. Look in the payroll service before you send it again.',
	unknown:
		'The run before may have applied this item, with the values that it had then: look in the payroll service before you send it again.',
};

/**
 * Maximum lengths, in characters: of a title or description, of a title that lists several
 * problems, and of details.
 */
const MAX_MESSAGE = 1000;
export const MAX_PROBLEMS = 3000;
const MAX_DETAILS = 4000;

/** Returns a copy of an error with truncated texts and masked secrets, safe to show and store. */
export function presentableError(error: ServiceError, redactor: Redactor): ServiceError {
	const clean = (text: string | undefined, max = MAX_MESSAGE) => text && redactor.clean(text, max);
	return error.with({
		message: redactor.clean(error.message, MAX_MESSAGE),
		description: clean(error.description),
		serviceCode: clean(error.serviceCode),
		details: clean(error.details, MAX_DETAILS),
	});
}

/**
 * Returns a failed call as data for an item that reports it, with secrets masked: title, advice, and
 * codes to branch on.
 *
 * @param earlier what an earlier run wrote for the items, if the call wrote nothing
 */
export function serviceErrorData(
	error: ServiceError,
	redactor: Redactor,
	action: Pick<Action, 'effect'> = { effect: 'read' },
	earlier?: EarlierOutcome,
) {
	const shown = presentableError(error, redactor);
	const { code, message, description, serviceCode, httpStatus, details, outcome } = shown;
	const { effect } = action;
	// For a write, this advice depends on the outcome.
	const again = shown.isTransient ? 'Run it again later.' : '';
	const retry = `A retry of this execution sends it again only ${resentIf(action)}.`;
	const written =
		earlier === undefined
			? sentences(OUTCOMES[outcome], outcome === 'refused' ? retry : undefined)
			: `Now nothing was applied. ${EARLIER[earlier]}`;
	return {
		code,
		message,
		description: sentences(description, effect === 'write' ? written : again),
		...(serviceCode !== undefined && { serviceCode }),
		...(httpStatus !== undefined && { httpStatus }),
		...(details !== undefined && { details: withoutTrace(details) }),
		...(effect === 'write' && { outcome: earlier ?? outcome }),
	};
}

/** What the error of a call tells about the call. */
interface CallDescription {
	/** The input items of the call. */
	readonly items: InputItems;
	readonly action: OperationForm & Pick<Action, 'keysInItems'>;
	/** The request keys (employee or company, and period), by element name. */
	readonly keys: IDataObject;
	readonly redactor: Redactor;
	/** What an earlier run wrote for the items, if the call wrote nothing. */
	readonly earlier: EarlierOutcome | undefined;
}

/** Returns the title, the advice and the code of an error that occurred before anything was sent. */
function beforeSending(error: Error, { items, action, earlier }: CallDescription) {
	if (!(error instanceof InputError)) {
		const { message, description } = error as Error & { description?: string | null };
		const advice = description ?? 'Check the values and expressions of this item.';
		return { code: 'N8N_ERROR', message, advice };
	}
	const { code, problems } = error;
	const place = (path: Path) => placeOf(action, items, path);
	const message = describeProblems(problems.map((problem) => ({ problem, placeOf: place })));
	const done = action.effect === 'write' ? 'written' : 'sent';
	const values = problems.length === 1 ? 'value' : 'values';
	const nothing = earlier ? 'Nothing was sent now' : `Nothing was ${done} for this item`;
	const advice = `${nothing}. Correct the ${values}.`;
	return { code, message, advice };
}

/**
 * Converts any error of a call to the error that the builder sees: title, advice, request keys, item
 * index or rows, and the codes in the details. It has no reference to the failed request.
 */
export function toNodeError(error: unknown, call: CallDescription): NodeError {
	const { action, earlier, keys, redactor } = call;
	const [first] = call.items;
	const { node } = first;
	const rows = rowsText(rowsOf(action, call.items));
	// n8n adds "[item 0]" to a title for an item index.
	const place = rows === '' ? { itemIndex: first.index } : {};
	const outcome = action.effect === 'write' && { outcome: earlier ?? outcomeOf(error) };
	if (error instanceof NodeOperationError && earlier === undefined) {
		error.context.itemIndex ??= place.itemIndex;
		error.context.data ??= { code: 'N8N_ERROR', ...outcome };
		return error;
	}
	const about = [formatKeys(action.request, keys), rows].filter(Boolean).join(', ');
	const hasKeys = Object.keys(keys).length > 0;
	const request = hasKeys && { request: action.keysInItems(first, keys) };
	const ending =
		about === ''
			? ''
			: redactor.clean(`${about.replace(/^r/, (one) => one.toUpperCase())}.`, MAX_MESSAGE);
	if (isOfHost(error) || error instanceof InputError) {
		const { code, message, advice } = beforeSending(error, call);
		const title = redactor.clean(message, MAX_PROBLEMS);
		const written = earlier && EARLIER[earlier];
		const description = sentences(redactor.clean(advice, MAX_MESSAGE), written, ending);
		const nodeError = new NodeOperationError(node, title, { ...place, description });
		nodeError.context.data = { code, ...request, ...outcome };
		return withMessage(nodeError, title);
	}
	const own = error instanceof ServiceError ? error : unexpected(error);
	const { message, description, ...data } = serviceErrorData(own, redactor, action, earlier);
	// A model must not take the words of the service for those of the node.
	const isQuoted = own.isQuote && isTool(node);
	const said = isQuoted
		? `${SERVICE_SAYS}${JSON.stringify(message.replace(REPORTED, ''))}`
		: undefined;
	const nodeError = apiError(node, isQuoted ? 'The call failed' : message, {
		...place,
		description: sentences(description, ending, said),
		httpStatus: own.httpStatus,
		level: own.cause === undefined ? undefined : 'error',
	});
	if (own.cause instanceof Error) {
		nodeError.stack = redactor.clean(own.cause.stack ?? '', MAX_DETAILS);
	}
	nodeError.context.data = { ...request, ...data };
	return nodeError;
}

/** Returns an error as data for an item: message, description, and codes to branch on. */
export function errorData(error: NodeError): IDataObject {
	return {
		message: error.message,
		...(error.description ? { description: error.description } : {}),
		...(error.context.data as IDataObject | undefined),
	};
}
