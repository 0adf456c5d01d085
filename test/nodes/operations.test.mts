import { launchSandbox, type SandboxClient } from '../sandbox/client.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	Payroll,
	updateCompany,
	updateCostCenters,
} from '../support/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

describe.each(['1.1', '1.2'])('with SOAP %s', (soapVersion) => {
	let credential: string;

	beforeAll(async () => {
		credential = await payroll.connect(sandbox, { soapVersion });
	});

	it('gets the cost centers of employees, in input order, paired and with their keys', async () => {
		const result = await payroll.run(
			[{ id: 1002 }, { id: 1001 }],
			payroll.node('payrollEmployee', credential, getCostCenters),
		);
		expect(result.error).toBeUndefined();
		const items = result.items('Payroll');
		expect(items.length).toBeGreaterThan(1);
		const employees = items.map(({ json }) => json.EmployeeId);
		expect(employees).toEqual([...employees].sort().reverse());
		for (const { json, pairedItem } of items) {
			expect(pairedItem).toEqual({ item: json.EmployeeId === 1002 ? 0 : 1 });
			expect(json).toMatchObject({ Period: 6, Year: 2026, CostCenter: { Code: expect.any(String) } });
			expect(typeof json.Percentage).toBe('number');
		}
	});
});
