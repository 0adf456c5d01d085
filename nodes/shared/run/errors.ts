/** The errors of calls as the builder sees them: of one call, of several that were refused, and of each row of a sheet. */
import { type IDataObject, type NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import {
	describeProblems,
	type Found,
	InputError,
	type Path,
	rowsText,
	sentenceOf,
} from '../values/InputError';
import {
	CancelledError,
	type EarlierOutcome,
	messageOf,
	ServiceError,
	serviceError,
	type WriteOutcome,
} from '../errors/ServiceError';
import { sentences } from '../errors/words';
import { resendOption } from '../form/options';
import { callName, formatKeys, placeOf, rowsOf } from '../form/names';
import { apiError, isOfHost, SERVICE_SAYS, toToolError, withMessage } from '../host/errors';
import { isTool } from '../host/runs';
import { escapeXml } from '../soap/xml';
import { describeError } from '../messages/catalog';
import type { Action, CallOutcome } from './action';
import { type Redactor, serviceErrorData } from './redact';

type NodeError = NodeApiError | NodeOperationError;

/** Returns the error for one that nobody expected: a bug of this package. */
export function unexpected(thrown: unknown): ServiceError {
	return serviceError('UNEXPECTED', { message: messageOf(thrown), thrown });
}

/** Returns an error of a call, which says whether a write was applied. */
export function callError(error: unknown): CancelledError | InputError | ServiceError {
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
function resentIf(action: Pick<Action, 'effect'>): string {
	return 'isReadable' in action && action.isReadable === true
		? 'if reading shows that it is not there'
		: `if the option '${resendOption.displayName}' is on`;
}

/** What an error of an item adds that an earlier run wrote. */
const EARLIER: Readonly<Record<EarlierOutcome, string>> = {
	applied:
		'The run before applied this item, with the values that it had then. A retry with other values writes it again.',
	refused:
		'In the run before, the service gave a code for this item; usually nothing was written then. Look in the payroll service before you send it again.',
	unknown:
		'The run before may have applied this item, with the values that it had then: look in the payroll service before you send it again.',
};

/** Maximum characters of a title that lists several problems, or of a stack, and of what is said of a batch. */
const MAX_PROBLEMS = 3000;
const MAX_PROGRESS = 2000;

/** A call that failed. */
type FailedCall = Omit<CallOutcome, 'outcome'> & { readonly error: unknown };

/**
 * Converts any error of a call to the error that the builder sees: title, advice, request keys, item
 * index or rows, and the codes in the details. It has no reference to the failed request.
 */
function toNodeError(call: FailedCall, action: Action, redactor: Redactor): NodeError {
	const { earlier, error, items, keys } = call;
	const [first] = items;
	const { node } = first;
	const isWrite = action.effect === 'write';
	const rows = rowsText(rowsOf(action, items));
	// n8n adds "[item 0]" to a title for an item index.
	const place = rows === '' ? { itemIndex: first.index } : {};
	const outcome = isWrite && { outcome: earlier ?? outcomeOf(error) };
	if (error instanceof NodeOperationError && earlier === undefined) {
		error.context.itemIndex ??= place.itemIndex;
		error.context.data ??= { code: 'N8N_ERROR', ...outcome };
		return error;
	}
	const about = [formatKeys(action.request, keys), rows].filter(Boolean).join(', ');
	const ending =
		about === '' ? '' : redactor.clean(`${about.replace(/^r/, (first) => first.toUpperCase())}.`);
	const hasKeys = Object.keys(keys).length > 0;
	const request = hasKeys && { request: action.keysInItems(first, keys) };
	const before = earlier && EARLIER[earlier];
	if (error instanceof InputError || isOfHost(error)) {
		const isInput = error instanceof InputError;
		const problems = isInput ? error.problems : [];
		const found = problems.map((problem) => {
			return { problem, placeOf: (path: Path) => placeOf(action, items, path) };
		});
		const title = redactor.clean(describeProblems(found) || error.message, MAX_PROBLEMS);
		const nothing = earlier
			? 'Nothing was sent now'
			: `Nothing was ${isWrite ? 'written' : 'sent'} for this item`;
		const correct = `${nothing}. Correct the ${problems.length === 1 ? 'value' : 'values'}.`;
		const { description: own } = error as Error & { description?: string | null };
		const check = own ?? 'Check the values and expressions of this item.';
		const description = sentences(redactor.clean(isInput ? correct : check), before, ending);
		const nodeError = new NodeOperationError(node, title, { ...place, description });
		const code = isInput ? error.code : 'N8N_ERROR';
		nodeError.context.data = { code, ...request, ...outcome };
		return withMessage(nodeError, title);
	}
	const own = error instanceof ServiceError ? error : unexpected(error);
	const retry = `A retry of this execution sends it again only ${resentIf(action)}.`;
	const now = sentences(OUTCOMES[own.outcome], own.outcome === 'refused' ? retry : undefined);
	const written = before === undefined ? now : `Now nothing was applied. ${before}`;
	const data = serviceErrorData(own, redactor, isWrite ? written : undefined);
	const { message, description, ...codes } = data;
	// A model must not take the words of the service for those of the node.
	const quote = isTool(node) ? own.quote : undefined;
	const said = quote && `${SERVICE_SAYS}${JSON.stringify(redactor.clean(quote))}`;
	const nodeError = apiError(node, said ? 'The call failed' : message, {
		...place,
		description: sentences(description, ending, said),
		httpStatus: own.facts.httpStatus,
		level: own.facts.thrown === undefined ? undefined : 'error',
	});
	if (own.facts.thrown instanceof Error) {
		nodeError.stack = redactor.clean(own.facts.thrown.stack ?? '', MAX_PROBLEMS);
	}
	nodeError.context.data = { ...request, ...codes, ...outcome };
	return nodeError;
}

/** The codes of what the service says of the values of one call. */
const REFUSALS: ReadonlySet<string> = new Set(['FAULT_REFUSED', 'FAULT_CODED']);

/** Whether a call failed for its values, an expression, or what the service says of them, and wrote nothing. */
export function isRefusal(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return error instanceof InputError || isOfHost(error);
	return REFUSALS.has(error.code) && error.outcome === 'notApplied';
}

/**
 * Returns the error of a run of which several calls were refused, each for a reason of its own: all that is wrong,
 * by its causes; `undefined` if the first call that failed did so for another reason.
 */
function refusedError(
	calls: readonly CallOutcome[],
	failed: readonly FailedCall[],
	action: Action,
	redactor: Redactor,
): NodeError | undefined {
	// Of a run that stops at what the service refuses, it is up to chance how many calls that were.
	const hasStopped = calls.some(({ outcome }) => outcome === undefined);
	const refused = failed.filter(
		({ error }) => isRefusal(error) && !(hasStopped && error instanceof ServiceError),
	);
	const [first] = refused;
	const reasons = failed.map(({ error }) =>
		error instanceof ServiceError ? describeError(error)[0] : error,
	);
	const areSeveral = refused.length > 1 && new Set(reasons).size > 1;
	if (first === undefined || first !== failed[0] || !areSeveral) {
		return undefined;
	}
	const found = refused.flatMap(({ items, error }) => {
		const text = `: ${error instanceof ServiceError ? describeError(error)[0] : messageOf(error)}`;
		const message = { code: 'VALUE_INVALID', path: [], text } as const;
		const problems = error instanceof InputError ? error.problems : [message];
		const placeIn = (path: Path) => {
			const place = placeOf(action, items, path);
			if (place.rows.length > 0) return place;
			return {
				...place,
				quoted: [callName(action, items), place.quoted].filter(Boolean).join(': '),
			};
		};
		return problems.map((problem) => ({ problem, placeOf: placeIn }));
	});
	const title = redactor.clean(describeProblems(found), MAX_PROBLEMS);
	// The call of which it matters most what an earlier run wrote.
	const [{ earlier, items } = first] = (['unknown', 'refused', 'applied'] as const).flatMap(
		(outcome) => refused.find((call) => call.earlier === outcome) ?? [],
	);
	const isWrite = action.effect === 'write';
	const nothing = earlier
		? 'Nothing was sent now.'
		: `Nothing was ${isWrite ? 'written' : 'sent'} for these items.`;
	const description = sentences(
		`${nothing} Correct the values.`,
		earlier && `${callName(action, items)}: ${EARLIER[earlier]}`,
	);
	const codes = refused.map(({ error }) =>
		isOfHost(error) ? 'N8N_ERROR' : (error as InputError | ServiceError).code,
	);
	const isOneCode = new Set(codes).size === 1;
	// An item index would make n8n add "[item 0]" to the title.
	const error = new NodeOperationError(first.items[0].node, title, { description });
	error.context.data = {
		code: isOneCode ? codes[0] : 'VALUE_INVALID',
		...(isWrite && { outcome: earlier ?? 'notApplied' }),
	};
	return withMessage(error, title);
}

/** The keys that do not name the employee or company. */
const PERIOD = ['Year', 'Period'];

/** Maximum number of employees or companies named. */
const MAX_NAMED = 5;

/** Counts the input items of calls. */
const itemsOf = (calls: readonly CallOutcome[]) => calls.flatMap(({ items }) => items).length;

/** Names the subjects of calls that are known, for example ": Employee ID 1001, 1002 and 3 more". */
function names(calls: readonly CallOutcome[], request: Fields): string {
	const keys = calls.flatMap((call) => Object.keys(call.keys));
	const subject = keys.find((name) => !PERIOD.includes(name));
	if (subject === undefined) return '';
	const known = calls.filter((call) => Object.hasOwn(call.keys, subject));
	const values = new Set(known.map((call) => String(call.keys[subject])));
	const shown = formatKeys(request, { [subject]: [...values].slice(0, MAX_NAMED).join(', ') });
	const more = values.size > MAX_NAMED ? ` and ${values.size - MAX_NAMED} more` : '';
	return `: ${shown}${more}`;
}

const CHANGED = 'items whose values have changed';

/**
 * Describes what a batch of writes did before it failed, so that nobody sends applied writes again.
 *
 * @param subExecution names the execution if another workflow called this one, whose retry starts this one anew
 */
function describeProgress(
	calls: readonly CallOutcome[],
	{ error, items }: FailedCall,
	action: Action,
	subExecution: string | undefined,
): string {
	const ended = (wanted: WriteOutcome): CallOutcome[] =>
		calls.filter(({ outcome, earlier }) => {
			if (earlier !== undefined) return earlier === wanted;
			if (outcome === undefined) return wanted === 'notApplied';
			if (!outcome.ok) return outcomeOf(outcome.error) === wanted;
			return wanted === 'applied' && ['written', 'recalled'].includes(outcome.value.status);
		});
	const refused = ended('refused');
	const open = itemsOf(ended('notApplied'));
	const counted: string[] = [];
	for (const [some, what] of [
		[ended('applied'), 'were applied'],
		[ended('unknown'), 'may have been applied'],
		[refused, 'failed with a code of the service, and usually nothing is written then'],
	] as const) {
		const of = counted.length === 0 ? ` of ${itemsOf(calls)} items` : '';
		if (some.length === 0) continue;
		counted.push(`${itemsOf(some)}${of} ${what}${names(some, action.request)}.`);
	}
	const isSub = subExecution !== undefined;
	if (counted.length === 0 && !isSub) return 'No other item of this run was applied.';
	if (open > 0) counted.push(`${open === 1 ? '1 was' : `${open} were`} refused or not sent.`);
	const isDone = open + refused.length === 0;
	const mayChange = calls.some(({ earlier }) => earlier !== undefined);
	const sent = [
		open > 0 && (open === 1 ? 'that one' : `those ${open}`),
		refused.length > 0 && `what failed with a code ${resentIf(action)}`,
		CHANGED,
	];
	const execution = subExecution ?? 'this execution in n8n';
	const retry = isDone
		? `A retry of ${execution} sends ${mayChange ? `only ${CHANGED}` : 'nothing'}.`
		: `To continue, retry ${execution}${isSub ? '' : ', not an earlier one'}: the retry sends only ${sent.filter(Boolean).join(', and ')}.`;
	const anew = isSub
		? 'A retry of a workflow that called it, and a new execution, send all items again, also those of other calls.'
		: 'A new execution sends all items again.';
	// A retry would fail at the same row, and never reach the others.
	const rerun = 'rerun' in action ? action.rerun?.(items[0]) : undefined;
	const how = rerun ?? 'Leave out the items that were applied: they would be sent again.';
	const again = `correct the sheet and run it again. ${how}`;
	if (error instanceof InputError && !isSub) return [...counted, `To continue, ${again}`].join(' ');
	const isFault =
		error instanceof ServiceError && error.quote !== undefined && error.outcome !== 'unknown';
	if (!isFault) return [...counted, retry, anew].join(' ');
	const rows = rowsOf(action, items);
	const what = `${rowsText(rows) || 'the item'} ${rows.length > 1 ? 'are' : 'is'} wrong`;
	const otherwise = retry.replace(/^To continue, /, '').replace(/^A /, 'a ');
	const told = `If ${what}, ${again} Otherwise, ${otherwise}`;
	return sentences(...counted, told, isSub ? anew : '');
}

/**
 * Returns the error that ends a run, as its caller reads it: of the first call that failed, or of all that were
 * refused, and of a batch of writes how much was applied.
 *
 * @param subExecution names the execution if another workflow called this one
 */
export function runError(
	calls: readonly CallOutcome[],
	action: Action,
	redactor: Redactor,
	subExecution: string | undefined,
): NodeError {
	const failed = calls.flatMap(({ outcome, ...call }) => {
		return outcome?.ok === false ? [{ ...call, error: outcome.error }] : [];
	});
	const [first] = failed as [FailedCall];
	const [item] = first.items;
	const error =
		refusedError(calls, failed, action, redactor) ?? toNodeError(first, action, redactor);
	if (action.effect === 'write' && (item.isOneOfSeveral || subExecution !== undefined)) {
		const progress = describeProgress(calls, first, action, subExecution);
		error.description = [error.description, redactor.clean(progress, MAX_PROGRESS)].join(' ');
	}
	const ending = toToolError(item.node, error);
	// The editor renders descriptions as HTML; messages as text, and in its notifications as HTML.
	if (ending.description) ending.description = escapeXml(ending.description);
	return withMessage(ending, ending.message.replace(/<(?=[a-z/!])/gi, '‹'));
}

/**
 * Returns the JSON of the items of a failed call, one for each input item: the error is the first column of n8n's
 * table, before the item's input. A row of a sheet has its number beside its own columns, and the column, the value
 * and the problem, as far as the failure is about the row.
 *
 * For the error output, n8n expects `error` alone and puts the input before it: `handleNodeErrorOutput` in
 * `workflow-execute.ts` of n8n-core. The item's own property `error` must not be set: n8n would
 * drop the input.
 */
export function failedItems(call: FailedCall, action: Action, redactor: Redactor): IDataObject[] {
	const { error: failure, items } = call;
	const { message, description, context } = toNodeError(call, action, redactor);
	const words = description ? { message, description } : { message };
	const data: IDataObject = { ...words, ...(context.data as IDataObject | undefined) };
	const keys = Object.entries(Object(data.request) as IDataObject);
	const rows = rowsOf(action, items);
	const problems = failure instanceof InputError ? failure.problems : [];
	const byRow = new Map<string | undefined, Found[]>();
	for (const problem of problems) {
		const found: Found = { problem, placeOf: (path) => placeOf(action, items, path) };
		const { rows: own } = found.placeOf(problem.path);
		for (const row of own.length === 0 ? rows : own) {
			byRow.set(row, [...(byRow.get(row) ?? []), found]);
		}
	}
	const otherRows = `Not written, since ${rowsText([...byRow.keys()].map(String))} cannot be used.`;
	return items.map(({ json: input, node: { onError } }, i) => {
		const [first, ...others] = byRow.get(rows[i]) ?? [];
		const row: IDataObject = { row: Number(rows[i]), column: null, value: null };
		if (first === undefined) row.problem = problems.length > 0 ? otherRows : message;
		else {
			const { value = null, path, column = path } = first.problem;
			const unnamed = { ...first, problem: { ...first.problem, shown: '' } };
			const what = sentenceOf(unnamed, { rows: [], column: '', quoted: '' });
			const more = others.map((other) => {
				return sentenceOf(other, { ...other.placeOf(other.problem.path), rows: [] });
			});
			const said = [what, ...more].map((text) =>
				text
					.replace(/^:? /, '')
					.replace(/^./, (letter) => letter.toUpperCase())
					.replace(/(?<![.!?…])$/, others.length > 0 ? '.' : ''),
			);
			row.column = first.placeOf(column).column || null;
			row.value = value as IDataObject[string];
			row.problem = redactor.clean(sentences(...said), MAX_PROBLEMS);
		}
		if (rows.length === 0) {
			const own = { error: data };
			return onError === 'continueErrorOutput' ? own : { ...own, ...input, ...own };
		}
		const error = { ...data, ...row };
		if (onError === 'continueErrorOutput') return { error };
		// As in the other items of a sheet, whom it is about comes first, and the period last. The row stands first
		// for its place, and again because the input may have columns of the same names.
		const whom = Object.fromEntries(keys.slice(0, 1));
		const period = keys.slice(1).filter(([name]) => !Object.hasOwn(input, name));
		return { ...whom, ...row, ...input, ...row, ...Object.fromEntries(period), error };
	});
}
