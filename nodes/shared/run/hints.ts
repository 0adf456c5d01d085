/** What a run tells beside its items. */
import type { NodeExecutionHint } from 'n8n-workflow';
import { counted } from '../errors/words';
import { validated } from '../values/InputError';
import { formatKeys } from '../form/fields';
import { readSwitch } from '../form/options';
import type { Notice, NoticeKind } from '../form/requestValues';
import { escapeXml } from '../soap/xml';
import { groupedBy } from '../values/values';
import { countItems, type EndedRun, isPreview } from './action';

/** Maximum number of calls or values that a hint lists, and of those that it counts. */
const MAX_LISTED = 10;
const MAX_COUNTED = 30;

/** Maximum number of hints beside the summary, and length of a hint, in characters. */
const MAX_HINTS = 3;
const MAX_HINT = 2000;

/** Joins the first of so many texts, and counts the others. */
function joinFirst(texts: readonly string[], max: number, by = '; '): string {
	const more = texts.length > max ? [`and ${texts.length - max} more`] : [];
	return [...texts.slice(0, max), ...more].join(by);
}

/** What an employee or a company is called, by the key of a request. */
const UNITS = [
	['EmployeeId', 'employee', 'employees'],
	['CompanyId', 'company', 'companies'],
] as const;

/** What calls of a write come to, in words, the worst first. */
const WORST = [
	...['failed', 'not sent', 'would change', 'sent', 'written', 'written and verified', 'unchanged'],
];

interface Hint {
	readonly isProblem: boolean;
	readonly text: string;
}

/** Says what a person wants to know first: how many employees or companies a write changes, or what failed of a read. */
function summaryOf({ action, calls }: EndedRun): Hint | undefined {
	if (calls.length === 0) return undefined;
	const rows = countItems(calls);
	const isDry = calls.every(({ items: [first], status }) => {
		if (status !== 'failed' && status !== 'notBegun') return isPreview(status);
		// The form may be unreadable.
		return validated(() => readSwitch(first, 'dryRun', false)).result === true;
	});
	if (action.effect === 'read' || (rows === 1 && !isDry)) {
		const failed = calls.filter(({ status }) => status === 'failed');
		if (failed.length === 0) return undefined;
		const items = `${countItems(failed)} of ${rows} item${rows === 1 ? '' : 's'}`;
		const whom = joinFirst(
			[...new Set(failed.map(({ keys }) => formatKeys(action.request, keys)))].filter(Boolean),
			MAX_LISTED,
		);
		return { isProblem: true, text: `${items} failed${whom && `: ${whom}`}.` };
	}
	const unit = UNITS.find(([key]) => calls.some(({ keys }) => Object.hasOwn(keys, key)));
	const bySubject = groupedBy(calls, ({ items, keys }) => {
		const whom = unit && keys[unit[0]];
		return whom === undefined ? `item ${items[0].index}` : JSON.stringify(whom);
	});
	// Several calls about the same employee, as for two periods, are counted one by one.
	const isByItem = !unit || bySubject.size < calls.length;
	const groups = isByItem ? calls.map((call) => [call]) : [...bySubject.values()];
	const states = groups.map((group) => {
		const all = group.map((call): string => {
			if (call.status === 'failed') return 'failed';
			if (call.status === 'notBegun') return 'not sent';
			if (call.status === 'wouldChange') return 'would change';
			if (call.status === 'unchanged' || call.status === 'wouldNotChange') return 'unchanged';
			if (call.records[0]?.verified === true) return 'written and verified';
			// Of an operation that the builder chose, it is only known that it was sent.
			return action.kind === 'chosen' ? 'sent' : 'written';
		});
		return WORST.find((state) => all.includes(state));
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

/** The kinds of hints behind the summary, in their order, and whether they are warnings: somebody does something about each. */
const HINTS: Readonly<Record<NoticeKind, boolean>> = {
	/** Look in the payroll service whether it has what is wanted. The text begins with the number of calls. */
	check: true,
	/** Correct what is probably a mistake, of the input or of a record. */
	unusual: true,
	/** See whether a code is mistyped. */
	new: false,
	/** See whether the value is meant that a text was taken for. */
	readAs: false,
	/** Look for the records elsewhere, or ask for more of them. */
	missing: false,
	/** Rename the column or add the row, if it was to be sent. */
	notSent: false,
	/** Add an option. */
	option: false,
};

/**
 * Returns notices about a run as hints: the summary, then those of each kind; none if there are none. More than
 * fit share the last hint. Texts are escaped because the editor renders hints as HTML.
 */
export function executionHints(run: EndedRun): NodeExecutionHint[] {
	const { action, calls, notices, redactor } = run;
	const ofCalls = calls.flatMap((call) => {
		if (call.status === 'failed' || call.status === 'notBegun') return [];
		const whom = formatKeys(action.request, call.keys);
		const { EmployeeId: employee } = call.keys;
		return call.notices.map((notice) => ({ list: whom === '' ? [] : [whom], ...notice, employee }));
	});
	const all: ReadonlyArray<Notice & { readonly employee?: unknown }> = [...notices, ...ofCalls];
	const byKind = groupedBy(all, ({ kind }) => kind);
	const kinds = Object.entries(HINTS).flatMap(([kind, isProblem]): Hint[] => {
		const own = byKind.get(kind);
		if (own === undefined) return [];
		const texts = [...groupedBy(own, ({ text }) => text)].map(([of, group]) => {
			const text = kind === 'check' ? `${group.length} ${of}` : of;
			/** The employees of each entry: one may have it in several periods. */
			const entries = new Map<string, Set<unknown>>();
			for (const { list = [], employee } of group) {
				for (const entry of list) {
					entries.set(entry, (entries.get(entry) ?? new Set()).add(employee));
				}
			}
			if (entries.size === 0) return `${text}.`;
			if (kind !== 'new') return `${text}: ${joinFirst([...entries.keys()], MAX_LISTED)}.`;
			// A call is about an employee: "4200: 24 employees, 0410: 1".
			const counts = [...entries].sort(([, a], [, b]) => b.size - a.size);
			const tally = counts.map(([entry, { size }], i) => {
				return `${entry}: ${i > 0 ? size : counted(size, 'employee')}`;
			});
			return `${text}: ${joinFirst(tally, MAX_COUNTED, ', ')}.`;
		});
		return [{ isProblem, text: texts.join(' ') }];
	});
	const last = kinds.splice(MAX_HINTS - 1);
	if (last.length > 0) {
		const isProblem = last.some((hint) => hint.isProblem);
		kinds.push({ isProblem, text: last.map(({ text }) => text).join(' ') });
	}
	return [summaryOf(run) ?? [], kinds].flat().map(({ isProblem, text }) => ({
		message: escapeXml(redactor.clean(text, MAX_HINT)),
		type: isProblem ? 'warning' : 'info',
		location: 'outputPane',
	}));
}
