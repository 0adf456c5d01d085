/* What the error of a batch says about the other items. */
import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../../nodes/PayrollEmployee/actions.ts';
import type { Action, CallOutcome, CompletedCall } from '../../../nodes/shared/run/action.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { describeProgress } from '../../../nodes/shared/run/progress.ts';
import { inputItems } from '../../support/items.mts';

/** A run of one item, without parameters. */
const sheet = {
	getInputData: () => [{ json: {} }],
	getNode: () => ({ type: 'payroll', parameters: {} }),
	getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
};

const refused = new ServiceError('REFUSED', 'notApplied', 'No');
const coded = new ServiceError('FAULT_CODED', 'refused', '2011: No');
const broken = new ServiceError('BROKEN', 'unknown', 'No');

const update = resources.costCenter?.operations.update as Action;
const keysOf = (id: number): IDataObject => ({ Year: 2026, Period: 6, EmployeeId: id });
const failed = (error: unknown, id = 1009): CallOutcome => ({
	items: inputItems(sheet, [0]),
	keys: keysOf(id),
	outcome: { ok: false, error },
	earlier: undefined,
});
const done = (status: CompletedCall['status'], id: number): CallOutcome => ({
	items: inputItems(sheet, [0]),
	keys: keysOf(id),
	outcome: { ok: true, value: { records: [], notices: [], status } },
	earlier: undefined,
});
const applied = (...ids: number[]): CallOutcome[] => ids.map((id) => done('written', id));
const unchanged = done('unchanged', 1008);
const notSent: CallOutcome = {
	items: inputItems(sheet, [0]),
	keys: keysOf(1007),
	outcome: undefined,
	earlier: undefined,
};
const rows = (call: CallOutcome, count: number): CallOutcome => ({
	...call,
	items: inputItems(sheet, [...Array(count).keys()]),
});

const ONLY_ONE =
	'1 was refused or not sent. To continue, retry this execution in n8n, not an earlier one: the retry sends only that one, and items whose values have changed.';
const REFUSED = 'what failed with a code if reading shows that it is not there';
const ONLY_TWO =
	'2 were refused or not sent. To continue, retry this execution in n8n, not an earlier one: the retry sends only those 2, and items whose values have changed.';
const NOTHING = 'A retry of this execution in n8n sends nothing.';
const ONLY_CHANGED = 'A retry of this execution in n8n sends only items whose values have changed.';
const ALL = 'A new execution sends all items again.';

const described = (calls: readonly CallOutcome[]): string =>
	describeProgress(calls, update, undefined);

it('a batch in a sub-workflow of which nothing is left says which execution sends nothing', () => {
	const said = describeProgress([...applied(1001), failed(broken)], update, 'execution 7');
	expect(said).toContain(
		' A retry of execution 7 sends nothing. A retry of a workflow that called it',
	);
});

describe('a batch of writes that ends early says', () => {
	it.each<[string, CallOutcome[], string]>([
		[
			'what was applied, and what a retry sends',
			[...applied(1001), failed(refused)],
			`1 of 2 items were applied: Employee ID 1001. ${ONLY_ONE} ${ALL}`,
		],
		[
			'what was applied and what may have been',
			[...applied(1001, 1002), failed(broken)],
			`2 of 3 items were applied: Employee ID 1001, 1002. 1 may have been applied: Employee ID 1009. ${NOTHING} ${ALL}`,
		],
		[
			'what the service refused with a code, which a retry sends',
			[...applied(1001), failed(coded), notSent],
			`1 of 3 items were applied: Employee ID 1001. 1 failed with a code of the service, and usually nothing is written then: Employee ID 1009. ${ONLY_ONE.replace('that one, ', `that one, and ${REFUSED}, `)} ${ALL}`,
		],
		[
			'the number of input items, if several make one call',
			[...applied(1001).map((call) => rows(call, 3)), rows(failed(broken), 4), rows(notSent, 2)],
			`3 of 9 items were applied: Employee ID 1001. 4 may have been applied: Employee ID 1009. ${ONLY_TWO} ${ALL}`,
		],
		[
			'how many more than five employees there are',
			[...applied(1, 2, 3, 4, 5, 6, 7, 7), failed(broken)],
			`8 of 9 items were applied: Employee ID 1, 2, 3, 4, 5 and 2 more. 1 may have been applied: Employee ID 1009. ${NOTHING} ${ALL}`,
		],
		[
			'what an earlier run applied of what is refused or not begun now',
			[
				{ ...failed(refused), earlier: 'applied' },
				{ ...notSent, earlier: 'unknown' },
			],
			`1 of 2 items were applied: Employee ID 1009. 1 may have been applied: Employee ID 1007. ${ONLY_CHANGED} ${ALL}`,
		],
	])('%s', (_, calls, text) => {
		expect(described(calls)).toBe(text);
	});

	it.each<[string, CallOutcome]>([
		['was refused', failed(refused)],
		['was cancelled before it was sent', failed(new CancelledError('notApplied'))],
		[
			'had a value that is not allowed',
			failed(new InputError([{ code: 'VALUE_EMPTY', path: ['Period'], text: ' is empty.' }])),
		],
		['changed nothing', unchanged],
		['was not sent', notSent],
	])('that no item was applied if the other one %s', (_, other) => {
		expect(described([other, notSent])).toBe('No other item of this run was applied.');
	});
});
