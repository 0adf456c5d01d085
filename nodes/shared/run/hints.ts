import type { NodeExecutionHint } from 'n8n-workflow';
import { formatKeys } from '../form/names';
import { escapeXml } from '../soap/xml';
import { groupedBy } from '../values/values';
import type { Action, CallOutcome, CompletedCall, Notice } from './action';
import type { EndedCalls } from './calls';
import { isPreview, itemsOf, names } from './progress';

/** Maximum number of calls named in a hint, and of what a notice lists. */
const MAX_CALLS = 5;
const MAX_LISTED = 10;
const MAX_COUNTED = 30;

/** Maximum number of hints beside the summary, and of the notices that they hold. */
const MAX_HINTS = 3;
const MAX_NOTICES = 10;

/** Maximum length of a hint, in characters. */
const MAX_HINT = 2000;

/** Joins the first of so many texts, and counts the others. */
function joinFirst(texts: readonly string[], max: number, by = '; ', count = texts.length): string {
	const more = count > max ? [`and ${count - max} more`] : [];
	return [...texts.slice(0, max), ...more].join(by);
}

/** The notices of the calls, each text once. */
function merged(notices: readonly Notice[]): Notice[] {
	const groups = [...groupedBy(notices, ({ text }) => text).values()].slice(0, MAX_NOTICES);
	return groups.map((group) => {
		const [{ isProblem, isCounted, isTally, text: own }] = group;
		const text = isCounted ? `${group.length} ${own}` : own;
		const listed = groupedBy(
			group.flatMap(({ list = [] }) => list),
			(entry) => entry,
		);
		if (listed.size === 0) return { isProblem, text };
		if (!isTally)
			return { isProblem, text: `${text}: ${joinFirst([...listed.keys()], MAX_LISTED)}.` };
		// A call is about an employee: "4200: 24 employees, 0410: 1".
		const counts = [...listed].map(([entry, { length }]) => [entry, length] as const);
		counts.sort(([, a], [, b]) => b - a);
		const tally = counts.map(([entry, count], i) => {
			const unit = i > 0 ? '' : ` employee${count === 1 ? '' : 's'}`;
			return `${entry}: ${count}${unit}`;
		});
		return { isProblem, text: `${text}: ${joinFirst(tally, MAX_COUNTED, ', ')}.` };
	});
}

const UNITS = [
	['EmployeeId', 'employee', 'employees'],
	['CompanyId', 'company', 'companies'],
] as const;

/** What a call of a write comes to, the worst first. */
const STATES = [
	...['failed', 'not sent', 'would change', 'sent', 'written', 'written and verified', 'unchanged'],
];

/**
 * Returns what a call of a write comes to, as one of {@link STATES}.
 *
 * @param isKnown whether the operation is known to write: of any other, all that is known is that it was sent
 */
function stateOf({ outcome }: CallOutcome, isKnown: boolean): string {
	if (outcome?.ok !== true) return outcome === undefined ? 'not sent' : 'failed';
	const { status, records } = outcome.value;
	if (status === 'wouldChange') return 'would change';
	if (status === 'unchanged' || status === 'wouldNotChange') return 'unchanged';
	if (records[0]?.verified === true) return 'written and verified';
	return isKnown ? 'written' : 'sent';
}

