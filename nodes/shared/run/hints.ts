import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { formatKeys } from '../form/valueNames';
import { escapeXml } from '../soap/xml';
import type { Tally } from '../transport/tally';
import type { Action, CallResult } from './action';
import { itemsOf, names, type CallOutcome } from './progress';
import { presentable } from './redact';

/** A call that succeeded. */
interface SuccessfulCall extends CallOutcome {
	readonly result: CallResult;
}

/** Maximum number of calls and of fields named in a hint. */
const MAX_CALLS = 5;
const MAX_FIELDS = 10;

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

function joinFirst(names: readonly string[], max: number, separator: string): string {
	const more = names.length - max;
	return [...names.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}

/** One hint for each field whose shares do not add up. */
function shareHints(
	calls: readonly SuccessfulCall[],
	nameOf: (keys: IDataObject) => string,
): Hint[] {
	const uneven = new Map<string, string[]>();
	for (const { keys, result } of calls) {
		for (const { label, whole, sum } of result.unevenShares ?? []) {
			const title = `${label} does not add up to ${whole}`;
			const places = uneven.get(title) ?? [];
			uneven.set(title, places);
			places.push(`${nameOf(keys)} (${sum})`);
		}
	}
	return [...uneven].map(([title, places]) => ({
		type: 'warning',
		message: `${title}: ${joinFirst(places, MAX_CALLS, '; ')}.`,
	}));
}

function dryRunHints(calls: readonly CallOutcome[]): Hint[] {
	const dry = itemsOf(calls.filter(({ isDryRun }) => isDryRun));
	if (dry === 0) return [];
	const all = itemsOf(calls);
	const whom = dry < all ? ` for ${dry} of ${all} items` : '';
	return [{ type: 'info', message: `Dry run: nothing was written${whom}.` }];
}

/** The items that failed, if the run continues on failure. */
function failureHints(calls: readonly CallOutcome[], request: Fields): Hint[] {
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	if (failed.length === 0) return [];
	const items = count(itemsOf(calls), 'item', 'items');
	const message = `${itemsOf(failed)} of ${items} failed${names(failed, request)}.`;
	return [{ type: 'warning', message }];
}

/** The notices of the calls, each text once. */
function noticeHints(calls: readonly SuccessfulCall[]): Hint[] {
	const notices = calls.flatMap(({ result }) => result.notices ?? []);
	const texts = new Map(notices.map(({ text, isProblem }) => [text, isProblem]));
	return [...texts].slice(0, MAX_NOTICES).map(([message, isProblem]) => ({
		type: isProblem ? 'warning' : 'info',
		message,
	}));
}

function emptyHints(
	calls: readonly SuccessfulCall[],
	nameOf: (keys: IDataObject) => string,
): Hint[] {
	const empty = calls.filter(({ result }) => result.records.length === 0);
	if (empty.length === 0) return [];
	const names = empty.map(({ keys }) => nameOf(keys)).filter(Boolean);
	const whom = names.length === 0 ? '' : ` for ${joinFirst(names, MAX_CALLS, '; ')}`;
	return [{ type: 'info', message: `No records${whom}.` }];
}

function recalledHints(calls: readonly SuccessfulCall[]): Hint[] {
	const items = itemsOf(calls.filter(({ result }) => result.isRecalled));
	if (items === 0) return [];
	const message = `${count(items, 'item was', 'items were')} written by an earlier try of this run, and not sent again.`;
	return [{ type: 'info', message }];
}

function pageHints(calls: readonly SuccessfulCall[], { requests }: Tally): Hint[] {
	const pages = calls.reduce((sum, { result }) => sum + (result.pages ?? 0), 0);
	if (pages < 2) return [];
	const read = `Read ${pages} pages`;
	return [
		{ type: 'info', message: requests > pages ? `${read} with ${requests} requests.` : `${read}.` },
	];
}

function notSentHints(calls: readonly SuccessfulCall[]): Hint[] {
	const names = new Set(calls.flatMap(({ result }) => result.notSent ?? []));
	if (names.size === 0) return [];
	const message = `Not sent, since the operation does not have these fields: ${joinFirst([...names], MAX_FIELDS, ', ')}.`;
	return [{ type: 'warning', message }];
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
 * @param secrets values to mask
 */
export function executionHints(
	{ request }: Action,
	calls: readonly CallOutcome[],
	tally: Tally,
	secrets: readonly string[],
): NodeExecutionHint[] {
	const nameOf = (keys: IDataObject): string => formatKeys(request, keys);
	const done = calls.flatMap((call): SuccessfulCall[] =>
		call.outcome?.ok ? [{ ...call, result: call.outcome.value }] : [],
	);
	const hints = [
		...dryRunHints(calls),
		...failureHints(calls, request),
		...noticeHints(done),
		...shareHints(done, nameOf),
		...emptyHints(done, nameOf),
		...notSentHints(done),
		...recalledHints(done),
		...pageHints(done, tally),
		...tallyHints(tally),
	];
	return hints.map(({ message, type }) => ({
		message: escapeXml(presentable(message, secrets, MAX_HINT)),
		...(type && { type }),
		location: 'outputPane',
	}));
}
