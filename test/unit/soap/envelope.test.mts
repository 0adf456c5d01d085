import {
	addressInsert,
	addressUpdate,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import type { RequestOf, SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { writeEnvelope } from '../../../nodes/shared/soap/envelope.ts';
import type { XmlElement } from '../../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import { answering, connectionTo } from '../../support/exchange.mts';

const root = 'http://payroll.example/soap/v3';
const to = (soapVersion: '1.1' | '1.2', domain = 'demo') => ({
	domain,
	soapNamespace: root,
	soapVersion,
});

/** An envelope's body for values that may be of any type, as a form or JSON gives them. */
function body(operation: SoapOperation, values: object): string {
	const text = writeEnvelope(to('1.1'), operation, values as RequestOf<SoapOperation>);
	return /<soap:Body><\w+ xmlns="[^"]*">([\s\S]*)<\/\w+><\/soap:Body>/.exec(text)?.[1] ?? '';
}

const row = (xml: string) =>
	`<CostCenteren><EmployeeCostCenter>${xml}</EmployeeCostCenter></CostCenteren>`;

describe('the envelope of SOAP 1.1', () => {
	it('is this, to the byte', () => {
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
});

describe('the envelope of SOAP 1.2', () => {
	it('is this, to the byte', () => {
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
});

describe('elements', () => {
	it("stand in the interface's order, whatever the order of the values", () => {
		expect(
			body(addressInsert, {
				UnprotectedMode: true,
				Year: 2026,
				Address: { Type: 'HomeAddress', City: 'Delft', Street: 'Markt', Default: false, Id: 1 },
				Period: 6,
				EmployeeId: 1001,
			}),
		).toBe(
			'<EmployeeId>1001</EmployeeId><Address><Id>1</Id><Default>false</Default>' +
				'<Street>Markt</Street><City>Delft</City><Type>HomeAddress</Type></Address>' +
				'<Period>6</Period><Year>2026</Year><UnprotectedMode>true</UnprotectedMode>',
		);
	});

	it('of rows and of the records in them are ordered too, and rows keep their own order', () => {
		expect(
			body(costCenterUpdate, {
				CostCenteren: [
					{ Default: true, Percentage: 60, CostCenter: { Id: 17, Description: 'B', Code: 'A' } },
					{ Kostensoort: { Description: 'D', Code: 'C' }, Id: 2 },
				],
			}),
		).toBe(
			'<CostCenteren><EmployeeCostCenter>' +
				'<CostCenter><Code>A</Code><Description>B</Description><Id>17</Id></CostCenter>' +
				'<Percentage>60</Percentage><Default>true</Default></EmployeeCostCenter>' +
				'<EmployeeCostCenter><Id>2</Id>' +
				'<Kostensoort><Code>C</Code><Description>D</Description></Kostensoort>' +
				'</EmployeeCostCenter></CostCenteren>',
		);
	});

	it("are all in the service's namespace, and nothing else is", () => {
		const rows = [{ Id: 1, CostCenter: { Code: 'A' }, Kostensoort: { Code: 'B' } }];
		const text = writeEnvelope(to('1.2'), costCenterUpdate, { EmployeeId: 1, CostCenteren: rows });
		const service = `${root}/EmployeeService`;
		const names: string[] = [];
		const visit = ({ name, namespace, children }: XmlElement): void => {
			const isEnvelope = ['Envelope', 'Header', 'Body'].includes(name);
			expect([name, namespace === service]).toEqual([name, !isEnvelope]);
			names.push(name);
			children.forEach(visit);
		};
		visit(parseXml(text));
		expect(names).toHaveLength(14);
	});

	it('are left out where a value is not set: absent, undefined or null', () => {
		const address = { Street: null, City: undefined, PostalCode: '' };
		expect(body(addressInsert, { EmployeeId: 1, Period: null, Address: address })).toBe(
			'<EmployeeId>1</EmployeeId><Address><PostalCode></PostalCode></Address>',
		);
	});

	it('are empty where a text is set to nothing', () => {
		expect(body(addressUpdate, { Address: { Street: '', City: ' ' } })).toBe(
			'<Address><Street></Street><City> </City></Address>',
		);
	});

	it('hold 0 and false, which are values', () => {
		const rows = [{ Id: 0, Percentage: 0, Default: false }];
		expect(body(costCenterUpdate, { CostCenteren: rows })).toBe(
			row('<Id>0</Id><Percentage>0</Percentage><Default>false</Default>'),
		);
	});

	it('hold decimals in plain notation with every digit', () => {
		for (const [value, text] of [
			['12.3400', '12.3400'],
			[1e-7, '0.0000001'],
			[1e21, '1000000000000000000000'],
			['123456789012345678901.5', '123456789012345678901.5'],
		] as const) {
			expect(body(costCenterUpdate, { CostCenteren: [{ Percentage: value }] })).toBe(
				row(`<Percentage>${text}</Percentage>`),
			);
		}
	});

	it('hold texts that markup cannot leave, and keep a carriage return', () => {
		expect(body(addressUpdate, { Address: { Street: '</Street>&amp;]]>\r\n"\'' } })).toBe(
			'<Address><Street>&lt;/Street&gt;&amp;amp;]]&gt;&#13;\n"\'</Street></Address>',
		);
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
	const refused: ReadonlyArray<readonly [string, SoapOperation, object, string]> = [
		[
			'a decimal that is none',
			costCenterUpdate,
			{ CostCenteren: [{}, {}, { Percentage: 'abc' }] },
			'CostCenteren[2].Percentage: "abc" is not a number.',
		],
		[
			'a whole number in a nested record',
			costCenterUpdate,
			{ CostCenteren: [{ CostCenter: { Id: 1.5 } }] },
			'CostCenteren[0].CostCenter.Id: 1.5 is not a whole number.',
		],
		[
			'a number of more than 32 bits',
			costCenterGet,
			{ EmployeeId: 2147483648 },
			'EmployeeId: 2147483648 is out of range. Write a whole number from ',
		],
		[
			'a truth that is none',
			addressInsert,
			{ UnprotectedMode: 'yes' },
			'UnprotectedMode: "yes" is neither true nor false.',
		],
		[
			'a name out of the set',
			addressInsert,
			{ Address: { Type: 'Home' } },
			'Address.Type: "Home" is not known. Choose HomeAddress, PostAddress, AbsenceAddress, ' +
				'HolidaysAddress, WeekendAddress or WorkAddress.',
		],
		[
			'a record that is a text',
			addressUpdate,
			{ Address: 'x' },
			'Address: "x" is not an object with the fields Id, Default, ',
		],
		[
			'a record that is a list',
			addressUpdate,
			{ Address: [] },
			'Address: [] is not an object with the fields Id, Default, ',
		],
		[
			'a list that is a record',
			costCenterUpdate,
			{ CostCenteren: {} },
			'CostCenteren: {} is not a list.',
		],
		[
			'a row that is nothing',
			costCenterUpdate,
			{ CostCenteren: [{}, null] },
			'CostCenteren[1]: null is not an object with the fields Id, CostCenter, ',
		],
		[
			'an unknown parameter',
			costCenterGet,
			{ employeeId: 1 },
			'employeeId is not a known field. The known fields are EmployeeId, Period and Year.',
		],
		[
			'an unknown element of a nested record',
			costCenterUpdate,
			{ CostCenteren: [{ Kostensoort: { Id: 4 } }] },
			'CostCenteren[0].Kostensoort.Id is not a known field. The known fields are Code and Description.',
		],
		[
			"an element of another record: a company's address has no type",
			addressUpdate,
			{ Address: { Type: 'HomeAddress' } },
			'Address.Type is not a known field. The known fields are Id, Default, Street, HouseNumber, ' +
				'HouseNumberAddition, PostalCode, City, StateProvince and CountryISOCode.',
		],
		[
			'a name that every object has',
			addressUpdate,
			JSON.parse('{"Address":{"__proto__":"x"}}'),
			'Address.__proto__ is not a known field. The known fields are Id, ',
		],
		[
			'a control character',
			addressUpdate,
			{ Address: { Street: 'a\u0007b' } },
			'Address.Street: "a\\u0007b" contains a control character or a broken emoji.',
		],
		[
			'half an emoji',
			costCenterUpdate,
			{ CostCenteren: [{ CostCenter: { Code: 'x\ud83e' } }] },
			'CostCenteren[0].CostCenter.Code: "x\\ud83e" contains a control character or a broken emoji.',
		],
		[
			'a value that nests too deep to be shown',
			costCenterUpdate,
			{ EmployeeId: nested(20_000) },
			'EmployeeId: a list is not a whole number.',
		],
		[
			'a value that JSON cannot show',
			addressInsert,
			{ Address: { Street: circular } },
			'Address.Street: an object is not a text.',
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
		const request = values as RequestOf<SoapOperation>;
		const call = callSoap(exchange, connectionTo('http://localhost'), operation, request);
		const error: unknown = await call.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect((error as InputError).message.slice(0, message.length)).toBe(message);
		expect(requests).toEqual([]);
	});
});

it('of a long list not every value is looked at, once a hundred are wrong', () => {
	const rows = Array.from({ length: 200 }, () => ({ Id: 'x', Percentage: 'y' }));
	const connection = connectionTo('http://localhost');
	const write = (count: number) => () =>
		writeEnvelope(connection, costCenterUpdate, {
			CostCenteren: rows.slice(0, count),
		} as unknown as RequestOf<typeof costCenterUpdate>);
	expect(write(49)).toThrow(/^98 values cannot be used:\n• CostCenteren\[0\]\.Id: /);
	expect(write(200)).toThrow(/^At least 100 values cannot be used:\n(?:• .+\n){10}• and 90 more$/);
});

describe('a call', () => {
	const answered = (soapVersion: '1.1' | '1.2') => {
		const connection = connectionTo('https://soap.example', { soapVersion });
		const { exchange, requests } = answering(() => ({
			type: 'text/xml',
			body:
				'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>' +
				`<CostCenter_GetResponse xmlns="${root}/EmployeeService"/></e:Body></e:Envelope>`,
		}));
		return { connection, exchange, requests };
	};

	it('of SOAP 1.1 has its path, content type, quoted SOAPAction and subscription key', async () => {
		const { connection, exchange, requests } = answered('1.1');
		await callSoap(exchange, connection, costCenterGet, { EmployeeId: 1 });
		expect(requests).toEqual([
			{
				method: 'POST',
				url: 'https://soap.example/soap/v3/EmployeeService.asmx',
				address: 'SOAP Address',
				headers: {
					'Content-Type': 'text/xml; charset=utf-8',
					SOAPAction: '"http://payroll.example/soap/v3/EmployeeService/CostCenter_Get"',
					'X-Subscription-Key': 'key',
				},
				body: writeEnvelope(connection, costCenterGet, { EmployeeId: 1 }),
				effect: 'read',
			},
		]);
	});

	it('of SOAP 1.2 has its content type and no SOAPAction', async () => {
		const { connection, exchange, requests } = answered('1.2');
		await callSoap(exchange, connection, costCenterGet, { EmployeeId: 1 });
		expect(requests[0]?.headers).toEqual({
			'Content-Type': 'application/soap+xml; charset=utf-8',
			'X-Subscription-Key': 'key',
		});
	});

	it("escapes a domain, and a namespace's ampersand", () => {
		const connection = { ...to('1.1', 'a<b>&c'), soapNamespace: 'http://x.example/?a&b' };
		const text = writeEnvelope(connection, costCenterGet, {});
		expect(text).toContain('<Domain>a&lt;b&gt;&amp;c</Domain>');
		expect(text).toContain('xmlns="http://x.example/?a&amp;b/EmployeeService"');
	});
});
