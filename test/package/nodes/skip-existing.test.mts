/** Skip If It Exists: an address is inserted only if no current one has its values. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createAddress, getAddresses } from '../../../dev/package/calls.mts';
import { expectValidRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
const credential = useCredential(payroll, sandbox);
afterEach(async () => await expectValidRequests(sandbox));

/** With three addresses. */
const EMPLOYEE = 1003;

async function current(id = EMPLOYEE): Promise<IDataObject[]> {
	const options = { includeRequestKeys: false };
	const node = credential.employee({ ...getAddresses, options });
	return (await payroll.run([{ id }], node)).json('Payroll');
}

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
	const before = await current();
	const [, second] = before as [IDataObject, IDataObject];
	await sandbox.reset();
	const { Street, HouseNumber, HouseNumberAddition, Type } = second;
	const given = {
		...{ Street, HouseNumber: Number(HouseNumber), HouseNumberAddition, Type },
		StateProvince: null,
	};
	const { json, error } = await create(given);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toEqual([{ ...keys, ...second, created: false }]);
	expect(await executed()).toEqual({ Address_GetListCurrent: 1 });
	expect(await current()).toEqual(before);
});

it('finds what an earlier item inserted for the same employee', async () => {
	const before = await current();
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
	const after = await current();
	expect(after.slice(0, -1)).toEqual(before);
	expect(first).toEqual({ Id: after.at(-1)?.Id, created: true });
	expect([second, fourth]).toEqual([
		{ ...after.at(-1), created: false },
		{ ...after.at(-1), created: false },
	]);
	expect(other).toEqual({ Id: (await current(1004)).at(-1)?.Id, created: true });
	expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
});

it('inserts without reading if the switch is off for the item', async () => {
	const [first] = (await current()) as [IDataObject];
	await sandbox.reset();
	const { Id: _, ...values } = first;
	for (const skipIfExists of [false, '={{ $json.id < 1000 }}']) {
		const { json } = await create(values, { skipIfExists });
		expect(json('Payroll')).toEqual([{ ...keys, Id: expect.any(Number) as number }]);
	}
	expect(await executed()).toEqual({ Address_Insert: 2 });
});

describe('with Dry Run', () => {
	const dry = { dryRun: true, skipIfExists: true, options: { showEnvelope: true } };
	const shown = { ...keys, dryRun: true, written: false, operation: 'Address_Insert' };

	it('returns the address that exists, and no request', async () => {
		const [first] = (await current()) as [IDataObject];
		const { json, error } = await create({ Street: first.Street }, dry);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([
			{ ...keys, dryRun: true, written: false, ...first, created: false, envelope: null },
		]);
	});

	it('shows the request that would insert the address, and writes nothing', async () => {
		const before = await current();
		const { json, error } = await create({ Street: 'Nowhere' }, dry);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([
			{
				...shown,
				changes: 'Street Nowhere',
				request: { ...keys, Address: { Street: 'Nowhere' }, UnprotectedMode: false },
				envelope: expect.stringContaining('<Street>Nowhere</Street>') as string,
			},
		]);
		expect(await current()).toEqual(before);
	});
});
