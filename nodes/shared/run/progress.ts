/** Describes how much of a batch of writes was applied, and what a retry sends. */
import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { InputError, rowsText } from '../errors/InputError';
import { type EarlierOutcome, ServiceError, type WriteOutcome } from '../errors/ServiceError';
import type { InputItems } from '../form/inputItem';
import { formatKeys, rowsOf } from '../form/names';
import type { Action, CallResult } from './action';
import { outcomeOf, resentIf } from './errors';
import type { Outcome } from './schedule';

/** A call that did not fail, and what it did. */
export interface CompletedCall extends CallResult {
	/** Whether an earlier run applied its items with other values. */
	readonly isOther?: boolean;
	readonly status: 'read' | 'wouldChange' | 'wouldNotChange' | 'unchanged' | 'written' | 'recalled';
}

/** Whether a call was a dry run. */
export function isPreview(status: CompletedCall['status']): boolean {
	return status === 'wouldChange' || status === 'wouldNotChange';
}

/** A call for one or more input items, and its outcome. */
export interface CallOutcome {
	readonly items: InputItems;
	/** The request keys (employee or company, and period) by element name, as far as known. */
	readonly keys: IDataObject;
	/** `undefined` if the call was not begun. */
	readonly outcome: Outcome<CompletedCall> | undefined;
	/** What earlier tries and runs wrote for the items, if this one certainly wrote nothing. */
	readonly earlier: EarlierOutcome | undefined;
}

/** The keys that do not name the employee or company. */
const PERIOD = ['Year', 'Period'];

/** Maximum number of employees or companies named. */
const MAX_KEYS = 5;

/** Whether the write of a call was applied; `undefined` for a call that wrote nothing. */
function writeOutcome({ outcome, earlier }: CallOutcome): WriteOutcome | undefined {
	if (earlier !== undefined) return earlier;
	if (outcome === undefined) return 'notApplied';
	if (!outcome.ok) return outcomeOf(outcome.error);
	return ['written', 'recalled'].includes(outcome.value.status) ? 'applied' : undefined;
}

/** Counts the input items of calls. */
export function itemsOf(calls: ReadonlyArray<Pick<CallOutcome, 'items'>>): number {
	return calls.reduce((sum, { items }) => sum + items.length, 0);
}

/**
 * Names the subjects of calls, for example ": Employee ID 1001, 1002 and 3 more"; empty if they are
 * not known.
 */
export function names(calls: readonly CallOutcome[], request: Fields): string {
	const values = new Set<string>();
	let subject: string | undefined;
	for (const { keys } of calls) {
		subject ??= Object.keys(keys).find((name) => !PERIOD.includes(name));
		if (subject !== undefined && Object.hasOwn(keys, subject)) values.add(String(keys[subject]));
	}
	if (subject === undefined) return '';
	const shown = formatKeys(request, { [subject]: [...values].slice(0, MAX_KEYS).join(', ') });
	const more = values.size > MAX_KEYS ? ` and ${values.size - MAX_KEYS} more` : '';
	return `: ${shown}${more}`;
}

const WRITTEN_AGAIN = 'Leave out the items that were applied: they would be sent again.';
const CHANGED = 'items whose values have changed';

/**
 * Describes what a retry sends of a batch of writes.
 *
 * @param open how many items were not applied
 * @param refused how many failed with a code of the service
 * @param mayChange whether an item was refused that an earlier run wrote with other values
 */
function describeRetry(
	open: number,
	refused: number,
	mayChange: boolean,
	action: Pick<Action, 'effect'>,
	subExecution: string | undefined,
): string {
	if (open + refused === 0) {
		return `A retry of ${subExecution ?? 'this execution in n8n'} sends ${mayChange ? `only ${CHANGED}` : 'nothing'}.`;
	}
	const execution = subExecution ?? 'this execution in n8n, not an earlier one';
	const sent = [
		open > 0 && (open === 1 ? 'that one' : `those ${open}`),
		refused > 0 && `what failed with a code ${resentIf(action)}`,
		CHANGED,
	];
	return `To continue, retry ${execution}: the retry sends only ${sent.filter(Boolean).join(', and ')}.`;
}

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
		calls.filter((call) => writeOutcome(call) === wanted);
	const counted: string[] = [];
	const count = (some: readonly CallOutcome[], what: string): void => {
		const of = counted.length === 0 ? ` of ${itemsOf(calls)} items` : '';
		if (some.length > 0)
			counted.push(`${itemsOf(some)}${of} ${what}${names(some, action.request)}.`);
	};
	const refused = ended('refused');
	count(ended('applied'), 'were applied');
	count(ended('unknown'), 'may have been applied');
	count(refused, 'failed with a code of the service, and usually nothing is written then');
	if (counted.length === 0 && subExecution === undefined) {
		return 'No other item of this run was applied.';
	}
	const open = itemsOf(ended('notApplied'));
	if (open > 0) counted.push(`${open === 1 ? '1 was' : `${open} were`} refused or not sent.`);
	const mayChange = calls.some(({ earlier }) => earlier !== undefined);
	const retry = describeRetry(open, itemsOf(refused), mayChange, action, subExecution);
	const anew =
		subExecution === undefined
			? 'A new execution sends all items again.'
			: 'A retry of a workflow that called it, and a new execution, send all items again, also those of other calls.';
	const failed = calls.find(({ outcome }) => outcome?.ok === false);
	const error = failed?.outcome?.ok === false ? failed.outcome.error : undefined;
	// A retry would fail at the same row, and never reach the others.
	const rerun = failed && 'rerun' in action ? action.rerun?.(failed.items[0]) : undefined;
	const again = `correct the sheet and run it again. ${rerun ?? WRITTEN_AGAIN}`;
	const others = subExecution === undefined ? [] : [anew];
	if (error instanceof InputError && subExecution === undefined) {
		return [...counted, `To continue, ${again}`].join(' ');
	}
	const isFault = error instanceof ServiceError && error.isQuote && error.outcome !== 'unknown';
	if (failed === undefined || !isFault) return [...counted, retry, anew].join(' ');
	const rows = rowsOf(action, failed.items);
	const what = `${rowsText(rows) || 'the item'} ${rows.length > 1 ? 'are' : 'is'} wrong`;
	const otherwise = retry.replace(/^To continue, |^A(?= )/, (start) => (start === 'A' ? 'a' : ''));
	return [...counted, `If ${what}, ${again} Otherwise, ${otherwise}`, ...others].join(' ');
}
