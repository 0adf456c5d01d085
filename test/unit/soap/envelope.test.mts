import {
	addressInsert,
	addressUpdate,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import type { SoapVersion } from '../../../nodes/shared/credential/connection.ts';
import { answering, connectionTo } from '../../support/exchange.mts';
import { resultOf, writeEnvelope } from '../../support/soap.mts';

const root = 'http://payroll.example/soap/v3';
const to = (soapVersion: SoapVersion, domain = 'demo') => ({
	domain,
	soapNamespace: root,
	soapVersion,
});

/** An envelope's body for values that may be of any type, as a form or JSON gives them. */
function body(operation: Operation, values: object): string {
	const text = writeEnvelope(to('1.1'), operation, values as Record<string, unknown>);
	return /<soap:Body><\w+ xmlns="[^"]*">([\s\S]*)<\/\w+><\/soap:Body>/.exec(text)?.[1] ?? '';
}

const row = (xml: string) =>
	`<CostCenteren><EmployeeCostCenter>${xml}</EmployeeCostCenter></CostCenteren>`;

it('the envelope of SOAP 1.1 is this, to the byte', () => {
	const request = { EmployeeId: 1001, Period: 6, Year: 2026 };
	expect(writeEnvelope(to('1.1'), costCenterGet, request)).toBe(
		'<?xml version="1.0" encoding="utf-8"?>' +
			'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">' +
			'<soap:Header><AuthHeaderWithDomain xmlns="http://payroll.example/soap/v3/EmployeeService">' +
			'<Domain>demo</Domain></AuthHeaderWithDomain></soap:Header>' +
			'<soap:Body><CostCenter_Get xmlns="http://payroll.example/soap/v3/EmployeeService">' +
			'<EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year>' +
			'</CostCenter_Get></soap:Body></soap:Envelope>',
	);
});

it('the envelope of SOAP 1.2 is this, to the byte', () => {
	const request = { CompanyId: 100, Address: { City: 'Delft' } };
	expect(writeEnvelope(to('1.2'), addressUpdate, request)).toBe(
		'<?xml version="1.0" encoding="utf-8"?>' +
			'<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">' +
			'<soap12:Header><AuthHeaderWithDomain xmlns="http://payroll.example/soap/v3/CompanyService">' +
			'<Domain>demo</Domain></AuthHeaderWithDomain></soap12:Header>' +
			'<soap12:Body><Address_Update xmlns="http://payroll.example/soap/v3/CompanyService">' +
			'<CompanyId>100</CompanyId><Address><City>Delft</City></Address>' +
			'</Address_Update></soap12:Body></soap12:Envelope>',
	);
});

it("an envelope escapes a domain, and a namespace's ampersand", () => {
	const connection = { ...to('1.1', 'a<b>&c'), soapNamespace: 'http://x.example/?a&b' };
	const text = writeEnvelope(connection, costCenterGet, {});
	expect(text).toContain('<Domain>a&lt;b&gt;&amp;c</Domain>');
	expect(text).toContain('xmlns="http://x.example/?a&amp;b/EmployeeService"');
});

describe('elements', () => {
	const cases: Array<[string, Operation, object, string]> = [
		[
			"stand in the interface's order, whatever the order of the values",
			addressInsert,
			{
				UnprotectedMode: true,
				Year: 2026,
				Address: { Type: 'HomeAddress', City: 'Delft', Street: 'Markt', Default: false, Id: 1 },
				Period: 6,
				EmployeeId: 1001,
			},
			'<EmployeeId>1001</EmployeeId><Address><Id>1</Id><Default>false</Default>' +
				'<Street>Markt</Street><City>Delft</City><Type>HomeAddress</Type></Address>' +
				'<Period>6</Period><Year>2026</Year><UnprotectedMode>true</UnprotectedMode>',
		],
		[
			'of rows and of the records in them are ordered too, and rows keep their own order',
			costCenterUpdate,
			{
				CostCenteren: [
					{ Default: true, Percentage: 60, CostCenter: { Id: 17, Description: 'B', Code: 'A' } },
					{ Kostensoort: { Description: 'D', Code: 'C' }, Id: 2 },
				],
			},
			'<CostCenteren><EmployeeCostCenter>' +
				'<CostCenter><Code>A</Code><Description>B</Description><Id>17</Id></CostCenter>' +
				'<Percentage>60</Percentage><Default>true</Default></EmployeeCostCenter>' +
				'<EmployeeCostCenter><Id>2</Id>' +
				'<Kostensoort><Code>C</Code><Description>D</Description></Kostensoort>' +
				'</EmployeeCostCenter></CostCenteren>',
		],
		[
			'are left out where a value is not set, and empty where a text is set to nothing',
			addressInsert,
			{ EmployeeId: 1, Period: null, Address: { Street: null, City: undefined, PostalCode: '' } },
			'<EmployeeId>1</EmployeeId><Address><PostalCode></PostalCode></Address>',
		],
		[
			'hold 0 and false, which are values, and decimals with every digit',
			costCenterUpdate,
			{ CostCenteren: [{ Id: 0, Percentage: '12.3400', Default: false }] },
			row('<Id>0</Id><Percentage>12.3400</Percentage><Default>false</Default>'),
		],
		[
			'hold texts that markup cannot leave, and keep blanks and a carriage return',
			addressUpdate,
			{ Address: { Street: '</Street>&amp;]]>\r\n"\'', City: ' ' } },
			'<Address><Street>&lt;/Street&gt;&amp;amp;]]&gt;&#13;\n"\'</Street><City> </City></Address>',
		],
	];

	it.each(cases)('%s', (_, operation, values, xml) => {
		expect(body(operation, values)).toBe(xml);
	});
});

