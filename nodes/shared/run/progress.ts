/** Describes how much of a batch of writes was applied, and what a retry sends. */
import type { Fields } from '../contract/fields';
import { InputError, rowsText } from '../errors/InputError';
import { ServiceError, type WriteOutcome } from '../errors/ServiceError';
import { formatKeys, rowsOf } from '../form/names';
import type { Action, CallOutcome, CompletedCall } from './action';
import { outcomeOf, resentIf } from './errors';

/** Whether a call was a dry run. */
export function isPreview(status: CompletedCall['status']): boolean {
	return status === 'wouldChange' || status === 'wouldNotChange';
}

/** The keys that do not name the employee or company. */
const PERIOD = ['Year', 'Period'];

/** Maximum number of employees or companies named. */
const MAX_KEYS = 5;

/** Counts the input items of calls. */
export function itemsOf(calls: ReadonlyArray<Pick<CallOutcome, 'items'>>): number {
	return calls.reduce((sum, { items }) => sum + items.length, 0);
}

/**
 * Names the subjects of calls, for example ": Employee ID 1001, 1002 and 3 more"; empty if they are
 * not known.
 */
export function names(calls: readonly CallOutcome[], request: Fields): string {
	const keys = calls.flatMap((call) => Object.keys(call.keys));
	const subject = keys.find((name) => !PERIOD.includes(name));
	if (subject === undefined) return '';
	const known = calls.filter((call) => Object.hasOwn(call.keys, subject));
	const values = new Set(known.map((call) => String(call.keys[subject])));
	const shown = formatKeys(request, { [subject]: [...values].slice(0, MAX_KEYS).join(', ') });
	const more = values.size > MAX_KEYS ? ` and ${values.size - MAX_KEYS} more` : '';
	return `: ${shown}${more}`;
}

const WRITTEN_AGAIN = 'Leave out the items that were applied: they would be sent again.';
const CHANGED = 'items whose values have changed';

/**
 * Describes what a batch of writes did before it failed, so that nobody sends applied writes again.
 *
 * @param calls all calls of the run, including calls recalled from earlier tries
 * @param subExecution names the execution if another workflow called this one: a retry of the calling
 * workflow starts this one anew
 */
export function describeProgress(
	calls: readonly CallOutcome[],
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
	const failed = calls.find(({ outcome }) => outcome?.ok === false);
	const error = failed?.outcome?.ok === false ? failed.outcome.error : undefined;
	// A retry would fail at the same row, and never reach the others.
	const rerun = failed && 'rerun' in action ? action.rerun?.(failed.items[0]) : undefined;
	const again = `correct the sheet and run it again. ${rerun ?? WRITTEN_AGAIN}`;
	if (error instanceof InputError && !isSub) return [...counted, `To continue, ${again}`].join(' ');
	const isFault = error instanceof ServiceError && error.isQuote && error.outcome !== 'unknown';
	if (failed === undefined || !isFault) return [...counted, retry, anew].join(' ');
	const rows = rowsOf(action, failed.items);
	const what = `${rowsText(rows) || 'the item'} ${rows.length > 1 ? 'are' : 'is'} wrong`;
	const otherwise = retry.replace(/^To continue, /, '').replace(/^A /, 'a ');
	const ending = isSub ? [anew] : [];
	return [...counted, `If ${what}, ${again} Otherwise, ${otherwise}`, ...ending].join(' ');
}
