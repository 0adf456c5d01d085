import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import {
	exampleWorkflow,
	linked,
	withFields,
	withParameters,
} from '../../../dev/package/workflow-file.mts';
import { expectValidRequests } from '../requests.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('update-employees.json');
const wet = withFields(example, 'Settings', { dryRun: false });

const bench = useBench();

const ids = [1001, 1002, 1003];

/** The employees of the example, as the service has them now. */
async function employees(): Promise<IDataObject[]> {
	return (await bench.run(example)).json('Get Employee');
}

it('has the fields in its form that the editor offers for the operation', async () => {
	const nodes = linked(example.nodes, { [CREDENTIAL_TYPE]: bench.credential.id });
	const node = nodes.find(({ name }) => name === 'Get Employee');
	if (node === undefined) throw new Error('The example has no such node');
	const { fields } = await bench.payroll.fields(node, 'getOperationParameters');
	expect(node.parameters.operationParameters).toMatchObject({ schema: fields });
});

it('begins with a dry run, which shows each employee with the changed field', async () => {
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	expect(await bench.executed()).toEqual({ Employee_Get: 3 });
	const read = json('Get Employee');
	expect(read.map(({ EmployeeId, TaxCredit }) => [EmployeeId, TaxCredit])).toEqual(
		ids.map((id) => [id, true]),
	);
	const requests = read.map(({ EmployeeId, ...Employee }) => ({
		EmployeeId,
		Employee: { ...Employee, TaxCredit: false },
	}));
	expect(json('Update Employee')).toEqual(
		requests.map((request) => ({
			EmployeeId: request.EmployeeId,
			dryRun: true,
			operation: 'Employee_Update',
			request,
			envelope: expect.stringContaining('<TaxCredit>false</TaxCredit>') as string,
		})),
	);
});

it('changes the field of each employee, and nothing else', async () => {
	const before = await employees();
	await bench.sandbox.reset();
	const { error, items } = await bench.run(wet);
	expect(error).toBeUndefined();
	expect(await bench.executed()).toEqual({ Employee_Get: 3, Employee_Update: 3 });
	expect(items('Update Employee')).toEqual(
		ids.map((EmployeeId, item) => ({
			json: { EmployeeId, Employee_UpdateResult: true, Version: 2, Warnings: [] },
			pairedItem: { item },
		})),
	);
	expect(await employees()).toEqual(
		before.map((employee) => ({ ...employee, '@Version': 2, TaxCredit: false })),
	);
	await expectValidRequests(bench.sandbox);
});

it('does not overwrite an employee that was changed after it was read', async () => {
	await bench.run(wet);
	const stale = withParameters(wet, 'Change Tax Credit', () => ({
		mode: 'raw',
		jsonOutput: '={{ { "@Version": 1, "TaxCredit": true } }}',
		includeOtherFields: true,
		options: {},
	}));
	const { error } = await bench.run(stale);
	expect(error?.message).toContain('The employee was changed, and is at version 2 now.');
	expect(error?.description).toContain('The change was not applied.');
	expect(await employees()).toMatchObject(ids.map(() => ({ TaxCredit: false })));
});
