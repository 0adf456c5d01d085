import type { NodeExecutionHint } from 'n8n-workflow';
import { formatKeys } from '../form/names';
import { escapeXml } from '../soap/xml';
import type { Action, Notice } from './action';
import { groupedBy } from '../values/values';
import { isPreview, itemsOf, names, type CallOutcome } from './progress';
import type { EndedCalls } from './calls';

/** Maximum number of calls named in a hint, and of what a notice lists. */
const MAX_CALLS = 5;
const MAX_LISTED = 10;
const MAX_COUNTED = 30;

/** Maximum number of hints beside the summary, and of the notices that they hold. */
const MAX_HINTS = 3;
const MAX_NOTICES = 10;

/** Maximum length of a hint, in characters. */
const MAX_HINT = 2000;

/** @param count how many names there are; all but the first are only counted */
function joinFirst(names: readonly string[], max: number, count = names.length, by = '; '): string {
	const more = count > max ? [`and ${count - max} more`] : [];
	return [...names.slice(0, max), ...more].join(by);
}

/** The notices of the calls, each text once. */
function merged(calls: readonly CallOutcome[]): Notice[] {
	const known = new Map<string, { notice: Notice; count: number; list: Map<string, number> }>();
	const notices = calls.flatMap(({ outcome }) => (outcome?.ok ? outcome.value.notices : []));
	for (const notice of notices) {
		const { text, list = [] } = notice;
		if (known.size === MAX_NOTICES && !known.has(text)) continue;
		const same = known.get(text) ?? { notice, count: 0, list: new Map<string, number>() };
		known.set(text, same);
		same.count += 1;
		for (const name of list) same.list.set(name, (same.list.get(name) ?? 0) + 1);
	}
	return [...known.values()].map(({ notice, count, list }) => {
		const { isProblem, isCounted, isTally } = notice;
		const text = isCounted ? `${count} ${notice.text}` : notice.text;
		if (list.size === 0) return { isProblem, text };
		if (!isTally)
			return { isProblem, text: `${text}: ${joinFirst([...list.keys()], MAX_LISTED)}.` };
		// A call is about an employee: "4200: 24 employees, 0410: 1".
		const counts = [...list].sort(([, one], [, other]) => other - one);
		const names = counts.map(([name, times], i) => {
			const unit = i > 0 ? '' : ` employee${times === 1 ? '' : 's'}`;
			return `${name}: ${times}${unit}`;
		});
		return { isProblem, text: `${text}: ${joinFirst(names, MAX_COUNTED, names.length, ', ')}.` };
	});
}

const UNITS: Readonly<Record<string, readonly [one: string, several: string]>> = {
	EmployeeId: ['employee', 'employees'],
	CompanyId: ['company', 'companies'],
};

/** What a person wants to know first, in one unit: how many employees or companies would change, or have changed. */
function summaryOf(action: Action, calls: readonly CallOutcome[]): Notice[] {
	const done = calls.flatMap(({ outcome }) => (outcome?.ok ? [outcome.value] : []));
	const isDry = done.length > 0 && done.every(({ status }) => isPreview(status));
	const rows = itemsOf(calls);
	if (action.effect === 'read' || (rows === 1 && !isDry)) return [];
	const name = Object.keys(UNITS).find((key) => calls.some(({ keys }) => Object.hasOwn(keys, key)));
	const all = groupedBy(calls.entries(), ([i, { keys }]) => {
		const whom = name === undefined ? undefined : keys[name];
		return whom === undefined ? `item ${i}` : JSON.stringify(whom);
	});
	// Where items are written one by one, those about the same employee are counted one by one.
	const isByItem = name === undefined || (rows === calls.length && all.size < calls.length);
	const [one, many] = (isByItem ? undefined : UNITS[name]) ?? ['item', 'items'];
	const subjects = isByItem
		? calls.map((call) => [call])
		: [...all.values()].map((group) => group.map(([, call]) => call));
	const counts = new Map<string, number>();
	for (const group of subjects) {
		const states = group.map(({ outcome }) => {
			if (outcome?.ok !== true) return outcome === undefined ? 'not sent' : 'failed';
			const { status, records } = outcome.value;
			if (status === 'wouldChange') return 'would change';
			if (status === 'unchanged' || status === 'wouldNotChange') return 'unchanged';
			return records[0]?.verified === true ? 'written and verified' : 'written';
		});
		const state = STATES.find((worst) => states.includes(worst)) ?? 'unchanged';
		counts.set(state, (counts.get(state) ?? 0) + 1);
	}
	const shown = ['would change', 'written and verified', 'written', 'unchanged', 'failed'];
	const always = new Set(isDry ? ['would change', 'unchanged'] : []);
	const parts = shown.flatMap((state) => {
		const count = counts.get(state) ?? 0;
		const text = isDry && state === 'failed' ? 'cannot' : state;
		return count > 0 || always.has(state) ? [`${count} ${text}`] : [];
	});
	if (parts.length === 0) return [];
	const of = rows > subjects.length ? ` (${rows} rows)` : '';
	const whom = `${subjects.length} ${subjects.length === 1 ? one : many}${of}`;
	const text = `${isDry ? `Preview of ${whom}` : whom}: ${parts.join(', ')}.`;
	return [{ isProblem: counts.has('failed'), text }];
}

/** What a call comes to, the worst first. */
const STATES = ['failed', 'not sent', 'would change', 'written', 'written and verified'] as const;

/** What a run did that its items do not show, beside the summary. */
function* noticesOf(
	action: Action,
	calls: readonly CallOutcome[],
	isSummedUp: boolean,
): Generator<Notice> {
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	if (failed.length > 0 && !isSummedUp) {
		const all = itemsOf(calls);
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
	const other = calls.filter(({ outcome }) => outcome?.ok && outcome.value.isOther === true);
	if (other.length > 0) {
		const were = itemsOf(other) === 1 ? '1 item was' : `${itemsOf(other)} items were`;
		const text = `${were} applied by the run before with other values, and written again${names(other, action.request)}.`;
		yield { isProblem: true, text };
	}
	const again = calls.filter(({ outcome }) => outcome?.ok && outcome.value.status === 'recalled');
	if (again.length > 0) {
		const were = again.length === 1 ? '1 item was' : `${itemsOf(again)} items were`;
		const text = `${were} written by an earlier try of this run, and not sent again.`;
		yield { isProblem: false, text };
	}
}

/**
 * Returns notices about a run as hints, what is counted first and problems before the rest; none if there are
 * none. More than fit share the last hint. Texts are escaped because the editor renders hints as HTML.
 */
export function executionHints(
	action: Action,
	{ calls, notices, redactor }: EndedCalls,
): NodeExecutionHint[] {
	const summary = summaryOf(action, calls);
	const others = [...notices, ...noticesOf(action, calls, summary.length > 0)];
	others.sort((one, other) => Number(other.isProblem) - Number(one.isProblem));
	const last = others.splice(MAX_HINTS - 1);
	if (last.length > 0) {
		const isProblem = last.some((one) => one.isProblem);
		others.push({ isProblem, text: last.map(({ text }) => text).join(' ') });
	}
	return [...summary, ...others].map(({ isProblem, text }) => ({
		message: escapeXml(redactor.clean(text, MAX_HINT)),
		type: isProblem ? 'warning' : 'info',
		location: 'outputPane',
	}));
}
