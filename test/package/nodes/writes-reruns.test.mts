/**
 * Writes that n8n runs again: with other switches, or by the node that calls their sub-workflow.
 *
 * @jest-environment-options {"timeFactor": 100}
 */
import type { INodeParameters } from 'n8n-workflow';
import { chain, runSubWorkflow, runWorkflow } from '../../../dev/engine/index.mts';
import { lost, serverFault, type Behaviour } from '../../support/plain-service.mts';
import {
	continues,
	EMPLOYEE,
	HELD,
	insert,
	KEY,
	refused,
	type Shares,
	unknown,
	update,
	upstairs,
	useWrites,
} from './writes.mts';

const { service, payroll, credential, putShares, shares, run } = useWrites();

describe('a retry of the execution with another switch is another call', () => {
	const refusesSecond = () => {
		service.behaviour = (who) => (who === KEY ? {} : { applies: 'never', answer: refused });
	};
	const two = [{ id: EMPLOYEE }, { id: 1002 }];
	const both = { 4100: 100, 4200: 40 };

	it.each<[string, INodeParameters, object, Shares, writes: number]>([
		['none', {}, { written: true }, both, 1],
		['Keep Other Cost Centers', { keepOthers: false }, { written: true }, { 4100: 100 }, 2],
		['Total Must Be 100 %', { totalMustBe100: true }, { written: false }, both, 1],
		['Any Period', { anyPeriod: true }, { written: false }, both, 1],
	])('%s', async (_, changed, item, stored, writes) => {
		putShares({ 4100: 60, 4200: 40 });
		refusesSecond();
		const parameters = update({ 4100: 100 }, { totalMustBe100: false });
		const failed = await run(parameters, {}, two);
		expect(failed.error).toMatchObject({ outcome: 'notApplied' });
		service.behaviour = {};
		const { items, error } = await failed.retry({ ...parameters, ...changed });
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject(item);
		expect(shares()).toEqual(stored);
		expect(service.writes(KEY)).toBe(writes);
	});

	it.each<[string, Behaviour]>([
		['1 applied', {}],
		['1 perhaps applied', { applies: HELD, answer: lost }],
	])('with another period, and a hint names what was %s before', async (what, behaviour) => {
		service.behaviour = (who) => (who === KEY ? behaviour : { applies: 'never', answer: refused });
		const failed = await run(insert(), {}, two);
		service.behaviour = {};
		const { hints } = await failed.retry(insert({ period: 7 }));
		expect(hints).toContain(
			`${what} by the run before with other values, and written again: Employee ID 1001, Period 7, Year 2026.`,
		);
		expect(service.writes(KEY)).toBe(2);
	});

	it('Skip If It Exists', async () => {
		refusesSecond();
		const failed = await run(insert(), {}, two);
		service.behaviour = {};
		const { items } = await failed.retry(insert({ skipIfExists: true }));
		expect(items).toMatchObject([{ created: false }, { created: true }]);
		expect(service.writes(KEY)).toBe(1);
	});
});

it.each<[string, Behaviour, string]>([
	['refused', { applies: 'never', answer: serverFault('2011: No') }, 'sends it again only if'],
	['written otherwise', { applies: 'half' }, 'does not send it again'],
])(
	'the error of a change in a sub-workflow, %s, names its execution',
	async (_, behaviour, what) => {
		service.behaviour = behaviour;
		const node = credential.employee(update({ 4100: 60, 4200: 40 }));
		const called = payroll.workflow(chain([{ id: EMPLOYEE }], node));
		const { error, id } = await runSubWorkflow(called, what);
		expect(error?.description).toContain(
			`etry of execution ${id} of the workflow 'called' ${what}`,
		);
		expect(error?.description).not.toContain('this execution');
	},
);

it('calls of a model by the MCP Server Trigger, which have no execution, are no tries of one call', async () => {
	const called = payroll.workflow(chain([{ id: EMPLOYEE }], credential.employee(insert())));
	service.behaviour = { applies: 'never', answer: serverFault('2011: Employee is locked') };
	const failed = await runSubWorkflow(called, '__UNKNOWN__');
	expect(failed.error?.context.data).toMatchObject({ outcome: 'refused' });
	service.behaviour = {};
	const { json } = await runSubWorkflow(called, '__UNKNOWN__');
	expect(json('Payroll')).toMatchObject([{ verified: true }]);
});

it('an update that a later one has undone is sent again for the same caller', async () => {
	const call = async (id: number, share: number) => {
		const node = credential.employee(update({ 4100: share, 4200: 100 - share }));
		return await runSubWorkflow(payroll.workflow(chain([{ id }], node)), 'a loop');
	};
	service.behaviour = (who) => (who === KEY ? {} : { applies: 'never', answer: refused });
	await call(EMPLOYEE, 100);
	await call(1002, 100);
	await call(EMPLOYEE, 10);
	const { json } = await call(EMPLOYEE, 100);
	expect(json('Payroll')).toMatchObject([{ verified: true }]);
	expect(shares()).toEqual({ 4100: 100, 4200: 0 });
});

it('a second node sends no change of an employee behind a doubt of the first', async () => {
	service.behaviour = (_, index) => (index === 0 ? { applies: HELD, answer: lost } : {});
	const first = credential.employee(update({ 4100: 50, 4200: 50 }), continues);
	const parameters = update({ 4100: 10, 4200: 90 }, { employeeId: EMPLOYEE });
	const second = credential.employee(parameters, { name: 'Second', ...continues });
	const { json } = await runWorkflow(payroll.workflow(chain([{ id: EMPLOYEE }], first, second)));
	expect(json('Second')).toMatchObject([{ error: { code: 'EARLIER_CHANGE_IN_DOUBT' } }]);
	expect(service.writes()).toBe(1);
});

it('an item that had nothing to write does not undo a later one in a retry', async () => {
	putShares({ 4100: 60 });
	service.behaviour = (who) => (who === KEY ? {} : { applies: 'never', answer: refused });
	const parameters = update({ 4100: '={{ $json.share }}' }, { totalMustBe100: false });
	const input = [60, 50, 40].map((share) => ({ id: share > 40 ? EMPLOYEE : 1002, share }));
	const failed = await run(parameters, {}, input);
	service.behaviour = {};
	expect((await failed.retry()).items).toMatchObject([
		{ outcome: 'unchanged' },
		{ written: true },
		{},
	]);
	expect([shares(), service.writes(KEY)]).toEqual([{ 4100: 50 }, 1]);
});

it('an address that was refused is sent by a retry, although another one is new', async () => {
	service.behaviour = { applies: 'never', answer: serverFault('2011: No') };
	const failed = await run(insert());
	const other = { Street: 'Dorpsstraat', PostalCode: '3511 AA', City: 'Utrecht' };
	service.put(KEY, [{ ...upstairs, ...other }]);
	service.behaviour = {};
	expect((await failed.retry()).items).toMatchObject([{ verified: true }]);
	expect(service.writes()).toBe(2);
});

it('a large update in doubt is not sent again when the node that calls its sub-workflow tries again', async () => {
	service.behaviour = { applies: 'never', answer: lost };
	const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [4100 + index, 1.25]));
	const called = payroll.workflow(chain([{ id: EMPLOYEE }], credential.employee(update(many))));
	for (const _ of [1, 2]) {
		const { error } = await runSubWorkflow(called, 'caller');
		expect(error?.context?.data).toMatchObject(unknown);
	}
	expect(service.writes()).toBe(1);
});
