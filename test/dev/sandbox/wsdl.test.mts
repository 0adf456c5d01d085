import { createClientAsync } from 'soap';
import type { Client } from 'soap';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import { wsdl } from '../../../dev/package/wsdl.mts';
import { useService } from './setUp.mts';

const service = useService({ namespace: 'https://loon.example/ws' });

type Method = (request: object) => Promise<[Record<string, unknown> | null, ...unknown[]]>;

async function clientOf(
	name: string,
	forceSoap12Headers: boolean,
): Promise<(operation: string) => Method> {
	const { sandbox, token } = service;
	const address = `${sandbox.url}/soap/v3/${name}.asmx`;
	const client: Client = await createClientAsync(`${address}?wsdl`, { forceSoap12Headers });
	client.addHttpHeader('Authorization', `Bearer ${token}`);
	client.addHttpHeader('X-Subscription-Key', sandbox.subscriptionKey);
	const namespace = `${sandbox.namespace}/${name}`;
	client.addSoapHeader({ AuthHeaderWithDomain: { Domain: sandbox.domain } }, '', 'tns', namespace);
	return (operation) => client[`${operation}Async`] as Method;
}

describe.each([false, true])('the soap package as client (SOAP 1.2: %s)', (soap12) => {
	it('calls all five operations from the WSDL alone', async () => {
		const employees = await clientOf('EmployeeService', soap12);
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
		const companies = await clientOf('CompanyService', soap12);
		await companies('Address_Update')({ CompanyId: 100, Address: { City: "'s-Gravenhage" } });
		const calls = { CostCenter_Get: 1, CostCenter_Update: 1, Address_Insert: 1, Address_Update: 1 };
		expect(await service.sandbox.stats()).toMatchObject({ soapExecuted: calls });
		const requests = (await service.sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(requests.map(({ violations }) => violations)).toEqual([[], [], [], [], []]);
	});
});

describe('the WSDL', () => {
	const at = { address: 'http://x.example/?a&b', namespace: 'http://y.example' };

	it('follows the contract: bindings for both versions, arrays, enumeration, header', () => {
		const text = wsdl(soapOperations, 'EmployeeService', at);
		for (const part of [
			'<soap12:address location="http://x.example/?a&amp;b"/>',
			'<soap:operation soapAction="http://y.example/EmployeeService/CostCenter_Get"',
			'<s:element minOccurs="0" maxOccurs="1" name="CostCenteren" type="tns:ArrayOfEmployeeCostCenter"/>',
			'<s:complexType name="ArrayOfEmployeeCostCenter"><s:sequence>' +
				'<s:element minOccurs="0" maxOccurs="unbounded" name="EmployeeCostCenter"',
			'<s:enumeration value="WeekendAddress"/>',
			'<soap:header message="tns:AuthHeaderWithDomain"',
		]) {
			expect(text).toContain(part);
		}
		expect(text).not.toContain('Address_Update');
	});
});