/** Lists in lists, so many deep. */
function nested(depth: number): unknown {
	let value: unknown = [];
	for (let i = 0; i < depth; i += 1) value = [value];
	return value;
}

/** An object that holds itself. */
const circular: Record<string, unknown> = {};
circular.self = circular;

describe('an error that names the path, before anything is sent, is', () => {
	const refused: ReadonlyArray<readonly [string, Operation, object, string]> = [
		[
			'a value of another kind in a record of a row',
			costCenterUpdate,
			{ CostCenteren: [{}, { CostCenter: { Id: 1.5 } }] },
			'CostCenteren[1].CostCenter.Id: 1.5 is not a whole number.',
		],
		[
			"an element of another record: a company's address has no type",
			addressUpdate,
			{ Address: { Type: 'HomeAddress' } },
			'Address.Type is not a known field. The known fields are Id, Default, Street, HouseNumber, ' +
				'HouseNumberAddition, PostalCode, City, StateProvince and CountryISOCode.',
		],
		[
			'a value that nests too deep',
			costCenterUpdate,
			{ EmployeeId: nested(20_000) },
			'EmployeeId is nested deeper than 64 levels.',
		],
		[
			'a value that contains itself',
			addressInsert,
			{ Address: { Street: circular } },
			'Address is nested deeper than 64 levels.',
		],
		[
			'a value cut within an emoji, in a text that is well-formed all the same',
			addressInsert,
			{ Address: { Id: `${'x'.repeat(75)}🧾 and more` } },
			`Address.Id: "${'x'.repeat(75)}\ufffd... is not a whole number.`,
		],
		[
			'a name with half an emoji, in a text that is well-formed all the same',
			addressInsert,
			{ Address: { '\ud83e': 'x' } },
			'Address.\ufffd is not a known field. The known fields are Id, ',
		],
	];

	it.each(refused)('%s', async (_, operation, values, message) => {
		const { exchange, requests } = answering(() => ({ body: '' }));
		const request = values as Record<string, unknown>;
		const call = callSoap(exchange, connectionTo('http://localhost'), operation, request);
		const error: unknown = await call.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect((error as InputError).message.slice(0, message.length)).toBe(message);
		expect(requests).toEqual([]);
	});
});

it('of a long list not every value is looked at, once a hundred are wrong', () => {
	const rows = Array.from({ length: 200 }, () => ({ Id: 'x', Percentage: 'y' }));
	const write = (count: number) => () =>
		body(costCenterUpdate, { CostCenteren: rows.slice(0, count) });
	expect(write(49)).toThrow(/^98 values cannot be used:\n• CostCenteren\[0\]\.Id: /);
	expect(write(200)).toThrow(/^At least 100 values cannot be used:\n(?:• .+\n){10}• and 90 more$/);
});

describe('a call', () => {
	it.each([
		[
			'1.1',
			{
				'Content-Type': 'text/xml; charset=utf-8',
				SOAPAction: '"http://payroll.example/soap/v3/EmployeeService/CostCenter_Get"',
				'X-Subscription-Key': 'key',
			},
		],
		[
			'1.2',
			{
				'Content-Type': 'application/soap+xml; charset=utf-8',
				'X-Subscription-Key': 'key',
			},
		],
	] as const)('of SOAP %s has its path and headers', async (soapVersion, headers) => {
		const connection = connectionTo('https://soap.example', { soapVersion });
		const { exchange, requests } = answering(() => resultOf('CostCenter_Get', ''));
		await callSoap(exchange, connection, costCenterGet, { EmployeeId: 1 });
		expect(requests).toEqual([
			{
				method: 'POST',
				url: 'https://soap.example/soap/v3/EmployeeService.asmx',
				address: 'SOAP Address',
				headers,
				body: writeEnvelope(connection, costCenterGet, { EmployeeId: 1 }),
				effect: 'read',
			},
		]);
	});
});
