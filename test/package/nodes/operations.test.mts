/** Every operation: what its items are. */
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	soapCalls,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { expectValidRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
afterEach(async () => await expectValidRequests(sandbox));

describe.each(['1.1', '1.2'])('with SOAP %s', (soapVersion) => {
	const credential = useCredential(payroll, sandbox, () => ({ soapVersion }));

	const employee = (parameters: typeof getCostCenters) => credential.employee(parameters);

	it.each(soapCalls)('returns the items of $name, paired', async (call) => {
		const { node, parameters, id, items: expected } = call;
		const { items, error } = await payroll.run(
			[{ id }],
			payroll.node(node, credential.id, parameters),
		);
		expect(error).toBeUndefined();
		expect(items('Payroll')).toMatchObject(
			expected(id).map((json) => ({ json, pairedItem: { item: 0 } })),
		);
	});

	it('returns the items of several calls in input order, paired', async () => {
		const { items, error } = await payroll.run(
			[{ id: 1002 }, { id: 1001 }],
			employee(getCostCenters),
		);
		expect(error).toBeUndefined();
		const employees = items('Payroll').map(({ json }) => json.EmployeeId);
		expect(new Set(employees)).toEqual(new Set([1002, 1001]));
		expect(employees).toEqual([...employees].sort().reverse());
		for (const { json, pairedItem } of items('Payroll')) {
			expect(pairedItem).toEqual({ item: json.EmployeeId === 1002 ? 0 : 1 });
		}
	});

	it('updates cost centers, and gets back what was written', async () => {
		const update = await payroll.run([{ id: 1003 }], employee(updateCostCenters));
		expect(update.items('Payroll')).toEqual([
			{ json: { EmployeeId: 1003, Period: 6, Year: 2026, success: true }, pairedItem: { item: 0 } },
		]);
		const { json } = await payroll.run([{ id: 1003 }], employee(getCostCenters));
		expect(json('Payroll')).toContainEqual(
			expect.objectContaining({
				CostCenter: expect.objectContaining({ Code: '4100' }),
				Kostensoort: expect.objectContaining({ Code: '400' }),
				Percentage: 100,
				Default: true,
			}),
		);
	});

	it('creates an address, and gets it back among the current ones', async () => {
		const created = await payroll.run([{ id: 1004 }], employee(createAddress));
		const [item] = created.items('Payroll');
		expect(item).toEqual({
			json: { EmployeeId: 1004, Period: 6, Year: 2026, Id: expect.any(Number) },
			pairedItem: { item: 0 },
		});
		const { json } = await payroll.run([{ id: 1004 }], employee(getAddresses));
		expect(json('Payroll')).toContainEqual(
			expect.objectContaining({
				EmployeeId: 1004,
				Id: item?.json.Id,
				Street: 'Keizersgracht',
				HouseNumber: '241',
				City: 'Amsterdam',
				Type: 'HomeAddress',
			}),
		);
	});

	it('returns no item for an empty list', async () => {
		const all = Array.from({ length: 60 }, (_, i) => ({ id: 1001 + i }));
		const { items } = await payroll.run(all, employee(getAddresses));
		const sources = new Set(items('Payroll').map(({ json }) => json.EmployeeId));
		expect(sources.size).toBe(59);
	});

	it('leaves the request keys out if the builder does not want them', async () => {
		const options = { includeRequestKeys: false };
		const read = await payroll.run([{ id: 1001 }], employee({ ...getAddresses, options }));
		expect(read.json('Payroll')[0]).not.toHaveProperty('EmployeeId');
		const write = await payroll.run([{ id: 1001 }], employee({ ...updateCostCenters, options }));
		expect(write.json('Payroll')).toEqual([{ success: true }]);
	});

	it('gives a refused insert as a sentence of the service, with advice and the details', async () => {
		const node = employee({ ...createAddress, period: 5 });
		const { error } = await payroll.run([{ id: 1005 }], node);
		const request = { EmployeeId: 1005, Period: 5, Year: 2026 };
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^TWK exception: The period lies before/),
			description:
				"If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway. " +
				'The change was not applied. Employee ID 1005, Period 5, Year 2026.',
			httpCode: '500',
			context: {
				itemIndex: 0,
				data: { request, serviceCode: '2011', httpStatus: 500, outcome: 'notApplied' },
			},
		});
		expect(error?.message).not.toMatch(/---&gt;|--->|\bat EmployeeService|SoapException/);
		const allowed = employee({ ...createAddress, period: 5, unprotectedMode: true });
		expect((await payroll.run([{ id: 1005 }], allowed)).json('Payroll')).toHaveLength(1);
	});
});

it('gets all hour codes of each company, over several pages, paired', async () => {
	const credential = await payroll.connect(sandbox);
	await sandbox.reset();
	const options = { pageSize: 10 };
	const node = payroll.node('payrollHourCodes', credential, { ...getHourCodes, options });
	const { items } = await payroll.run([{ id: 100 }, { id: '200' }], node);
	expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual([
		...Array<object>(37).fill({ item: 0 }),
		...Array<object>(3).fill({ item: 1 }),
	]);
	expect(items('Payroll')[37]?.json).toMatchObject({ CompanyId: 200 });
});
