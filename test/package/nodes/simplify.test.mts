/** Simplified records: flat columns with English names. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, runWorkflow, type NodeDraft } from '../../../dev/engine/index.mts';
import { createAddress, getAddresses, getCostCenters } from '../../../dev/package/calls.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapList, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox);
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: server.url }));

const fromItems: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	specifyCostCenteren: 'items',
	keepOthers: false,
};

async function read(parameters: INodeParameters, used = credential): Promise<IDataObject[]> {
	const result = await payroll.run([{ id: 1001 }], used.employee(parameters));
	expect(result.error).toBeUndefined();
	return result.json('Payroll');
}

/** The content of each write's operation element. */
async function written(): Promise<string[]> {
	const bodies = (await sandbox.requests()).map(({ body }) => body);
	return bodies.flatMap((body) => /<(CostCenter_Update) [^>]*>(.*)<\/\1>/s.exec(body)?.[2] ?? []);
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

it('has null for a missing field, and keeps fields that the interface does not specify', async () => {
	const row =
		'<EmployeeCostCenter><Id>1</Id><CostCenter><Code>A</Code><Group>G</Group></CostCenter>' +
		'<ValidFrom>2026-01-01</ValidFrom></EmployeeCostCenter>';
	server.play(replying(200, XML, soapList('CostCenter_Get', row)));
	expect(await read({ ...getCostCenters, simplify: true }, scripted)).toEqual([
		{
			...{ employeeId: 1001, period: 6, year: 2026, recordId: 1, costCenterCode: 'A' },
			...{ costCenterDescription: null, costCenterId: null, costTypeCode: null },
			...{ costTypeDescription: null, percentage: null, default: null },
			...{ costCenterGroup: 'G', validFrom: '2026-01-01' },
		},
	]);
});

/** Reads, changes and writes back; the rows of the write are the items of the node before it. */
async function rewrite(simplify: boolean, ...between: NodeDraft[]) {
	const first = credential.employee({ ...getCostCenters, simplify }, { name: 'Read' });
	const last = credential.employee(fromItems, { name: 'Write' });
	return await runWorkflow(payroll.workflow(chain([{ id: 1001 }], first, ...between, last)));
}

it('From Input Items writes simplified items back as they were read', async () => {
	for (const simplify of [false, true]) {
		const { error, json } = await rewrite(simplify);
		expect(error).toBeUndefined();
		expect(json('Write')).toMatchObject([{ changes: 'nothing changed' }]);
	}
	expect(await written()).toEqual([]);
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
