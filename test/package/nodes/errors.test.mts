/** What an error says: the message, the advice, and which call it is about. */
import { readFileSync } from 'node:fs';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	callByName,
	callFromList,
	createAddress,
	getCostCenters,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox();

async function failure(input: IDataObject[], parameters: INodeParameters) {
	const node = credential.employee(parameters);
	const { error } = await payroll.run(input, node);
	return error;
}

it('a value from an input item names its row, its label and the call', async () => {
	const item = (EmployeeId: number, Code: unknown) => ({
		EmployeeId,
		Period: 6,
		Year: 2026,
		CostCenter: { Code: '4900' },
		Kostensoort: { Code },
	});
	const input = [
		item(1001, '400'),
		item(1002, '400'),
		{ ...item(1001, true), CostCenter: { Code: '4910' } },
	];
	const parameters = { ...updateCostCenters, specifyCostCenteren: 'items' };
	expect(await failure(input, parameters)).toMatchObject({
		name: 'NodeOperationError',
		message: "Row 4, 'Cost Type Code': true is not a text.",
		description: expect.stringMatching(
			/^Nothing was written .* Employee ID 1001, Period 6, Year 2026, rows 2 and 4\. No other item/,
		),
		context: { data: { request: { EmployeeId: 1001, Period: 6, Year: 2026 } } },
	});
});

it('records that cannot be read before a write keep their own advice, and nothing is written', async () => {
	const parameters = { ...updateCostCenters, keepOthers: true };
	expect(await failure([{ id: 4711 }], parameters)).toMatchObject({
		message: 'TWK exception: Employee 4711 does not exist.',
		description:
			'The current records could not be read. The payroll service refused the call. Correct the values. ' +
			'The change was not applied. Employee ID 4711, Period 6, Year 2026.',
		httpCode: '500',
		context: { itemIndex: 0, data: { outcome: 'notApplied', httpStatus: 500 } },
	});
	expect((await sandbox.stats()).soapCalls).toEqual({ CostCenter_Get: 1 });
});

describe('an item that failed', () => {
	const onError = 'continueRegularOutput';
	const failed = async (item: IDataObject, parameters: INodeParameters) => {
		const { json, hints } = await payroll.run([item], credential.employee(parameters, { onError }));
		return { error: json('Payroll')[0]?.error, hints: hints() };
	};
	const refused = {
		code: 'FAULT_REFUSED',
		message: 'TWK exception: Employee 4711 does not exist.',
		httpStatus: 500,
		details: expect.stringMatching(/^soap:Server\n\S+: Server was unable .*does not exist\.$/),
	};

	it('has the advice of a read, no stack trace, and no hint that anything was retried', async () => {
		const { error, hints } = await failed({ id: 4711 }, getCostCenters);
		expect(error).toEqual({
			...refused,
			description:
				'The payroll service refused the call. Correct the values. Employee ID 4711, Period 6, Year 2026.',
			request: { EmployeeId: 4711, Period: 6, Year: 2026 },
		});
		expect(hints).toEqual(['1 of 1 item failed: Employee ID 4711, Period 6, Year 2026.']);
	});

	it('is the one that docs/errors.md shows, whose details are shortened', async () => {
		const [, block = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/errors.md', 'utf8')) ?? [];
		const shown = JSON.parse(block) as { error: IDataObject };
		const { error } = await failed({ id: 1001 }, { ...createAddress, period: '5' });
		const details = String(shown.error.details).replace('…', '');
		expect(details.length).toBeGreaterThan(50);
		expect(error).toEqual({
			...shown.error,
			details: expect.stringContaining(details),
		});
	});

	it('names the keys as the other items do if they are simplified', async () => {
		const simplified = { ...getCostCenters, simplify: true };
		const { error } = await failed({ id: 4711 }, simplified);
		expect(error).toMatchObject({ request: { employeeId: 4711, period: 6, year: 2026 } });
		const unread = await failed({ id: 'x' }, simplified);
		expect(unread.error).toMatchObject({ request: { period: 6, year: 2026 } });
		expect(unread.error).not.toHaveProperty('request.employeeId');
	});

	it('of an operation with Only Reads says nothing about a change', async () => {
		const parameters = callFromList('Employee_Get', { options: { onlyReads: true } });
		const { error } = await failed({ EmployeeId: 4711 }, parameters);
		expect(error).toEqual({
			...refused,
			description: 'The payroll service refused the call. Correct the values. Employee ID 4711.',
			request: { EmployeeId: 4711 },
		});
	});
});

it.each([
	{ resource: '__CUSTOM_API_CALL__' },
	{ resource: 'costCenter', operation: '__CUSTOM_API_CALL__' },
])("n8n's own entry Custom API Call, as in %j, is explained", async (chosen) => {
	expect(await failure([{}], chosen)).toMatchObject({
		message: 'This node does not run Custom API Call',
		description: expect.stringContaining("Use n8n's HTTP Request node with this credential."),
	});
});

it('an operation that the package does not have says what to do', async () => {
	expect(await failure([{}], { resource: 'costCenter', operation: 'lost' })).toMatchObject({
		message: 'The operation "lost" of "costCenter" is not known',
		description: expect.stringContaining('Choose the resource and the operation again.'),
	});
});

it('HTML in a value is shown as text: the editor renders descriptions, and messages in one of two places', async () => {
	const link = '<a href="https://evil.example">1 & 2</a>';
	const address = {
		...createAddress,
		...{ specifyAddress: 'json', onlyTheseFields: true },
		addressJson: `={"${'<img src=x>'}": 1}`,
	};
	expect((await failure([{ id: 1001 }], address))?.message).toMatch(
		/^'‹img src=x>' is not a known field/,
	);

	const operation = callByName('Leave_Register', { EmployeeId: link });
	const thrown = await failure([{ id: 1001 }], operation);
	expect(thrown?.description).toContain(
		'Employee ID &lt;a href="https://evil.example"&gt;1 &amp; 2&lt;/a&gt;.',
	);
	const node = credential.employee(operation, { onError: 'continueRegularOutput' });
	const { json } = await payroll.run([{ id: 1001 }], node);
	expect((json('Payroll')[0]?.error as IDataObject).description).toContain(`Employee ID ${link}.`);
});

it('a failed item of a write does not say what was said of another one', async () => {
	const earlier = { id: 'x', written: true, verified: true, outcome: 'applied' };
	const continues = { onError: 'continueRegularOutput' } as const;
	const { json } = await payroll.run([earlier], credential.employee(createAddress, continues));
	expect(json('Payroll')).toEqual([{ id: 'x', error: expect.any(Object) }]);
});
