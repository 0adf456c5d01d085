import { createClientAsync } from 'soap';
import type { Client } from 'soap';
import { describedCalls } from '../../../dev/package/described.mts';
import { Xmllint, type TextFile } from '../../../dev/sandbox/xmllint.mts';
import { readXml, type XmlElement } from '../../../dev/sandbox/xml.mts';
import { useService } from './setUp.mts';

const service = useService(
	{ namespace: 'https://loon.example/ws' },
	{ description: 'open', descriptionDrift: false },
);
const names = ['EmployeeService', 'CompanyService'] as const;

type Method = (request: object) => Promise<[Record<string, unknown> | null, ...unknown[]]>;

async function clientOf(
	name: string,
	forceSoap12Headers: boolean,
): Promise<{ client: Client; method: (operation: string) => Method }> {
	const { sandbox, token } = service;
	const address = `${sandbox.url}/soap/v3/${name}.asmx`;
	const client: Client = await createClientAsync(`${address}?wsdl`, {
		...{ forceSoap12Headers, disableCache: true },
	});
	client.addHttpHeader('Authorization', `Bearer ${token}`);
	client.addHttpHeader('X-Subscription-Key', sandbox.subscriptionKey);
	const namespace = `${sandbox.namespace}/${name}`;
	client.addSoapHeader({ AuthHeaderWithDomain: { Domain: sandbox.domain } }, '', 'tns', namespace);
	return { client, method: (operation) => client[`${operation}Async`] as Method };
}

