/* What the error of a batch says about the other items. */
import { resources } from '../../../nodes/PayrollEmployee/actions.ts';
import type { Action, CallOutcome, CompletedCall } from '../../../nodes/shared/run/action.ts';
import { InputError } from '../../../nodes/shared/values/InputError.ts';
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
/** A call that was not begun, of so many input items. */
const notSent = (count = 1, EmployeeId = 1009): CallOutcome => ({
	items: inputItems(sheet, [...Array(count).keys()]),
	keys: { Year: 2026, Period: 6, EmployeeId },
	outcome: undefined,
	earlier: undefined,
});
const failed = (error: unknown, count?: number): CallOutcome => ({
	...notSent(count),
	outcome: { ok: false, error },
});
const done = (status: CompletedCall['status'], id: number, count?: number): CallOutcome => ({
	...notSent(count, id),
	outcome: { ok: true, value: { records: [], notices: [], status } },
});

const CHANGED = 'items whose values have changed';
const ALL = 'A new execution sends all items again.';

it('a batch in a sub-workflow of which nothing is left says which execution sends nothing', () => {
	const calls = [done('written', 1001), failed(broken)];
	expect(describeProgress(calls, update, 'execution 7')).toContain(
		' A retry of execution 7 sends nothing. A retry of a workflow that called it',
	);
});

describe('a batch of writes that ends early says', () => {
	it.each<[string, CallOutcome[], string]>([
		[
			'what the service refused with a code, which a retry sends',
			[done('written', 1001), failed(coded), notSent()],
			'1 of 3 items were applied: Employee ID 1001. 1 failed with a code of the service, and usually nothing is written then: Employee ID 1009. 1 was refused or not sent. ' +
				`To continue, retry this execution in n8n, not an earlier one: the retry sends only that one, and what failed with a code if reading shows that it is not there, and ${CHANGED}. ${ALL}`,
		],
		[
			'the number of input items, if several make one call, and of more than five employees',
			[
				...[1, 2, 3, 4, 5, 6, 7, 7].map((id) => done('written', id, 3)),
				failed(broken, 4),
				notSent(2),
			],
			'24 of 30 items were applied: Employee ID 1, 2, 3, 4, 5 and 2 more. 4 may have been applied: Employee ID 1009. 2 were refused or not sent. ' +
				`To continue, retry this execution in n8n, not an earlier one: the retry sends only those 2, and ${CHANGED}. ${ALL}`,
		],
		[
			'what an earlier run applied of what is refused or not begun now',
			[
				{ ...failed(refused), earlier: 'applied' },
				{ ...notSent(1, 1007), earlier: 'unknown' },
			],
			`1 of 2 items were applied: Employee ID 1009. 1 may have been applied: Employee ID 1007. A retry of this execution in n8n sends only ${CHANGED}. ${ALL}`,
		],
	])('%s', (_, calls, text) => {
		expect(describeProgress(calls, update, undefined)).toBe(text);
	});

	it.each<[string, CallOutcome]>([
		['was refused', failed(refused)],
		['was cancelled before it was sent', failed(new CancelledError('notApplied'))],
		[
			'had a value that is not allowed',
			failed(new InputError([{ code: 'VALUE_EMPTY', path: ['Period'], text: ' is empty.' }])),
		],
		['changed nothing', done('unchanged', 1008)],
	])('that no item was applied if the other one %s', (_, other) => {
		const text = describeProgress([other, notSent()], update, undefined);
		expect(text).toBe('No other item of this run was applied.');
	});
});
