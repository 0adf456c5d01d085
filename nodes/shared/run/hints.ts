import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import type { Tally } from '../exchange/tally';
import { formatKeys } from '../form/valueNames';
import { escapeXml } from '../soap/xml';
import type { Action } from './action';
import { itemsOf, names, type CallOutcome, type CompletedCall } from './progress';
import type { Redactor } from './redact';

/** A call that succeeded. */
interface SuccessfulCall extends CallOutcome {
	readonly result: CompletedCall;
}

/** Maximum number of calls named in a hint, and of what a notice lists. */
const MAX_CALLS = 5;
const MAX_LISTED = 10;

/** Maximum number of notices shown as hints. */
const MAX_NOTICES = 10;

/** Maximum length of a hint, in characters. */
const MAX_HINT = 2000;

/** Minimum wait for an access token that is reported, in milliseconds. */
const LONG_MS = 5000;

type Hint = Pick<NodeExecutionHint, 'message' | 'type'>;

function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}

function joinFirst(names: readonly string[], max: number): string {
	const more = names.length - max;
	return [...names.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function dryRunHints(calls: readonly SuccessfulCall[], all: number): Hint[] {
	const dry = itemsOf(calls.filter(({ result }) => result.status === 'dryRun'));
	if (dry === 0) return [];
	const whom = dry < all ? ` for ${dry} of ${all} items` : '';
	return [{ type: 'info', message: `Dry run: nothing was written${whom}.` }];
}

/** The items that failed, if the run continues on failure. */
function failureHints(calls: readonly CallOutcome[], action: Action): Hint[] {
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	if (failed.length === 0) return [];
	const items = count(itemsOf(calls), 'item', 'items');
	const message = `${itemsOf(failed)} of ${items} failed${names(failed, action)}.`;
	return [{ type: 'warning', message }];
}

/** The notices of the calls, each text once. */
function noticeHints(calls: readonly SuccessfulCall[]): Hint[] {
	const merged = new Map<string, { readonly isProblem: boolean; readonly list: Set<string> }>();
	for (const { result } of calls) {
		for (const { text, isProblem, list = [] } of result.notices) {
			const notice = merged.get(text) ?? { isProblem, list: new Set() };
			merged.set(text, notice);
			for (const name of list) notice.list.add(name);
		}
	}
	return [...merged].slice(0, MAX_NOTICES).map(([text, { isProblem, list }]) => ({
		type: isProblem ? 'warning' : 'info',
		message: list.size === 0 ? text : `${text}: ${joinFirst([...list], MAX_LISTED)}.`,
	}));
}

function emptyHints(
	calls: readonly SuccessfulCall[],
	nameOf: (keys: IDataObject) => string,
): Hint[] {
	const empty = calls.filter(({ result }) => result.records.length === 0);
	if (empty.length === 0) return [];
	const names = empty.map(({ keys }) => nameOf(keys)).filter(Boolean);
	const whom = names.length === 0 ? '' : ` for ${joinFirst(names, MAX_CALLS)}`;
	return [{ type: 'info', message: `No records${whom}.` }];
}

function recalledHints(calls: readonly SuccessfulCall[]): Hint[] {
	const items = itemsOf(calls.filter(({ result }) => result.status === 'recalled'));
	if (items === 0) return [];
	const message = `${count(items, 'item was', 'items were')} written by an earlier try of this run, and not sent again.`;
	return [{ type: 'info', message }];
}

function tallyHints({ retried, renewalMs }: Tally): Hint[] {
	const hints: Hint[] = [];
	if (retried > 0) {
		const sent = count(retried, 'request was', 'requests were');
		hints.push({ type: 'info', message: `${sent} retried after a temporary failure.` });
	}
	if (renewalMs >= LONG_MS) {
		const seconds = Math.round(renewalMs / 1000);
		const message = `Waited ${seconds} seconds for a new access token: the identity server is slow.`;
		hints.push({ type: 'info', message });
	}
	return hints;
}

/**
 * Returns notices about a run, one hint per kind; empty if there are none. Texts are escaped
 * because the editor renders hints as HTML.
 *
 * @param calls all calls of the run
 * @param redactor masks secrets
 */
export function executionHints(
	action: Action,
	calls: readonly CallOutcome[],
	tally: Tally,
	redactor: Redactor,
): NodeExecutionHint[] {
	const nameOf = (keys: IDataObject): string => formatKeys(action.request, keys);
	const done = calls.flatMap((call): SuccessfulCall[] =>
		call.outcome?.ok ? [{ ...call, result: call.outcome.value }] : [],
	);
	const hints = [
		...dryRunHints(done, itemsOf(calls)),
		...failureHints(calls, action),
		...noticeHints(done),
		...emptyHints(done, nameOf),
		...recalledHints(done),
		...tallyHints(tally),
	];
	return hints.map(({ message, type }) => ({
		message: escapeXml(redactor.clean(message, MAX_HINT)),
		...(type && { type }),
		location: 'outputPane',
	}));
}
