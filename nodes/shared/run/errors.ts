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
import { formatKeys } from '../form/fields';
import { isUsed } from '../form/mapping/rows';
import { callName, placeOf, rowsOf } from '../form/places';
import {
	apiError,
	isOfHost,
	isTool,
	SERVICE_SAYS,
	toToolError,
	withMessage,
	withoutRetry,
} from '../host/nodes';
import { escapeXml } from '../soap/xml';
import { describeError } from '../messages/describe';
import { groupedBy } from '../values/values';
import { type Action, countItems, type EndedCall, type EndedRun, OF_CALL } from './action';
import { serviceErrorData } from './redact';

type NodeError = NodeApiError | NodeOperationError;

/** Returns the error for a bug of this package. */
export function unexpected(thrown: unknown): ServiceError {
	return serviceError('UNEXPECTED', { message: messageOf(thrown), thrown });
}

/** Returns an error as one that says whether a write was applied. */
export function callError(error: unknown): CancelledError | InputError | ServiceError {
	const isExpected =
		error instanceof CancelledError || error instanceof InputError || error instanceof ServiceError;
	return isExpected ? error : unexpected(error);
}

const OUTCOMES: Readonly<Record<WriteOutcome, string>> = {
	notApplied: 'The change was not applied.',
	refused: 'The service gave a code; usually nothing was written then.',
	unknown:
		'The change may have been applied: look in the payroll service before you send it again.',
	applied: 'The change was applied: a retry of this execution does not send it again.',
};

/** When a retry sends again what the service refused with a code. */
function resentIf(action: Action): string {
	return 'switches' in action && 'verify' in action.switches
		? 'if reading shows that it is not there'
		: `if the option '${resendOption.displayName}' is on`;
}

/** What an error says of an item that an earlier run wrote. */
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

type FailedCall = Extract<EndedCall, { readonly status: 'failed' }>;

/** Whether a call failed for its values, an expression, or what the service says of them, and wrote nothing. */
export function isRefusal(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return error instanceof InputError || isOfHost(error);
	return ['FAULT_REFUSED', 'FAULT_CODED'].includes(error.code) && error.outcome === 'notApplied';
}

function nothingSent({ earlier }: FailedCall, { effect }: Action, these: string): string {
	if (earlier !== undefined) return 'Nothing was sent now.';
	return `Nothing was ${effect === 'write' ? 'written' : 'sent'} for ${these}.`;
}

const codeOf = (error: unknown): string =>
	error instanceof InputError || error instanceof ServiceError ? error.code : 'N8N_ERROR';

/** Returns what is wrong with the values of a call, and what finds them in its input items. */
function foundIn({ error, items }: FailedCall, action: Action): Found[] {
	const problems = error instanceof InputError ? error.problems : [];
	return problems.map((problem) => ({ problem, placeOf: (path) => placeOf(action, items, path) }));
}

