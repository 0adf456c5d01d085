/** n8n runs a node again, and refuses now what the run before applied: nobody is told that it was not. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	retryWorkflow,
	runWorkflow,
	type Result,
	type RunOptions,
} from '../../../dev/engine/index.mts';
import { createAddress, getAddresses, updateCostCenters } from '../../../dev/package/calls.mts';
import { CONTINUE, employees, UNKNOWN_EMPLOYEE, useReruns } from './reruns.mts';

const { sandbox, payroll, credential, lost, create, options, sent } = useReruns();
beforeEach(async () => await payroll.credentials.patch(credential.id, { readOnly: false }));

const errors = ({ json }: Result): unknown[] => json('Payroll').map(({ error }) => error);

const APPLIED = 'The run before applied this item, with the values that it had then.';

describe('Retry On Fail takes what the first try recorded, whatever is wrong with a value now', () => {
	/** A value that is not allowed from the second try on. An unknown employee keeps it. */
	const period = `={{ $json.id !== ${UNKNOWN_EMPLOYEE} && $execution.customData.get("of" + $json.id) ? "x" : ($execution.customData.set("of" + $json.id, "1"), 6) }}`;
	const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('with Continue', async () => {
		lost.add(1002);
		const input = employees(UNKNOWN_EMPLOYEE, 1001, 1002);
		const { json } = await payroll.run(input, create({ period }, { ...again, ...CONTINUE }));
		expect(sent()).toBe(4);
		expect(json('Payroll')).toMatchObject([
			{ error: { outcome: 'notApplied' } },
			{ EmployeeId: 1001, Id: expect.any(Number) },
			{ error: { code: 'CONNECTION_LOST', outcome: 'unknown' } },
		]);
	});
});

/** What a person may change before a retry, so that an item that was applied is refused. */
const refusals: ReadonlyArray<[string, string, INodeParameters]> = [
	['a value', 'VALUE_INVALID', { period: '={{ $json.id === 1001 ? "x" : 6 }}' }],
	['a switch', 'VALUE_INVALID', { skipIfExists: '={{ $json.id === 1001 ? "x" : false }}' }],
	[
		'the Domain',
		'DOMAIN_INVALID',
		{ options: { domain: '={{ $json.id === 1001 ? "" : "acme" }}' } },
	],
	['an expression', 'N8N_ERROR', { street: '={{ $("Nobody").first().json.street }}' }],
	['an option of the run', 'VALUE_INVALID', { options: { timeout: -1 } }],
];

describe("n8n's retry of a failed execution, in which an applied item is refused because of", () => {
	it.each(refusals)('%s', async (_, code, parameters) => {
		const input = employees(1001, 1002, UNKNOWN_EMPLOYEE);
		const failed = await runWorkflow(options(input, create()));
		expect(sent()).toBe(3);
		const retried = await retryWorkflow(options(input, create(parameters)), failed);
		expect(sent()).toBe(3);
		const { description, context } = retried.errorOf('Payroll') as unknown as {
			description: string;
			context: { data: IDataObject };
		};
		expect(context.data).toMatchObject({ code, outcome: 'applied' });
		expect(description).toContain(APPLIED);
		expect(description).not.toMatch(/Nothing was written|was not applied\.|may have been applied/);
		expect(description).toContain(
			'2 of 3 items were applied: Employee ID 1001, 1002. 1 was refused',
		);
		const continued = options(input, create(parameters, CONTINUE));
		const [error] = errors(await retryWorkflow(continued, retried));
		expect(error).toMatchObject({
			...{ code, outcome: 'applied' },
			description: expect.stringContaining(APPLIED),
		});
	});

	it('its current records', async () => {
		const input = employees(1001, UNKNOWN_EMPLOYEE);
		const update = (percentage: number): RunOptions => {
			const row = [{ costCenterCode: '4900', percentage, fields: { default: true } }];
			const costCenteren = { row };
			const parameters = { ...updateCostCenters, costCenteren, keepOthers: true };
			return options(input, credential.employee(parameters));
		};
		const failed = await runWorkflow(update(0));
		expect(failed.errorOf('Payroll')?.message).not.toContain('100');
		const retried = await retryWorkflow(update(50), failed);
		expect(retried.error?.description).toContain(APPLIED);
		expect(retried.error?.description).toContain('1 of 2 items were applied');
		expect(sent()).toBe(1);
	});

	it('the service, which applied other values before: they stay recorded', async () => {
		const input = employees(1001, UNKNOWN_EMPLOYEE);
		const failed = await runWorkflow(options(input, create()));
		const changed = create({ employeeId: UNKNOWN_EMPLOYEE });
		const retried = await retryWorkflow(options(input, changed), failed);
		expect(retried.error?.description).toContain(APPLIED);
		expect(sent()).toBe(3);
		const restored = await retryWorkflow(options(input, create({}, CONTINUE)), retried);
		expect(restored.json('Payroll')[0]).toMatchObject({ EmployeeId: 1001 });
		expect(sent()).toBe(4);
	});
});

