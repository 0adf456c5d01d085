/** The switches of writes: Keep Other Cost Centers, Skip If It Exists and Dry Run. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	getCostCenters,
	createAddress,
	getAddresses,
	callByName,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { sentOperations, soapRequests } from '../requests.mts';
import { useSandbox } from '../../support/setUp.mts';
import type { RequestEntry } from '../../../dev/sandbox/client.mts';

const { sandbox, payroll, credential } = useSandbox({ schemaValidation: true });
// A service that replaces the whole list: there, what is not sent is lost.
beforeAll(async () => await sandbox.configure({ costCenterUpdate: 'replace' }));
// All requests are valid.
afterEach(async () => void (await sentOperations(sandbox)));

/** With three cost centers and three addresses. */
const EMPLOYEE = 1003;

async function current(id = EMPLOYEE, of = getCostCenters): Promise<IDataObject[]> {
	const node = credential.employee({ ...of, options: { includeRequestKeys: false } });
	return (await payroll.run([{ id }], node)).json('Payroll');
}

const update: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	employeeId: EMPLOYEE,
	period: 6,
	year: 2026,
	verify: false,
};

const codeOf = ({ CostCenter }: IDataObject) => String((CostCenter as IDataObject).Code);

async function keep(rows: IDataObject[], more: INodeParameters = {}, used = credential) {
	const json = { specifyCostCenteren: 'json', costCenterenJson: JSON.stringify(rows) };
	const parameters = { ...update, ...json, ...more };
	return await payroll.run([{}], used.employee(parameters));
}

it('changes what is given by Id or by code, adds what is new, and keeps everything else', async () => {
	const before = await current();
	const [first, second, third] = before as [IDataObject, IDataObject, IDataObject];
	const { Code } = second.CostCenter as IDataObject;
	const { json, error } = await keep([
		{ Id: third.Id as number, Percentage: '20.50' },
		{ CostCenter: { Code: Code as string }, Percentage: 40, Default: null },
		{ CostCenter: { Code: 'NEW' }, Percentage: '6.16' },
	]);
	expect(error).toBeUndefined();
	const changedSecond = { ...second, Percentage: 40 };
	const added = { CostCenter: { Code: 'NEW' }, Percentage: '6.16' };
	expect(json('Payroll')).toEqual([
		{
			EmployeeId: EMPLOYEE,
			Period: 6,
			Year: 2026,
			success: true,
			written: true,
			changes: [
				`${Code as string}: ${String(second.Percentage)} → 40 %`,
				`${codeOf(third)}: ${String(third.Percentage)} → 20.5 %`,
				'NEW: added, 6.16 %',
			].join(' · '),
			percentageTotal: 100,
		},
	]);
	expect(await current()).toEqual([
		first,
		changedSecond,
		{ ...third, Percentage: 20.5 },
		{ ...added, Id: expect.any(Number), Percentage: 6.16 },
	]);
	expect((await sandbox.stats()).soapExecuted).toMatchObject({ CostCenter_Update: 1 });
});

it.each([
	['', {}, { success: true, written: false, changes: 'nothing changed', outcome: 'unchanged' }],
	[
		' with Dry Run',
		{ dryRun: true, options: { showEnvelope: true } },
		{ dryRun: true, written: false, envelope: null, changes: 'nothing would change' },
	],
])('sends nothing%s if nothing would change, and says so', async (_, dryRun, more) => {
	const before = await current();
	await sandbox.reset();
	const { json, error } = await keep(before.slice(0, 2), dryRun);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toEqual([
		{
			...{ EmployeeId: EMPLOYEE, Period: 6, Year: 2026, ...more, percentageTotal: 100 },
		},
	]);
	expect((await sandbox.stats()).soapExecuted).toEqual({ CostCenter_Get: 1 });
	expect(await current()).toEqual(before);
});

