import type { NodeExecutionHint } from 'n8n-workflow';
import { formatKeys } from '../form/valueNames';
import { escapeXml } from '../soap/xml';
import type { Action, Notice } from './action';
import { itemsOf, names, type CallOutcome, type CompletedCall } from './progress';
import type { EndedCalls } from './calls';

/** Maximum number of calls named in a hint, and of what a notice lists. */
const MAX_CALLS = 5;
const MAX_LISTED = 10;

/** Maximum number of notices shown as hints. */
const MAX_NOTICES = 10;

/** Maximum length of a hint, in characters. */
const MAX_HINT = 2000;

/** @param count how many names there are; all but the first are only counted */
function joinFirst(names: readonly string[], max: number, count = names.length): string {
	const more = count > max ? [`and ${count - max} more`] : [];
	return [...names.slice(0, max), ...more].join('; ');
}

/** The notices of the calls, each text once. */
function merged(calls: readonly CallOutcome[]): Notice[] {
	const known = new Map<string, { isProblem: boolean; count: number; list: Set<string> }>();
	const notices = calls.flatMap(({ outcome }) => (outcome?.ok ? outcome.value.notices : []));
	for (const { isProblem, isCounted, text, list = [] } of notices) {
		if (known.size === MAX_NOTICES && !known.has(text)) continue;
		const same = known.get(text) ?? { isProblem, count: 0, list: new Set<string>() };
		known.set(text, same);
		if (isCounted) same.count += 1;
		for (const name of list) same.list.add(name);
	}
	return [...known].map(([own, { isProblem, count, list }]) => {
		const text = count === 0 ? own : `${count} ${own}`;
		const isListed = list.size > 0;
		return { isProblem, text: isListed ? `${text}: ${joinFirst([...list], MAX_LISTED)}.` : text };
	});
}

/** What a run did that its items do not show. */
function* noticesOf(action: Action, calls: readonly CallOutcome[]): Generator<Notice> {
	const all = itemsOf(calls);
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	const withStatus = (wanted: CompletedCall['status']): number =>
		itemsOf(calls.filter(({ outcome }) => outcome?.ok && outcome.value.status === wanted));

	const dry = withStatus('dryRun');
	const whom = dry < all ? ` for ${dry} of ${all} items` : '';
	if (dry > 0) yield { isProblem: false, text: `Dry run: nothing was written${whom}.` };
	if (failed.length > 0) {
		const items = `${itemsOf(failed)} of ${all} item${all === 1 ? '' : 's'}`;
		yield { isProblem: true, text: `${items} failed${names(failed, action.request)}.` };
	}
	yield* merged(calls);
	const empty = calls.filter(({ outcome }) => outcome?.ok && outcome.value.records.length === 0);
	if (empty.length > 0) {
		const known = empty.filter(({ keys }) => Object.keys(keys).length > 0);
		const first = known.slice(0, MAX_CALLS).map(({ keys }) => formatKeys(action.request, keys));
		const whose = known.length === 0 ? '' : ` for ${joinFirst(first, MAX_CALLS, known.length)}`;
		yield { isProblem: false, text: `No records${whose}.` };
	}
	const recalled = withStatus('recalled');
	if (recalled > 0) {
		const were = recalled === 1 ? '1 item was' : `${recalled} items were`;
		const text = `${were} written by an earlier try of this run, and not sent again.`;
		yield { isProblem: false, text };
	}
}

/**
 * Returns notices about a run as hints; none if there are none. Texts are escaped because the editor
 * renders hints as HTML.
 */
export function executionHints(
	action: Action,
	{ calls, notices, redactor }: EndedCalls,
): NodeExecutionHint[] {
	return [...notices, ...noticesOf(action, calls)].map(({ isProblem, text }) => ({
		message: escapeXml(redactor.clean(text, MAX_HINT)),
		type: isProblem ? 'warning' : 'info',
		location: 'outputPane',
	}));
}
