/** A dry run: what would be sent, and nothing is. */
import type { INodeParameters } from 'n8n-workflow';
import { createAddress, updateCompany, updateCostCenters } from '../../../dev/package/calls.mts';
import { soapRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const credential = useCredential(payroll, sandbox);

const writes: Array<
	[string, 'payrollEmployee' | 'payrollCompany', INodeParameters, id: number, request: object]
> = [
	[
		'Cost Center: Update',
		'payrollEmployee',
		updateCostCenters,
		1001,
		{
			EmployeeId: 1001,
			CostCenteren: [
				{
					CostCenter: { Code: '4100' },
					Kostensoort: { Code: '400' },
					Percentage: 100,
					Default: true,
				},
			],
			Period: 6,
			Year: 2026,
		},
	],
	[
		'Address: Create',
		'payrollEmployee',
		createAddress,
		1001,
		{
			EmployeeId: 1001,
			Address: {
				Street: 'Keizersgracht',
				HouseNumber: '241',
				City: 'Amsterdam',
				Type: 'HomeAddress',
			},
			Period: 6,
			Year: 2026,
			UnprotectedMode: false,
		},
	],
	[
		'Address: Update',
		'payrollCompany',
		updateCompany,
		100,
		{ CompanyId: 100, Address: { Street: 'Herengracht', HouseNumber: '1' } },
	],
	[
		'Custom: Call',
		'payrollEmployee',
		{
			resource: 'custom',
			operation: 'call',
			operationName: 'Leave_Register',
			specifyParameters: 'json',
			parametersJson: '{"EmployeeId": 1001, "Day": ["a", "b"]}',
		},
		1001,
		{ EmployeeId: 1001, Day: ['a', 'b'] },
	],
];

it.each(writes)(
	'of %s sends nothing and returns what would be sent, with the Domain masked',
	async (_, type, parameters, id, request) => {
		const node = (more: INodeParameters) =>
			payroll.node(type, credential.id, { ...parameters, ...more });
		const { items, error } = await payroll.run([{ id }], node({ dryRun: true }));
		expect(error).toBeUndefined();
		expect(await soapRequests(sandbox)).toEqual([]);
		const [item] = items('Payroll');
		expect(item).toMatchObject({ json: { dryRun: true, request }, pairedItem: { item: 0 } });

		await payroll.run([{ id }], node({}));
		const [sent] = await soapRequests(sandbox);
		const { body = '', headers = {} } = sent ?? {};
		const { domain } = sandbox;
		expect(item?.json.envelope).toBe(
			body.replace(`<Domain>${domain}</Domain>`, '<Domain>***</Domain>'),
		);
		expect(body).toContain(`<Domain>${domain}</Domain>`);
		const action = String(headers['soapaction']);
		expect(action).toMatch(new RegExp(`/${String(item?.json.operation)}"$`));
		for (const secret of [sandbox.subscriptionKey, await payroll.accessToken(credential.id)]) {
			expect(JSON.stringify(item)).not.toContain(secret);
		}
	},
);

it('shows the calls that groups of input items make', async () => {
	const input = [1002, 1001, 1002].map((EmployeeId, i) => ({
		EmployeeId,
		Period: 6,
		Year: 2026,
		Percentage: 10 + i,
	}));
	const { items } = await payroll.run(
		input,
		credential.employee({
			resource: 'costCenter',
			operation: 'update',
			specifyCostCenteren: 'items',
			keepOthers: false,
			dryRun: true,
		}),
	);
	expect(await soapRequests(sandbox)).toEqual([]);
	expect(items('Payroll').map(({ json, pairedItem }) => [json.request, pairedItem])).toEqual([
		[
			{
				EmployeeId: 1002,
				CostCenteren: [{ Percentage: 10 }, { Percentage: 12 }],
				Period: 6,
				Year: 2026,
			},
			[{ item: 0 }, { item: 2 }],
		],
		[{ EmployeeId: 1001, CostCenteren: [{ Percentage: 11 }], Period: 6, Year: 2026 }, { item: 1 }],
	]);
});

it.each([true, '={{ $json.id === 200 }}'])(
	'is on if a workflow of an earlier version has it among the options: %s',
	async (dryRun) => {
		const parameters = { ...updateCompany, options: { dryRun } };
		const { json } = await payroll.run([{ id: 200 }], credential.company(parameters));
		expect(json('Payroll')).toMatchObject([{ CompanyId: 200, dryRun: true }]);
		expect(await soapRequests(sandbox)).toEqual([]);
	},
);

it('is read for each item', async () => {
	const node = credential.company({
		...updateCompany,
		dryRun: '={{ $json.dry }}',
	});
	const input = [
		{ id: 100, dry: true },
		{ id: 200, dry: false },
	];
	const { json } = await payroll.run(input, node);
	expect(json('Payroll')).toEqual([
		expect.objectContaining({ CompanyId: 100, dryRun: true }),
		{ CompanyId: 200, success: true },
	]);
	expect((await sandbox.stats()).soapExecuted).toEqual({ Address_Update: 1 });
});

it.each([
	['Cost Center: Update', updateCostCenters, /^'Employee ID': "x" is not a whole number/],
	[
		'Custom: Call',
		{
			...{ resource: 'custom', operation: 'call', operationName: 'Leave_Register' },
			...{ specifyParameters: 'json', parametersJson: '={{ $json.id === "x" ? 1 : "{}" }}' },
		},
		/is not an object/,
	],
])(
	'of %s refuses what the call would refuse, and counts nothing as applied',
	async (_, parameters, message) => {
		const node = credential.employee({ ...parameters, dryRun: true });
		const { error } = await payroll.run([{ id: 1001 }, { id: 'x' }], node);
		expect(error).toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(/No other item of this run was applied\.$/),
		});
	},
);
