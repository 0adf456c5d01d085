/** Describes how much of a batch of writes was applied, and what a retry sends. */
import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { fill, joined, texts, type Text } from '../errors/catalogue';
import type { WriteOutcome } from '../errors/outcomes';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { formatKeys } from '../form/valueNames';
import type { CallResult } from './action';
import type { Outcome } from './schedule';

/** A call for one or more input items, and its outcome. */
export interface CallOutcome {
	readonly items: readonly number[];
	/** The request keys (employee or company, and period) by element name, as far as known. */
	readonly keys: IDataObject;
	/** Whether the call was a dry run. */
	readonly isDryRun?: boolean;
	/** `undefined` if the call was not begun. */
	readonly outcome: Outcome<CallResult> | undefined;
}

/** Maximum number of employees or companies named. */
const MAX_NAMES = 5;

/** The outcome of a write that failed with this error; `notApplied` if no call was sent. */
function outcomeOf(error: unknown): WriteOutcome {
	const hasOutcome = error instanceof ServiceError || error instanceof CancelledError;
	return hasOutcome ? error.outcome : 'notApplied';
}

function failedWith({ outcome }: CallOutcome, known: WriteOutcome): boolean {
	return outcome?.ok === false && outcomeOf(outcome.error) === known;
}

function isApplied(call: CallOutcome): boolean {
	const { outcome } = call;
	return outcome?.ok ? outcome.value.nothingWritten !== true : failedWith(call, 'applied');
}

function isUnknown(call: CallOutcome): boolean {
	return failedWith(call, 'unknown');
}

function isNotApplied(call: CallOutcome): boolean {
	return call.outcome === undefined || failedWith(call, 'notApplied');
}

/** Counts the input items of calls. */
export function itemsOf(calls: readonly CallOutcome[]): number {
	return calls.reduce((sum, { items }) => sum + items.length, 0);
}

/**
 * Names the subjects of calls, for example ": Employee ID 1001, 1002 and 3 more"; empty if they are
 * not known.
 */
export function names(calls: readonly CallOutcome[], request: Fields): string {
	const subjects = calls.flatMap(({ keys }) => Object.entries(keys).slice(0, 1));
	const [first] = subjects;
	if (first === undefined) return '';
	const values = [...new Set(subjects.map(([, value]) => String(value)))];
	const shown = formatKeys(request, { [first[0]]: values.slice(0, MAX_NAMES).join(', ') });
	const more = values.length > MAX_NAMES ? ` and ${values.length - MAX_NAMES} more` : '';
	return `: ${shown}${more}`;
}

/**
 * Describes what a batch of writes did before it failed, so that nobody sends applied writes again.
 *
 * @param calls all calls of the run, including calls recalled from earlier tries
 * @param request the elements of their requests
 * @param isSubWorkflow whether another workflow called this one: a retry of the calling workflow
 * starts this one anew
 */
export function describeProgress(
	calls: readonly CallOutcome[],
	request: Fields,
	isSubWorkflow: boolean,
): string {
	const applied = calls.filter(isApplied);
	const unknown = calls.filter(isUnknown);
	const all = itemsOf(calls);
	const [done, may] = [itemsOf(applied), itemsOf(unknown)];
	const open = itemsOf(calls.filter(isNotApplied));
	if (!done && !may) return texts.endings.noItem;
	const sentences: Text[] = [];
	if (done) {
		sentences.push(
			fill(texts.endings.itemsApplied, { count: done, all, names: names(applied, request) }),
		);
	}
	if (may) {
		const items = done ? may : `${may} of ${all} items`;
		sentences.push(fill(texts.endings.itemsUnknown, { items, names: names(unknown, request) }));
	}
	if (open) {
		sentences.push(
			open === 1 ? texts.endings.itemOpen : fill(texts.endings.itemsOpen, { count: open }),
		);
		const rest = open === 1 ? 'that one' : `those ${open}`;
		sentences.push(fill(isSubWorkflow ? texts.endings.subWorkflow : texts.endings.retry, { rest }));
	} else {
		sentences.push(texts.endings.noRetry);
	}
	return joined(...sentences, texts.endings.anew);
}
