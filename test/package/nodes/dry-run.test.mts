/** A dry run: what would be sent, and nothing is. */
import type { INodeParameters } from 'n8n-workflow';
import {
	callByName,
	createAddress,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import type { RequestEntry } from '../../../dev/sandbox/client.mts';
import { soapRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const credential = useCredential(payroll, sandbox);

const otherOperation = callByName('Leave_Register', { EmployeeId: 1001, Day: ['a', 'b'] });

it.each<[string, INodeParameters, request: object]>([
	['Address: Create', createAddress, { Address: { City: 'Amsterdam' }, Period: 6, Year: 2026 }],
	['Other Operation: Call', otherOperation, { EmployeeId: 1001, Day: ['a', 'b'] }],
])(
	'of %s writes nothing and returns what would be sent, as it is sent',
	async (_, parameters, request) => {
		const dry = { ...parameters, dryRun: true };
		const { json } = await payroll.run([{ id: 1001 }], credential.employee(dry));
		expect(json('Payroll')).toMatchObject([{ dryRun: true, written: false, request }]);
		expect(json('Payroll')[0]).not.toHaveProperty('envelope');
		const node = credential.employee({ ...dry, options: { showEnvelope: true } });
		const { items, error } = await payroll.run([{ id: 1001 }], node);
		expect(error).toBeUndefined();
		const isWrite = ({ body }: RequestEntry) => !body.includes('<Address_GetListCurrent ');
		expect((await soapRequests(sandbox)).filter(isWrite)).toEqual([]);
		const [item] = items('Payroll');
		expect(item).toMatchObject({ json: { dryRun: true, request }, pairedItem: { item: 0 } });

		await payroll.run([{ id: 1001 }], credential.employee(parameters));
		const [sent] = (await soapRequests(sandbox)).filter(isWrite);
		const { body = '', headers = {} } = sent ?? {};
		expect(item?.json.envelope).toBe(body);
		const action = String(headers['soapaction']);
		expect(action).toMatch(new RegExp(`/${String(item?.json.operation)}"$`));
		for (const secret of [sandbox.subscriptionKey, await payroll.accessToken(credential.id)]) {
			expect(JSON.stringify(item)).not.toContain(secret);
		}
	},
);

it('names a text that is emptied', async () => {
	const emptied = { ...updateCompany, addressFields: { stateProvince: '' }, dryRun: true };
	const { json } = await payroll.run([{ id: 100 }], credential.company(emptied));
	expect(json('Payroll')[0]?.changes).toMatch(/City Amsterdam · State or Province empty$/);
});

it('is read for each item', async () => {
	const node = credential.company({
		...updateCompany,
		dryRun: '={{ $json.dry }}',
	});
	const input = [
		{ id: 100, dry: true },
		{ id: 200, dry: false },
	];
	const { json, hints } = await payroll.run(input, node);
	expect(json('Payroll')).toEqual([
		expect.objectContaining({ CompanyId: 100, dryRun: true }),
		{ CompanyId: 200, success: true },
	]);
	expect(hints()).toEqual(['2 companies: 1 would change, 1 written.']);
	expect((await sandbox.stats()).soapExecuted).toEqual({ Address_Update: 1 });
});

const mistyped = `Row 3, 'Employee ID': "x" is not a whole number.`;

it.each([
	['for its values', 1001, mistyped],
	[
		'for its values, and beside them by the service',
		9999,
		`2 values cannot be used:\n• Row 2: TWK exception: Employee 9999 does not exist.\n• ${mistyped}`,
	],
])(
	'refuses what the call would refuse %s, and counts nothing as applied',
	async (_, id, message) => {
		const node = credential.employee({ ...updateCostCenters, dryRun: true });
		const { error } = await payroll.run([{ id }, { id: 'x' }], node);
		expect(error).toMatchObject({
			message,
			description: expect.stringMatching(/No other item of this run was applied\.$/),
		});
	},
);