/** Converts any error of a call to the error that the builder sees. It has no reference to the failed request. */
function toNodeError(call: FailedCall, { action, redactor }: EndedRun): NodeError {
	const { earlier, error, items, keys } = call;
	const [first] = items;
	const { node } = first;
	const isWrite = action.effect === 'write';
	const rows = rowsText(rowsOf(action, items));
	// n8n adds "[item 0]" to a title for an item index.
	const place = rows === '' ? { itemIndex: first.index } : {};
	const outcome = isWrite && { outcome: call.outcome };
	if (error instanceof NodeOperationError && earlier === undefined) {
		error.context.itemIndex ??= place.itemIndex;
		error.context.data ??= { code: codeOf(error), ...outcome };
		return error;
	}
	const about = [formatKeys(action.request, keys), rows].filter(Boolean).join(', ');
	const ending = about && redactor.clean(`${about.replace(/^r/, (first) => first.toUpperCase())}.`);
	const hasKeys = Object.keys(keys).length > 0;
	const request = hasKeys && { request: action.keysInItems?.(first, keys) ?? keys };
	const before = earlier && EARLIER[earlier];
	if (error instanceof InputError || isOfHost(error)) {
		const found = foundIn(call, action);
		const title = redactor.clean(describeProblems(found) || error.message, MAX_PROBLEMS);
		const { description: own } = error as { readonly description?: string | null };
		let advice = own ?? 'Check the values and expressions of this item.';
		if (error instanceof InputError) {
			const nothing = nothingSent(call, action, 'this item');
			advice = `${nothing} Correct the ${found.length === 1 ? 'value' : 'values'}.`;
		}
		const description = sentences(redactor.clean(advice), before, ending);
		const nodeError = new NodeOperationError(node, title, { ...place, description });
		nodeError.context.data = { code: codeOf(error), ...request, ...outcome };
		return withMessage(nodeError, title);
	}
	const own = error instanceof ServiceError ? error : unexpected(error);
	const retry = `A retry of this execution sends it again only ${resentIf(action)}.`;
	const now = sentences(OUTCOMES[own.outcome], own.outcome === 'refused' && retry);
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

/** Returns one error for several calls that were refused, each for a reason of its own. */
function refusedError(
	refused: readonly [FailedCall, ...FailedCall[]],
	{ action, redactor }: EndedRun,
): NodeError {
	const found = refused.flatMap((call) => {
		const { error, items } = call;
		const text = `: ${error instanceof ServiceError ? describeError(error)[0] : messageOf(error)}`;
		const message = { code: 'VALUE_INVALID', path: [], text } as const;
		const problems = error instanceof InputError ? error.problems : [message];
		const placeIn = (path: Path) => {
			const place = placeOf(action, items, path);
			const quoted = [callName(action, items), place.quoted].filter(Boolean).join(': ');
			return place.rows.length > 0 ? place : { ...place, quoted };
		};
		return problems.map((problem) => ({ problem, placeOf: placeIn }));
	});
	const title = redactor.clean(describeProblems(found), MAX_PROBLEMS);
	// The call of which it matters most what an earlier run wrote.
	const [worst = refused[0]] = (['unknown', 'refused', 'applied'] as const).flatMap(
		(wrote) => refused.find((call) => call.earlier === wrote) ?? [],
	);
	const { earlier, items, outcome } = worst;
	const description = sentences(
		`${nothingSent(worst, action, 'these items')} Correct the values.`,
		earlier && `${callName(action, items)}: ${EARLIER[earlier]}`,
	);
	const [code, ...others] = new Set(refused.map(({ error }) => codeOf(error)));
	// An item index would make n8n add "[item 0]" to the title.
	const error = new NodeOperationError(items[0].node, title, { description });
	error.context.data = {
		code: others.length === 0 ? code : 'VALUE_INVALID',
		...(action.effect === 'write' && { outcome }),
	};
	return withMessage(error, title);
}

/** The keys that do not name the employee or company. */
const PERIOD = ['Year', 'Period'];

const MAX_NAMED = 5;

/** Names the subjects of calls that are known, for example ": Employee ID 1001, 1002 and 3 more". */
function names(calls: readonly EndedCall[], request: Fields): string {
	const keys = calls.flatMap((call) => Object.keys(call.keys));
	const subject = keys.find((name) => !PERIOD.includes(name));
	if (subject === undefined) return '';
	const known = calls.filter((call) => Object.hasOwn(call.keys, subject));
	const values = [...new Set(known.map((call) => String(call.keys[subject])))];
	const more = values.length > MAX_NAMED ? ` and ${values.length - MAX_NAMED} more` : '';
	return `: ${formatKeys(request, { [subject]: values.slice(0, MAX_NAMED).join(', ') })}${more}`;
}

/** Describes what a batch of writes did before it failed, so that nobody sends applied writes again. */
function describeProgress(
	{ action, calls, subExecution }: EndedRun,
	{ error, items }: FailedCall,
): string {
	const ended = (outcome: WriteOutcome) => calls.filter((call) => call.outcome === outcome);
	const refused = ended('refused');
	const open = countItems(ended('notApplied'));
	const counted: string[] = [];
	const isOtherwise = (call: EndedCall): boolean =>
		call.status === 'failed' && call.error !== error && codeOf(call.error) === 'WRITTEN_OTHERWISE';
	for (const [some, what] of [
		[ended('applied'), 'were applied'],
		[ended('unknown'), 'may have been applied'],
		[refused, 'failed with a code of the service, and usually nothing is written then'],
		[ended('applied').filter(isOtherwise), 'more were stored with other values'],
	] as const) {
		const of = counted.length === 0 ? ` of ${countItems(calls)} items` : '';
		if (some.length === 0) continue;
		counted.push(`${countItems(some)}${of} ${what}${names(some, action.request)}.`);
	}
	const isSub = subExecution !== undefined;
	const changed = 'items whose values have changed';
	if (counted.length === 0 && !isSub) return 'No other item of this run was applied.';
	if (open > 0) counted.push(`${open === 1 ? '1 was' : `${open} were`} refused or not sent.`);
	const isDone = open + refused.length === 0;
	const mayChange = calls.some(({ earlier }) => earlier !== undefined);
	const sent = [
		open > 0 && (open === 1 ? 'that one' : `those ${open}`),
		refused.length > 0 && `what failed with a code ${resentIf(action)}`,
		changed,
	];
	const inDoubt = 'Behind a change in doubt, it sends nothing of the same employee or company.';
	const execution = subExecution ?? 'this execution in n8n';
	const retry = isDone
		? `A retry of ${execution} sends ${mayChange ? `only ${changed}` : 'nothing'}.`
		: sentences(
				`To continue, retry ${execution}${isSub ? '' : ', not an earlier one'}: the retry sends only ${sent.filter(Boolean).join(', and ')}.`,
				ended('unknown').length > 0 && inDoubt,
			);
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

/** Returns the error that ends a run: of the first call that failed, or of all that were refused. */
export function runError(run: EndedRun): NodeError {
	const { action, calls, redactor, subExecution } = run;
	const failed = calls.filter((call) => call.status === 'failed') as readonly FailedCall[];
	// Of a run that stops at what the service refuses, it is up to chance how many calls that were.
	const hasStopped = calls.some(({ status }) => status === 'notBegun');
	const [first] = failed as [FailedCall];
	const refused = failed.filter(({ error }) => {
		return isRefusal(error) && !(hasStopped && error instanceof ServiceError);
	});
	const reasons = failed.map(({ error }) =>
		error instanceof ServiceError ? describeError(error)[0] : error,
	);
	const areSeveral = refused[0] === first && refused.length > 1 && new Set(reasons).size > 1;
	const error = areSeveral
		? refusedError([first, ...refused.slice(1)], run)
		: toNodeError(first, run);
	const { node, isOneOfSeveral } = first.items[0];
	if (action.effect === 'write' && (isOneOfSeveral || subExecution !== undefined)) {
		const progress = redactor.clean(describeProgress(run, first), MAX_PROGRESS);
		// All callers of a sub-workflow show its error.
		const execution = redactor.clean(subExecution ?? 'this execution');
		const own = error.description?.replace(/(?<=\ba retry of )this execution/gi, () => execution);
		error.description = [own, progress].join(' ');
	}
	const ending = toToolError(node, error);
	// The editor renders descriptions as HTML; messages as text, and in its notifications as HTML.
	if (ending.description) ending.description = escapeXml(ending.description);
	return withMessage(ending, ending.message.replace(/<(?=[a-z/!])/gi, '‹'));
}

/**
 * Returns the JSON of the items of a failed call, one for each input item, with the error before the item's input.
 * A row of a sheet has its number, and the column, the value and the problem if the failure is about the row.
 *
 * For the error output, n8n expects `error` alone and puts the input before it: `handleNodeErrorOutput` in
 * `workflow-execute.ts` of n8n-core. The item's own property `error` must not be set: n8n would
 * drop the input.
 */
export function failedItems(call: FailedCall, run: EndedRun): IDataObject[] {
	const { action, redactor } = run;
	const { items } = call;
	const { message, description, context } = toNodeError(call, run);
	const words = description ? { message, description: withoutRetry(description) } : { message };
	const data: IDataObject = { ...words, ...(context.data as IDataObject | undefined) };
	const rows = rowsOf(action, items);
	const found = foundIn(call, action).flatMap((one) => {
		const own = one.placeOf(one.problem.path).rows;
		return (own.length > 0 ? own : rows).map((row) => ({ ...one, row }));
	});
	const byRow = groupedBy(found, ({ row }) => row);
	const otherRows = `Not written, since ${rowsText([...byRow.keys()])} cannot be used.`;
	return items.map((item, i) => {
		const isAlone = item.node.onError === 'continueErrorOutput';
		/** The input, without the results of another run, unless a field has their column. */
		const inputWithout = (results: object): IDataObject => {
			const isResult = (name: string) =>
				Object.hasOwn(results, name) || (action.effect === 'write' && OF_CALL.has(name));
			const own = Object.entries(item.json).filter(
				([name]) => !isResult(name) || isUsed(action.request, item, name),
			);
			return Object.fromEntries(own) as IDataObject;
		};
		const number = rows[i];
		if (number === undefined) {
			const own = { error: data };
			return isAlone ? own : { ...own, ...inputWithout(own) };
		}
		const row: IDataObject = { row: Number(number), column: null, value: null };
		const [first, ...others] = byRow.get(number) ?? [];
		if (first === undefined) row.problem = byRow.size > 0 ? otherRows : message;
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
		const error = { ...data, ...row };
		if (isAlone) return { error };
		// As in the other items of a sheet, whom it is about comes first, and the period last.
		const known = Object.entries(Object(data.request) as IDataObject);
		const whom = Object.fromEntries(known.filter(([name]) => !PERIOD.includes(name)));
		const all = { ...whom, ...row, ...inputWithout(row) };
		const behind = known.filter(([name]) => !Object.hasOwn(all, name));
		return { ...all, ...Object.fromEntries(behind), error };
	});
}
