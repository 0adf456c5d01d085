import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, editFields, runWorkflow } from '../../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { getAddresses, getCostCenters, Payroll } from '../../../dev/package/payroll.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

let sandbox: SandboxClient;
let server: ScriptedServer;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, server, payroll] = await Promise.all([
		launchSandbox(),
		scriptedServer(),
		Payroll.load(),
	]);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close()]));
beforeEach(async () => await sandbox.reset());

const employee = (parameters: INodeParameters, more = {}, id = credential) =>
	payroll.node('payrollEmployee', id, parameters, more);

const fromItems: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	specifyCostCenteren: 'items',
	keepOthers: false,
};

async function read(parameters: INodeParameters, id = credential): Promise<IDataObject[]> {
	const result = await payroll.run([{ id: 1001 }], employee(parameters, {}, id));
	expect(result.error).toBeUndefined();
	return result.json('Payroll');
}

/** The content of each write's operation element. */
async function written(): Promise<string[]> {
	const bodies = (await sandbox.requests()).map(({ body }) => body);
	return bodies.flatMap((body) => /<(CostCenter_Update) [^>]*>(.*)<\/\1>/s.exec(body)?.[2] ?? []);
}

it('gives flat columns with English names, whom and when included', async () => {
	const raw = await read(getCostCenters);
	const flat = await read({ ...getCostCenters, simplify: true });
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

it('has null where a field is missing, and keeps what the service sends beyond its interface', async () => {
	const id = await payroll.connect(sandbox, { soapUrl: server.url });
	server.play((response) => {
		response
			.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' })
			.end(
				'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
					'<CostCenter_GetResponse xmlns="http://payroll.example/soap/v3/EmployeeService"><CostCenter_GetResult>' +
					'<EmployeeCostCenter><Id>1</Id><CostCenter><Code>A</Code><Group>G</Group></CostCenter>' +
					'<ValidFrom>2026-01-01</ValidFrom></EmployeeCostCenter>' +
					'</CostCenter_GetResult></CostCenter_GetResponse></s:Body></s:Envelope>',
			);
	});
	expect(await read({ ...getCostCenters, simplify: true }, id)).toEqual([
		{
			...{ employeeId: 1001, period: 6, year: 2026, recordId: 1, costCenterCode: 'A' },
			...{ costCenterDescription: null, costCenterId: null, costTypeCode: null },
			...{ costTypeDescription: null, percentage: null, default: null },
			...{ costCenterGroup: 'G', validFrom: '2026-01-01' },
		},
	]);
});

it('is off by default, and needs no request keys', async () => {
	expect(await read(getCostCenters)).toEqual(await read({ ...getCostCenters, simplify: false }));
	const options = { includeRequestKeys: false };
	const [flat = {}] = await read({ ...getCostCenters, simplify: true, options });
	expect(Object.keys(flat)[0]).toBe('recordId');
});

it('From Input Items writes simplified items back as they were read', async () => {
	const { host, credentials } = payroll;
	for (const simplify of [false, true]) {
		const { error, json } = await runWorkflow({
			...chain(
				[{ id: 1001 }],
				employee({ ...getCostCenters, simplify }, { name: 'Read' }),
				employee(fromItems, { name: 'Write' }),
			),
			host,
			credentials,
		});
		expect(error).toBeUndefined();
		expect(json('Write')).toEqual([{ EmployeeId: 1001, Period: 6, Year: 2026, success: true }]);
	}
	const [raw, flat] = await written();
	expect(flat).toBe(raw);
	expect(raw).toMatch(/<EmployeeCostCenter><Id>/);
});

it('From Input Items takes a changed column, and none that contradicts an element', async () => {
	const { host, credentials } = payroll;
	const change = async (fields: Record<string, string>) =>
		await runWorkflow({
			...chain(
				[{ id: 1001 }],
				employee({ ...getCostCenters, simplify: true }, { name: 'Read' }),
				editFields(fields, 'Change'),
				employee(fromItems, { name: 'Write' }),
			),
			host,
			credentials,
		});
	expect((await change({ costCenterCode: '4099' })).error).toBeUndefined();
	expect((await written())[0]).toMatch(/<CostCenter><Code>4099<\/Code>/);

	const { error } = await change({ 'CostCenter.Code': '4999' });
	expect(error?.message).toBe(
		`Item 0, 'Cost Center Code' (CostCenter.Code): "4999" contradicts the column 'costCenterCode', which holds "4099".`,
	);
	expect(await written()).toHaveLength(1);
});