describe.each([false, true])('the soap package as client (SOAP 1.2: %s)', (soap12) => {
	it('calls all five operations from the WSDL alone', async () => {
		const { method: employees } = await clientOf('EmployeeService', soap12);
		const period = { Period: 6, Year: 2026 };
		const [got] = await employees('CostCenter_Get')({ EmployeeId: 1002, ...period });
		expect(got).toMatchObject({
			CostCenter_GetResult: {
				EmployeeCostCenter: [
					{ Percentage: 62.5, Default: true, CostCenter: { Code: '4200' } },
					{ Percentage: 37.5, Default: false },
				],
			},
		});
		const [updated] = await employees('CostCenter_Update')({
			EmployeeId: 1002,
			CostCenteren: { EmployeeCostCenter: [{ Percentage: '5.50', Default: false }] },
			...period,
		});
		expect(updated).toBeNull();
		const [inserted] = await employees('Address_Insert')({
			EmployeeId: 1002,
			Address: { Street: 'A & B', Type: 'PostAddress' },
			...period,
			UnprotectedMode: false,
		});
		const { Address_InsertResult: id } = inserted as { Address_InsertResult: number };
		const [listed] = await employees('Address_GetListCurrent')({ EmployeeId: 1002 });
		const { EmployeeAddress: rows } = (listed as Record<string, { EmployeeAddress: object[] }>)[
			'Address_GetListCurrentResult'
		] ?? { EmployeeAddress: [] };
		expect(rows.at(-1)).toEqual({ Id: id, Street: 'A & B', Type: 'PostAddress' });
		const { method: companies } = await clientOf('CompanyService', soap12);
		await companies('Address_Update')({ CompanyId: 100, Address: { City: "'s-Gravenhage" } });
		const calls = { CostCenter_Get: 1, CostCenter_Update: 1, Address_Insert: 1, Address_Update: 1 };
		expect(await service.sandbox.stats()).toMatchObject({ soapExecuted: calls });
		const requests = (await service.sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(requests.map(({ violations }) => violations)).toEqual([[], [], [], [], []]);
	});

	it('lists the operations beyond the interface, and calls some of both services', async () => {
		for (const name of names) {
			const { client } = await clientOf(name, soap12);
			const [port] = Object.values(Object.values(client.describe() as Described)[0] ?? {});
			const more = describedCalls.filter((call) => call.service === name).map((call) => call.name);
			expect(Object.keys(port ?? {})).toEqual(expect.arrayContaining(more));
			expect(Object.keys(port ?? {})).toHaveLength(name === 'EmployeeService' ? 14 : 7);
		}
		const { method: employees } = await clientOf('EmployeeService', soap12);
		const [got] = await employees('Employee_Get')({ EmployeeId: 1002 });
		expect(got).toMatchObject({
			Employee_GetResult: {
				attributes: { Version: '1' },
				MaritalStatus: 'Registered partnership',
				Partner: { BankAccount: { IBAN: 'NL91ABNA0417164300' } },
			},
		});
		const { method: companies } = await clientOf('CompanyService', soap12);
		const [tree] = await companies('Department_GetTree')({ CompanyId: 100 });
		expect(tree).toMatchObject({
			Department_GetTreeResult: {
				Departments: { Department: [{ Name: 'Kitchen' }, { Name: 'Service' }] },
			},
		});
		const requests = (await service.sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(requests.map(({ violations }) => violations)).toEqual([[], []]);
	});
});

type Described = Record<string, Record<string, object>>;

async function get(name: string, search: string, token?: string) {
	const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	const url = `${service.sandbox.url}/soap/v3/${name}.asmx${search}`;
	const response = await fetch(url, { headers });
	const type = response.headers.get('content-type');
	return { status: response.status, type, text: await response.text() };
}

const all = (element: XmlElement, name: string): XmlElement[] => [
	...(element.name === name ? [element] : []),
	...element.children.flatMap((child) => all(child, name)),
];

describe('the description', () => {
	it.each(names)('of %s has documentation and both bindings of each operation', async (name) => {
		const { status, type, text } = await get(name, '?WSDL');
		expect({ status, type }).toEqual({ status: 200, type: 'text/xml; charset=utf-8' });
		const root = readXml(text);
		expect(root.attributes.get('targetNamespace')).toBe(`https://loon.example/ws/${name}`);
		const operations = root.children
			.filter((child) => child.name === 'portType')
			.flatMap((portType) => portType.children);
		for (const operation of operations) {
			expect(all(operation, 'documentation').map((found) => found.text)).toEqual([
				expect.stringMatching(/^[A-Z].*\.$/),
			]);
			const own = operation.attributes.get('name');
			const bound = root.children
				.filter((child) => child.name === 'binding')
				.flatMap((binding) => binding.children)
				.filter((child) => child.attributes.get('name') === own);
			expect(bound).toHaveLength(2);
		}
		expect(all(root, 'address').map(({ attributes }) => attributes.get('location'))).toEqual(
			Array.from({ length: 2 }, () => `${service.sandbox.url}/soap/v3/${name}.asmx`),
		);
	});

	it.each(names)('of %s has schemas that libxml2 accepts', async (name) => {
		const { text } = await get(name, '?wsdl');
		const inline = text.match(/<s:schema[\s\S]*?<\/s:schema>/g) ?? [];
		const files: TextFile[] = inline.map((contents, at) => ({
			fileName: `inline${at}.xsd`,
			contents,
		}));
		for (const number of [1, 2, 3]) {
			const { status, text: contents } = await get(name, `?xsd=${number}`);
			if (status === 200) files.push({ fileName: `part${number}.xsd`, contents });
		}
		expect(files).toHaveLength(name === 'EmployeeService' ? 4 : 3);
		const located = files.map(({ fileName, contents }) => ({
			fileName,
			contents: contents.replaceAll(/"[^"]*\?xsd=(\d)"/g, '"part$1.xsd"'),
		}));
		const targets = located.map(({ contents }) => /targetNamespace="([^"]*)"/.exec(contents)?.[1]);
		const imports = located
			.map(({ fileName }, at) => ({ fileName, target: targets[at] ?? '' }))
			.filter(({ target }, at) => targets.indexOf(target) === at)
			// What has no address is found if it was read before.
			.reverse()
			.map(
				({ fileName, target }) => `<s:import namespace="${target}" schemaLocation="${fileName}"/>`,
			);
		const namespace = `https://loon.example/ws/${name}`;
		const root = `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema">${imports.join('')}</s:schema>`;
		const value = `<AuthHeaderWithDomain xmlns="${namespace}"><Domain>d</Domain></AuthHeaderWithDomain>`;
		const xmllint = new Xmllint();
		const output = await xmllint.run(
			[
				{ fileName: 'all.xsd', contents: root },
				...located,
				{ fileName: 'value.xml', contents: value },
			],
			['--noout', '--schema', 'all.xsd', 'value.xml'],
		);
		await xmllint.close();
		expect(output.trim()).toBe('value.xml validates');
	});

	it('is refused without a valid token, or not there at all, if configured; requests are counted', async () => {
		await service.sandbox.configure({ description: 'token' });
		expect(await get('EmployeeService', '?WSDL')).toMatchObject({ status: 401 });
		expect(await get('EmployeeService', '?wsdl', 'none')).toMatchObject({ status: 401 });
		expect(await get('EmployeeService', '?xsd=1')).toMatchObject({ status: 401 });
		expect(await get('EmployeeService', '?wsdl', service.token)).toMatchObject({ status: 200 });
		expect(await get('EmployeeService', '?xsd=1', service.token)).toMatchObject({ status: 200 });
		expect(await get('EmployeeService', '?xsd=4', service.token)).toMatchObject({ status: 404 });
		await service.sandbox.configure({ description: 'none' });
		expect(await get('CompanyService', '?WSDL', service.token)).toMatchObject({
			status: 404,
			type: 'text/html; charset=utf-8',
		});
		expect(await service.sandbox.stats()).toMatchObject({
			descriptionsWithoutToken: { EmployeeService: 1 },
			descriptionsWithToken: { EmployeeService: 2, CompanyService: 1 },
			descriptionSchemas: { EmployeeService: 3 },
		});
	});

	it('has a new element of CostCenter_Update if it drifts', async () => {
		const before = (await get('EmployeeService', '?wsdl')).text;
		await service.sandbox.configure({ descriptionDrift: true });
		const { text } = await get('EmployeeService', '?wsdl');
		const added = '<s:element minOccurs="1" maxOccurs="1" name="Reason" type="s:string"/>';
		expect(text.replace(added, '')).toBe(before);
		const update = all(readXml(text), 'element').find(
			({ attributes }) => attributes.get('name') === 'CostCenter_Update',
		);
		expect(
			all(update as XmlElement, 'element').map(({ attributes }) => attributes.get('name')),
		).toEqual(['CostCenter_Update', 'EmployeeId', 'CostCenteren', 'Period', 'Reason', 'Year']);
	});
});