it('a retry with Read Only on takes what the run before applied, and sends nothing', async () => {
	const input = employees(1001, 1002, UNKNOWN_EMPLOYEE);
	const failed = await runWorkflow(options(input, create()));
	await payroll.credentials.patch(credential.id, { readOnly: true });
	const retried = await retryWorkflow(options(input, create()), failed);
	expect(retried.errorOf('Payroll')?.message).toBe('The credential is read-only');
	expect(retried.error?.description).toContain(
		'2 of 3 items were applied: Employee ID 1001, 1002.',
	);
	const other = await retryWorkflow(options(input, create({ street: 'Other' })), failed);
	expect(other.errorOf('Payroll')?.message).toBe('The credential is read-only');
	expect(other.error?.description).toContain(APPLIED);
	expect(sent()).toBe(3);
});

it('a row of a group that is refused by its own keys was applied with its group', async () => {
	const row = (EmployeeId: number, Percentage: number) => ({
		...{ EmployeeId, Period: 6, Year: 2026, Percentage },
		CostCenter: { Code: `49${Percentage}` },
	});
	const input = [row(1001, 60), row(1001, 40), row(UNKNOWN_EMPLOYEE, 100)];
	const parameters = { ...updateCostCenters, specifyCostCenteren: 'items' };
	const failed = await runWorkflow(options(input, credential.employee(parameters)));
	expect(sent()).toBe(1);
	const domain = `={{ $itemIndex === 1 ? "" : "${sandbox.domain}" }}`;
	const again = credential.employee({ ...parameters, options: { domain } }, CONTINUE);
	const [, error] = errors(await retryWorkflow(options(input, again), failed));
	expect(error).toMatchObject({ code: 'DOMAIN_INVALID', outcome: 'applied' });
});

describe('a retry of a node that failed before it could write is not one after a crash', () => {
	const unusable: ReadonlyArray<[string, INodeParameters]> = [
		['of an unknown operation', { ...createAddress, operation: 'remove' }],
		['of a read', getAddresses],
	];

	it.each(unusable)('%s', async (_, parameters) => {
		const input = employees(UNKNOWN_EMPLOYEE);
		const failed = await runWorkflow(options(input, credential.employee(parameters)));
		expect(failed.errorOf('Payroll')).toBeDefined();
		const corrected = options(input, create({ employeeId: 1001 }));
		const retried = await retryWorkflow(corrected, failed);
		expect(retried.errorOf('Payroll')).toBeUndefined();
		expect(retried.json('Payroll')).toMatchObject([{ EmployeeId: 1001 }]);
	});

	it('keeps what was written before', async () => {
		const input = employees(1001, UNKNOWN_EMPLOYEE);
		const failed = await runWorkflow(options(input, create()));
		const unknown = options(input, create({ operation: 'remove' }));
		const refused = await retryWorkflow(unknown, failed);
		expect(refused.errorOf('Payroll')?.message).toContain('not known');
		const retried = await retryWorkflow(options(input, create({}, CONTINUE)), refused);
		expect(retried.json('Payroll')).toMatchObject([{ EmployeeId: 1001 }, { error: {} }]);
		expect(sent()).toBe(3);
	});
});