describe('Skip If It Exists', () => {
	const addresses = async (id = EMPLOYEE) => await current(id, getAddresses);
	/** What the item of an address says that was there. */
	const existed = { changes: 'nothing changed', created: false, outcome: 'unchanged' };

	const executed = async () => (await sandbox.stats()).soapExecuted;

	function creating(address: unknown, more: INodeParameters = {}): INodeParameters {
		return {
			...createAddress,
			specifyAddress: 'json',
			addressJson: typeof address === 'string' ? address : JSON.stringify(address),
			...{ skipIfExists: true, onlyTheseFields: true },
			...more,
		};
	}

	async function create(address: unknown, more?: INodeParameters, used = credential) {
		const node = used.employee(creating(address, more));
		return await payroll.run([{ id: EMPLOYEE }], node);
	}

	const keys = { EmployeeId: EMPLOYEE, Period: 6, Year: 2026 };

	it('inserts nothing if a current address has all given values, and returns that one', async () => {
		const before = await addresses();
		const [, second] = before as [IDataObject, IDataObject];
		await sandbox.reset();
		const { Street, HouseNumber, HouseNumberAddition, Type } = second;
		const given = {
			...{ Street, HouseNumber: Number(HouseNumber), HouseNumberAddition, Type },
			StateProvince: null,
		};
		const { json, error } = await create(given);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([{ ...keys, ...second, ...existed }]);
		expect(await executed()).toEqual({ Address_GetListCurrent: 1 });
		expect(await addresses()).toEqual(before);
	});

	it('finds what an earlier item inserted for the same employee', async () => {
		const before = await addresses();
		const { json, items, error } = await payroll.run(
			[{ id: EMPLOYEE }, { id: EMPLOYEE }, { id: 1004 }, { id: EMPLOYEE }],
			credential.employee({
				...createAddress,
				skipIfExists: true,
				options: { includeRequestKeys: false, concurrency: 5 },
			}),
		);
		expect(error).toBeUndefined();
		const [first, second, other, fourth] = json('Payroll');
		const after = await addresses();
		expect(after.slice(0, -1)).toEqual(before);
		const changes = expect.stringContaining('House Number 241') as string;
		expect(first).toEqual({ Id: after.at(-1)?.Id, created: true, changes });
		expect([second, fourth]).toEqual([
			{ ...after.at(-1), ...existed },
			{ ...after.at(-1), ...existed },
		]);
		expect(other).toEqual({ Id: (await addresses(1004)).at(-1)?.Id, created: true, changes });
		expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
	});

	describe('with Dry Run', () => {
		const dry = { dryRun: true, skipIfExists: true, options: { showEnvelope: true } };

		it('returns the address that exists, and no request', async () => {
			const [first] = (await addresses()) as [IDataObject];
			const { json, error } = await create({ Street: first.Street }, dry);
			expect(error).toBeUndefined();
			const shown = { ...existed, changes: 'nothing would change', outcome: undefined };
			expect(json('Payroll')).toEqual([
				{ ...keys, dryRun: true, written: false, ...first, ...shown, envelope: null },
			]);
		});
	});
});

describe('Dry Run', () => {
	const EmployeeCostCenter = ['4100', '4200'].map((Code) => ({
		CostCenter: { Code },
		Percentage: 50,
	}));
	const twoRows = { EmployeeId: 1001, CostCenteren: { EmployeeCostCenter }, Period: 6, Year: 2026 };
	const otherOperation = callByName('CostCenter_Update', twoRows);

	it.each<[string, INodeParameters, request: object]>([
		['Address: Create', createAddress, { Address: { City: 'Amsterdam' }, Period: 6, Year: 2026 }],
		['Other Operation: Call', otherOperation, twoRows],
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

	it.each([
		['', / · City Delft · State or Province empty$/],
		[null, / · City Delft$/],
	])('names a text that is emptied by %j, and nothing that is not sent', async (text, changes) => {
		const given = { Street: 'Markt', HouseNumber: '1', PostalCode: '2611 GP', City: 'Delft' };
		const addressJson = JSON.stringify({ ...given, StateProvince: text });
		const json = { ...updateCompany, specifyAddress: 'json', addressJson, dryRun: true };
		const result = await payroll.run([{ id: 100 }], credential.company(json));
		expect(result.json('Payroll')[0]?.changes).toMatch(changes);
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
});
