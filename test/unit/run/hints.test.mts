/* The texts of the hints; test/package/nodes/hints.test.mts has them in runs of a node. */
import { resources } from '../../../nodes/PayrollEmployee/actions.ts';
import type { Action } from '../../../nodes/shared/run/action.ts';
import { Redactor } from '../../../nodes/shared/run/redact.ts';
import { executionHints } from '../../../nodes/shared/run/hints.ts';
import type { CallOutcome, CompletedCall } from '../../../nodes/shared/run/progress.ts';
import { inputItems } from '../../support/items.mts';

const action = resources.costCenter?.operations.getAll as Action;

/** A call about an employee; with one record, if the result names none. */
const call = (EmployeeId: number, result: Partial<CompletedCall> = {}, items = 1): CallOutcome => ({
	items: inputItems({}, [...Array(items).keys()]),
	keys: { EmployeeId },
	outcome: { ok: true, value: { records: [{}], notices: [], status: 'read', ...result } },
	earlier: undefined,
});

/** A call that failed. */
const failed = (EmployeeId: number, items = 1): CallOutcome => ({
	...call(EmployeeId, {}, items),
	outcome: { ok: false, error: new Error('refused') },
});

const calls = (count: number, result: Partial<CompletedCall>) =>
	Array.from({ length: count }, (_, i) => call(1001 + i, result));

/** Types and messages of the hints, all of which belong to the output. */
function hintsOf(
	calls: readonly CallOutcome[],
	secrets: readonly string[] = [],
	changes: Partial<Action> = {},
) {
	const redactor = new Redactor(secrets);
	const hints = executionHints({ ...action, ...changes } as Action, {
		calls,
		notices: [],
		redactor,
	});
	expect(hints.every(({ location }) => location === 'outputPane')).toBe(true);
	return hints.map(({ type, message }) => [type, message]);
}

const notice = (text: string, list: readonly string[]) => ({
	notices: [{ isProblem: true, text, list }],
});

const employees = (count: number) =>
	Array.from({ length: count }, (_, i) => `Employee ID ${1001 + i}`).join('; ');

it('a run without anything to report has no hints', () => {
	expect(hintsOf([])).toEqual([]);
	expect(hintsOf([call(1001)])).toEqual([]);
});

describe('writes are summed up', () => {
	const write = { effect: 'write' } as const;
	const changes = (EmployeeId: number) => call(EmployeeId, { status: 'wouldChange' });
	const verified = { status: 'written', records: [{ verified: true }] } as const;

	it.each<[string, CallOutcome[], string]>([
		[
			'a preview, by employees',
			[changes(1001), call(1002, { status: 'wouldNotChange' }, 2), failed(1003)],
			'Preview of 3 employees (4 rows): 1 would change, 1 unchanged, 1 cannot: Employee ID 1003.',
		],
		[
			'a run, by employees',
			[call(1001, verified), call(1002, verified), call(1003, { status: 'written' }), failed(1004)],
			'4 employees: 2 written and verified, 1 written, 1 failed: Employee ID 1004.',
		],
		[
			'a run with two items for an employee, by items',
			[call(1001, { status: 'written' }), call(1001, { status: 'unchanged' })],
			'2 items: 1 written, 1 unchanged.',
		],
	])('%s', (_, all, text) => {
		const isProblem = all.some(({ outcome }) => outcome?.ok === false);
		expect(hintsOf(all, [], write)).toEqual([[isProblem ? 'warning' : 'info', text]]);
	});
});

describe('failures that do not end the run', () => {
	it('are counted by input items and named', () => {
		expect(hintsOf([call(1001), failed(999999), failed(999999), call(1002, {}, 2)])).toEqual([
			['warning', '2 of 5 items failed: Employee ID 999999.'],
		]);
	});

	it('without keys are counted', () => {
		expect(hintsOf([{ ...failed(0), keys: {} }])).toEqual([['warning', '1 of 1 item failed.']]);
	});
});

it('notices of calls are shown once, up to ten', () => {
	const notices = Array.from({ length: 11 }, (_, i) => ({
		isProblem: i === 0,
		text: `Part ${i}.`,
	}));
	const hints = hintsOf([call(1001, { notices }), call(1002, { notices })]);
	expect(hints).toHaveLength(10);
	expect(hints.slice(0, 2)).toEqual([
		['warning', 'Part 0.'],
		['info', 'Part 1.'],
	]);
});

describe('calls without records', () => {
	const empty = { records: [] };

	it('are named, up to five of them', () => {
		const named = (count: number) => hintsOf([...calls(count, empty), call(2000)]);
		expect(named(1)).toEqual([['info', 'No records for Employee ID 1001.']]);
		expect(named(5)).toEqual([['info', `No records for ${employees(5)}.`]]);
		expect(named(7)).toEqual([['info', `No records for ${employees(5)}; and 2 more.`]]);
	});

	it('without keys are mentioned', () => {
		const unknown = { ...call(0, empty), keys: {} };
		expect(hintsOf([unknown])).toEqual([['info', 'No records.']]);
		expect(hintsOf([unknown, call(1001, empty)])).toEqual([
			['info', 'No records for Employee ID 1001.'],
		]);
	});
});

it('what notices with the same text apply to is listed once, up to ten', () => {
	const names = Array.from({ length: 12 }, (_, i) => `Field${i}`);
	expect(
		hintsOf([
			call(1001, notice('Not sent', names.slice(0, 9))),
			call(1002, notice('Not sent', names)),
			call(1003, notice('Uneven', ['Field0'])),
		]),
	).toEqual([
		['warning', `Not sent: ${names.slice(0, 10).join('; ')}; and 2 more.`],
		['warning', 'Uneven: Field0.'],
	]);
});

it('items that an earlier try of the run wrote are counted', () => {
	const recalled = { status: 'recalled' } as const;
	const text = 'written by an earlier try of this run, and not sent again.';
	expect(hintsOf([call(1001, recalled), call(1002)])).toEqual([['info', `1 item was ${text}`]]);
	expect(hintsOf([call(1001, recalled, 2), call(1002, recalled)])).toEqual([
		['info', `3 items were ${text}`],
	]);
});

it('texts in a hint are escaped, masked and cut', () => {
	const list = ['<b>', 'kantoor-zuid-7f3a'];
	expect(hintsOf([call(1001, notice('Not sent', list))], ['kantoor-zuid-7f3a'])).toEqual([
		['warning', 'Not sent: &lt;b&gt;; ***.'],
	]);
	const [[, long] = []] = hintsOf([call(1001, notice('Not sent', ['x'.repeat(5000)]))]);
	expect(long).toHaveLength(2001);
});