/** What a person wants to know first, in one unit: how many employees or companies would change, or have changed. */
function summaryOf(action: Action, calls: readonly CallOutcome[]): Notice | undefined {
	const done = calls.flatMap(({ outcome }) => (outcome?.ok ? [outcome.value] : []));
	const isDry = done.length > 0 && done.every(({ status }) => isPreview(status));
	const rows = itemsOf(calls);
	if (action.effect === 'read' || (rows === 1 && !isDry)) return undefined;
	const unit = UNITS.find(([key]) => calls.some(({ keys }) => Object.hasOwn(keys, key)));
	const bySubject = groupedBy(calls, ({ items, keys }) => {
		const whom = unit && keys[unit[0]];
		return whom === undefined ? `item ${items[0].index}` : JSON.stringify(whom);
	});
	// Where items are written one by one, those about the same employee are counted one by one.
	const isByItem = !unit || (rows === calls.length && bySubject.size < calls.length);
	const groups = isByItem ? calls.map((call) => [call]) : [...bySubject.values()];
	const states = groups.map((group) => {
		const all = group.map((call) => stateOf(call, action.kind !== 'chosen'));
		return STATES.find((worst) => all.includes(worst));
	});
	const shown = ['would change', 'written and verified', 'written', 'sent', 'unchanged', 'failed'];
	const parts = shown.flatMap((state) => {
		const count = states.filter((own) => own === state).length;
		const isShown = count > 0 || (isDry && (state === 'would change' || state === 'unchanged'));
		return isShown ? [`${count} ${isDry && state === 'failed' ? 'cannot' : state}`] : [];
	});
	if (parts.length === 0) return undefined;
	const [, single, plural] = isByItem ? ['', 'item', 'items'] : unit;
	const of = rows > groups.length ? ` (${rows} rows)` : '';
	const whom = `${groups.length} ${groups.length === 1 ? single : plural}${of}`;
	const text = `${isDry ? `Preview of ${whom}` : whom}: ${parts.join(', ')}.`;
	return { isProblem: states.includes('failed'), text };
}

/**
 * Returns notices about a run as hints, what is counted first and problems before the rest; none if there are
 * none. More than fit share the last hint. Texts are escaped because the editor renders hints as HTML.
 */
export function executionHints(
	action: Action,
	{ calls, notices, redactor }: EndedCalls,
): NodeExecutionHint[] {
	const { request } = action;
	const summary = summaryOf(action, calls);
	const others = [...notices];
	const ended = (isMeant: (value: CompletedCall) => boolean) =>
		calls.filter(({ outcome }) => outcome?.ok && isMeant(outcome.value));
	const were = (count: number) => (count === 1 ? '1 item was' : `${count} items were`);
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	if (failed.length > 0 && summary === undefined) {
		const all = itemsOf(calls);
		const items = `${itemsOf(failed)} of ${all} item${all === 1 ? '' : 's'}`;
		others.push({ isProblem: true, text: `${items} failed${names(failed, request)}.` });
	}
	others.push(
		...merged(calls.flatMap(({ outcome }) => (outcome?.ok ? outcome.value.notices : []))),
	);
	const empty = ended(({ records }) => records.length === 0);
	if (empty.length > 0) {
		const known = empty.filter(({ keys }) => Object.keys(keys).length > 0);
		const first = known.slice(0, MAX_CALLS).map(({ keys }) => formatKeys(request, keys));
		const whose = joinFirst(first, MAX_CALLS, '; ', known.length);
		others.push({ isProblem: false, text: `No records${whose && ` for ${whose}`}.` });
	}
	const other = ended(({ isOther }) => isOther === true);
	if (other.length > 0) {
		const text = `${were(itemsOf(other))} applied by the run before with other values, and written again${names(other, request)}.`;
		others.push({ isProblem: true, text });
	}
	const again = ended(({ status }) => status === 'recalled');
	if (again.length > 0) {
		const text = `${were(itemsOf(again))} written by an earlier try of this run, and not sent again.`;
		others.push({ isProblem: false, text });
	}
	others.sort((a, b) => Number(b.isProblem) - Number(a.isProblem));
	const last = others.splice(MAX_HINTS - 1);
	if (last.length > 0) {
		const isProblem = last.some((notice) => notice.isProblem);
		others.push({ isProblem, text: last.map(({ text }) => text).join(' ') });
	}
	return [summary ?? [], others].flat().map(({ isProblem, text }) => ({
		message: escapeXml(redactor.clean(text, MAX_HINT)),
		type: isProblem ? 'warning' : 'info',
		location: 'outputPane',
	}));
}
