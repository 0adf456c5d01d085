import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { createAddress, Payroll, updateCostCenters } from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

async function failure(input: IDataObject[], parameters: INodeParameters) {
	const node = payroll.node('payrollEmployee', credential, parameters);
	const { error } = await payroll.run(input, node);
	return error;
}

it('a TWK exception points at Unprotected Mode, and that does away with it', async () => {
	const before = { ...createAddress, period: 5 };
	expect(await failure([{ id: 1001 }], before)).toMatchObject({
		message: expect.stringMatching(/^TWK exception: The period lies before/),
		description:
			"If the period lies before the company's current one, turn on 'Unprotected Mode' to insert the address all the same. " +
			'The change was not applied. Employee ID 1001, Period 5, Year 2026.',
		context: {
			data: {
				request: { EmployeeId: 1001, Period: 5, Year: 2026 },
				serviceCode: '2011',
				outcome: 'notApplied',
			},
		},
	});
	expect(await failure([{ id: 1001 }], { ...before, unprotectedMode: true })).toBeUndefined();
});

it('a value from an input item names the item, the element and its label, and the call', async () => {
	const item = (EmployeeId: number, Code: unknown) => ({
		EmployeeId,
		Period: 6,
		Year: 2026,
		Kostensoort: { Code },
	});
	const input = [item(1001, '400'), item(1002, '400'), item(1001, true)];
	const parameters = { ...updateCostCenters, specifyCostCenteren: 'items' };
	expect(await failure(input, parameters)).toMatchObject({
		name: 'NodeOperationError',
		message: "Item 2, 'Cost Type Code' (Kostensoort.Code): true is not a text.",
		description: expect.stringMatching(
			/^Nothing was written .* Employee ID 1001, Period 6, Year 2026\. No other item/,
		),
		context: { itemIndex: 2, data: { request: { EmployeeId: 1001, Period: 6, Year: 2026 } } },
	});
});

it('a key that an input item lacks is left out of the place', async () => {
	const parameters = { ...updateCostCenters, specifyCostCenteren: 'items' };
	const error = await failure([{ EmployeeId: 1001, Year: 2026, Percentage: 100 }], parameters);
	expect(error).toMatchObject({
		message: "Item 0, 'Period' is empty.",
		description: expect.stringMatching(/ Employee ID 1001, Year 2026\.$/),
		context: { data: { request: { EmployeeId: 1001, Year: 2026 } } },
	});
});

it('records that cannot be read before they are changed keep the advice of their own', async () => {
	const parameters = { ...updateCostCenters, keepOthers: true };
	expect(await failure([{ id: 4711 }], parameters)).toMatchObject({
		message: 'Employee 4711 does not exist.',
		description:
			'The current records could not be read. The payroll service refused the call. Correct the values. ' +
			'The change was not applied. Employee ID 4711, Period 6, Year 2026.',
	});
});

it.each([
	{ resource: '__CUSTOM_API_CALL__' },
	{ resource: 'costCenter', operation: '__CUSTOM_API_CALL__' },
])("n8n's own entry Custom API Call, as in %j, says what it stands for", async (chosen) => {
	expect(await failure([{}], chosen)).toMatchObject({
		message: 'Custom API Call is not run by this node',
		description: expect.stringContaining("Use n8n's HTTP Request node with this credential."),
	});
});

it('an operation that the package does not have says what to do', async () => {
	expect(await failure([{}], { resource: 'costCenter', operation: 'lost' })).toMatchObject({
		message: 'The operation "lost" of "costCenter" is not known',
		description: expect.stringContaining('Choose the resource and the operation again.'),
	});
});
