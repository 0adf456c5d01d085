import type { NodeExecutionHint } from 'n8n-workflow';
import { formatKeys } from '../form/names';
import { escapeXml } from '../soap/xml';
import type { Action, Notice } from './action';
import { isPreview, itemsOf, names, type CallOutcome, type CompletedCall } from './progress';
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
		const names = [...list].map(([name, times]) => (isTally ? `${name}: ${times}` : name));
		const isListed = names.length > 0;
		return { isProblem, text: isListed ? `${text}: ${joinFirst(names, MAX_LISTED)}.` : text };
	});
}

const UNITS = {
	EmployeeId: ['employee', 'employees'],
	CompanyId: ['company', 'companies'],
} as const;

/** What a person wants to know first: how many employees or companies would change, or have changed. */
function summaryOf(action: Action, calls: readonly CallOutcome[]): Notice[] {
	const statuses = calls.map(({ outcome }) => (outcome?.ok ? outcome.value.status : undefined));
	const done = statuses.filter((status) => status !== undefined);
	const isDry = done.length > 0 && done.every(isPreview);
	if (action.effect === 'read' || (calls.length === 1 && !isDry)) return [];
	const [name = ''] = Object.keys(
		calls.find(({ keys }) => Object.keys(keys).length > 0)?.keys ?? {},
	);
	const subjects = new Set(calls.map(({ keys }) => keys[name]));
	// Where each call is about another employee, people count those; else items.
	const isEach = subjects.size === calls.length && name in UNITS;
	const [one, many] = isEach ? UNITS[name as keyof typeof UNITS] : (['item', 'items'] as const);
	const all = isEach ? calls.length : itemsOf(calls);
	const rows = itemsOf(calls) > all ? ` (${itemsOf(calls)} rows)` : '';
	const whom = `${all} ${all === 1 ? one : many}${rows}`;
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	const verified = calls.filter(({ outcome }) => {
		return outcome?.ok === true && outcome.value.records[0]?.verified === true;
	}).length;
	const count = (status: CompletedCall['status']) =>
		statuses.filter((one) => one === status).length;
	const applied = count('written') + count('recalled');
	const unchanged = count('unchanged') + count('wouldNotChange');
	const parts = [
		(isDry || count('wouldChange') > 0) && `${count('wouldChange')} would change`,
		verified > 0 && `${verified} written and verified`,
		applied > verified && `${applied - verified} written`,
		(isDry || unchanged > 0) && `${unchanged} unchanged`,
		failed.length > 0 &&
			`${failed.length} ${isDry ? 'cannot' : 'failed'}${names(failed, action.request)}`,
	];
	const text = parts.filter(Boolean).join(', ');
	const lead = isDry ? 'Preview of ' : '';
	return text === '' ? [] : [{ isProblem: failed.length > 0, text: `${lead}${whom}: ${text}.` }];
}

/** What a run did that its items do not show. */
function* noticesOf(action: Action, calls: readonly CallOutcome[]): Generator<Notice> {
	const summary = summaryOf(action, calls);
	yield* summary;
	const failed = calls.filter(({ outcome }) => outcome?.ok === false);
	if (failed.length > 0 && summary.length === 0) {
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
