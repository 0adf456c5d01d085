/** Items of reads: simplified, and for whom there is nothing. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
} from '../../../dev/package/calls.mts';
import { replying } from '../../support/scripted.mts';
import { useConnected, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapList, XML } from '../../support/soap.mts';
import { withoutAddress, withoutCostCenter } from '../../../dev/sandbox/state.mts';

const { sandbox, payroll, credential } = useSandbox();
const server = useScriptedServer();
const scripted = useConnected(payroll, server);

async function read(parameters: INodeParameters, used = credential): Promise<IDataObject[]> {
	const result = await payroll.run([{ id: 1001 }], used.employee(parameters));
	expect(result.error).toBeUndefined();
	return result.json('Payroll');
}

it('gives flat columns with English names, the request keys included', async () => {
	const raw = await read(getCostCenters);
	const { simplify: _, ...byDefault } = getCostCenters;
	const flat = await read(byDefault);
	expect(flat).toEqual(
		raw.map(({ CostCenter, Kostensoort, ...row }) => ({
			employeeId: 1001,
			period: 6,
			year: 2026,
			recordId: row.Id,
			costCenterCode: (CostCenter as IDataObject).Code,
			costCenterDescription: (CostCenter as IDataObject).Description,
			costCenterId: (CostCenter as IDataObject).Id,
			costTypeCode: (Kostensoort as IDataObject).Code,
			costTypeDescription: (Kostensoort as IDataObject).Description,
			percentage: row.Percentage,
			default: row.Default,
		})),
	);
	expect(Object.keys((await read({ ...getAddresses, simplify: true }))[0] ?? {})).toEqual([
		...['employeeId', 'addressId', 'default', 'street', 'houseNumber', 'houseNumberAddition'],
		...['postalCode', 'city', 'stateOrProvince', 'countryIsoCode', 'type'],
	]);
});

it('has null for a missing field, keeps fields that the interface does not specify, and no row that is nil', async () => {
	const nil = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
	const row =
		`<EmployeeCostCenter ${nil}/>` +
		'<EmployeeCostCenter><Id>1</Id><CostCenter><Code>A</Code><Group>G</Group></CostCenter>' +
		'<ValidFrom>2026-01-01</ValidFrom><Period>1</Period></EmployeeCostCenter>';
	server.play(replying(200, XML, soapList('CostCenter_Get', row)));
	expect(await read({ ...getCostCenters, simplify: true }, scripted)).toEqual([
		{
			...{ employeeId: 1001, period: 6, year: 2026, recordId: 1, costCenterCode: 'A' },
			...{ costCenterDescription: null, costCenterId: null, costTypeCode: null },
			...{ costTypeDescription: null, percentage: null, default: null },
			...{ costCenterGroup: 'G', validFrom: '2026-01-01', 'record.period': '1' },
		},
	]);
});

describe('a simplified record as JSON', () => {
	const address = { street: 'Markt', houseNumber: '1', postalCode: '2611 GP', city: 'Delft' };
	const create = async (given: IDataObject) =>
		await payroll.run(
			[{ id: 1001 }],
			credential.employee({
				...createAddress,
				specifyAddress: 'json',
				addressJson: JSON.stringify(given),
			}),
		);

	it('is written like that of the service, without what is null', async () => {
		const given = { ...address, countryIsoCode: 'NL', addressId: null, Type: 'HomeAddress' };
		expect((await create(given)).error).toBeUndefined();
		const bodies = (await sandbox.requests()).map(({ body }) => body);
		expect(bodies.flatMap((body) => /<Address>.*<\/Address>/s.exec(body) ?? [])).toEqual([
			'<Address><Street>Markt</Street><HouseNumber>1</HouseNumber><PostalCode>2611 GP</PostalCode>' +
				'<City>Delft</City><CountryISOCode>NL</CountryISOCode><Type>HomeAddress</Type></Address>',
		]);
	});

	it('is refused if it gives a value twice', async () => {
		const { error } = await create({ ...address, City: 'Delft' });
		expect(error?.message).toBe("'city' is given twice, as 'City'");
	});
});

describe('Return an Item if Empty', () => {
	const wanted = { options: { returnItemIfEmpty: true } };
	const inPeriod = { Period: 6, Year: 2026 };

	it.each<[string, INodeParameters, number, object]>([
		['cost centers', getCostCenters, withoutCostCenter, inPeriod],
		['addresses', getAddresses, withoutAddress, {}],
	])('an employee without %s is an item with the keys', async (_, parameters, id, keys) => {
		const read = async (more: INodeParameters) => {
			const input = [{ id }, { id: 1001 }];
			const result = await payroll.run(input, credential.employee({ ...parameters, ...more }));
			expect(result.error).toBeUndefined();
			return result.items('Payroll');
		};
		const [first, second] = await read(wanted);
		expect(first).toMatchObject({ json: { EmployeeId: id }, pairedItem: { item: 0 } });
		expect(first?.json).toEqual({ EmployeeId: id, ...keys });
		expect(second?.json.Id).toEqual(expect.any(Number));
		const off = { options: { returnItemIfEmpty: false } };
		for (const more of [{}, off]) {
			expect((await read(more)).map(({ json }) => json.EmployeeId)).not.toContain(id);
		}

		const [simple, other] = await read({ ...wanted, simplify: true });
		expect(Object.keys(simple?.json ?? {})).toEqual(Object.keys(other?.json ?? {}));
		const { employeeId, period: _period, year: _year, ...columns } = simple?.json ?? {};
		expect(employeeId).toBe(id);
		expect(new Set(Object.values(columns))).toEqual(new Set([null]));
	});

	it.each<[string, 'payrollCompany' | 'payrollHourCodes', INodeParameters, object]>([
		['hour codes', 'payrollHourCodes', getHourCodes, { CompanyId: 100 }],
		[
			'records of another list',
			'payrollCompany',
			{
				...{ resource: 'list', operation: 'getAll', path: '/api/companies/{id}/teams' },
				parameters: { parameter: [{ name: 'id', value: '={{ $json.id }}' }] },
			},
			{ id: 100 },
		],
	])('a company without %s is an item with the keys', async (_, name, parameters, keys) => {
		const read = async (more: INodeParameters) => {
			server.play(replying(200, 'application/json', '[]'));
			const node = payroll.node(name, scripted.id, { ...parameters, ...more });
			return (await payroll.run([{ id: 100 }], node)).json('Payroll');
		};
		expect(await read(wanted)).toEqual([keys]);
		expect(await read({})).toEqual([]);
		expect(await read({ options: { ...wanted.options, includeRequestKeys: false } })).toEqual([{}]);
	});
});
