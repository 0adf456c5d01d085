import { addressInsert, costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { readEnvelope } from '../../../nodes/shared/soap/response.ts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const envelope = (content: string, name = 'Envelope') =>
	`<s:${name} xmlns:s="${SOAP}" xmlns:i="${XSI}" xmlns="${NS}">${content}</s:${name}>`;
const inserted =
	'<Address_InsertResponse><Address_InsertResult>7</Address_InsertResult></Address_InsertResponse>';
const insert = (text: string) => readEnvelope(addressInsert, NS, text);

/** The first row of a list of cost centers with this content. */
function row(content: string): unknown {
	const list = `<CostCenter_GetResult><EmployeeCostCenter>${content}</EmployeeCostCenter></CostCenter_GetResult>`;
	const text = envelope(
		`<s:Body><CostCenter_GetResponse>${list}</CostCenter_GetResponse></s:Body>`,
	);
	const answer = readEnvelope(costCenterGet, NS, text);
	return answer.kind === 'result' ? answer.result[0] : answer;
}

/** An element of another namespace. */
const other = (name: string, content: string) =>
	`<x:${name} xmlns:x="urn:x">${content}</x:${name}>`;

describe('an envelope', () => {
	it('may have a header, and elements of other namespaces', () => {
		const header = '<s:Header><Body/></s:Header>';
		const text = envelope(`${header}${other('Body', '')}<s:Body>${inserted}</s:Body>`);
		expect(insert(text)).toEqual({ kind: 'result', result: 7 });
	});

	it.each([
		['no body', '<s:Header/>'],
		['the body of another namespace', `<Body>${inserted}</Body>`],
		['two bodies', `<s:Body>${inserted}</s:Body><s:Body/>`],
	])('with %s is no answer', (_, content) => {
		expect(() => insert(envelope(content))).toThrow('Expected one Body in the SOAP envelope');
	});

	it('of another name is no answer', () => {
		const text = envelope(`<s:Body>${inserted}</s:Body>`, 'Message');
		expect(() => insert(text)).toThrow('Expected a SOAP envelope, got <Message>');
	});

	it.each(['', `${inserted}${inserted}`, `${inserted}<s:Fault/>`])(
		'whose body does not hold one element (%j) is no answer',
		(content) => {
			expect(() => insert(envelope(`<s:Body>${content}</s:Body>`))).toThrow(
				/^Expected one element in the SOAP body, got [02]$/,
			);
		},
	);

	it('with a fault in its own namespace is that fault', () => {
		const fault = '<s:Fault><faultstring>Refused</faultstring></s:Fault>';
		expect(insert(envelope(`<s:Body>${fault}</s:Body>`))).toMatchObject({
			kind: 'fault',
			fault: { message: 'Refused' },
		});
	});

	it.each(['<Fault/>', '<s:Address_InsertResponse/>'])(
		'with %s, of the wrong namespace, is no answer',
		(content) => {
			expect(() => insert(envelope(`<s:Body>${content}</s:Body>`))).toThrow(
				'Expected Address_InsertResponse',
			);
		},
	);
});

describe('a result', () => {
	const result = (content: string) =>
		insert(
			envelope(`<s:Body><Address_InsertResponse>${content}</Address_InsertResponse></s:Body>`),
		);
	const nine = '<Address_InsertResult>9</Address_InsertResult>';

	it('is told from an element of another namespace', () => {
		expect(result(`${other('Address_InsertResult', '1')}${nine}`)).toMatchObject({ result: 9 });
		expect(() => result(other('Address_InsertResult', '1'))).toThrow('Expected a value');
	});

	it('that stands there twice is an error', () => {
		expect(() => result(`${nine}${nine}`)).toThrow(
			'The answer contains the element Address_InsertResult twice',
		);
	});

	it('that is nil where a number is promised is an error', () => {
		expect(() => result('<Address_InsertResult i:nil="true"/>')).toThrow(
			'Expected a value in Address_InsertResult, got none',
		);
	});

	it('that is something else is an error, which quotes its beginning', () => {
		const error: unknown = (() => {
			try {
				return result(`<Address_InsertResult>${'x'.repeat(61)}</Address_InsertResult>`);
			} catch (reason) {
				return reason;
			}
		})();
		expect(error).toMatchObject({
			name: 'ResponseError',
			message: `Address_InsertResult: expected a whole number of 32 bits, got "${'x'.repeat(60)}"`,
		});
	});

	it('with a row of another namespace is an error', () => {
		const list = `<CostCenter_GetResult>${other('EmployeeCostCenter', '')}</CostCenter_GetResult>`;
		const text = envelope(
			`<s:Body><CostCenter_GetResponse>${list}</CostCenter_GetResponse></s:Body>`,
		);
		expect(() => readEnvelope(costCenterGet, NS, text)).toThrow(
			'Expected EmployeeCostCenter in CostCenter_GetResult, got EmployeeCostCenter',
		);
	});
});

describe('an element that the contract does not know', () => {
	it('is a list where it repeats', () => {
		expect(row('<Tag>a</Tag><Tag>b</Tag>')).toEqual({ Tag: ['a', 'b'] });
		expect(row('<Tag>a</Tag><Tag>b</Tag><Tag i:nil="true"/>')).toEqual({ Tag: ['a', 'b', null] });
		expect(row('<Tags><Tag>a</Tag><Tag>b</Tag><Tag>c</Tag></Tags>')).toEqual({
			Tags: { Tag: ['a', 'b', 'c'] },
		});
	});

	it('is what it holds: nil, a text, or an object of its elements', () => {
		expect(row('<A i:nil="true">x</A><B/><C> c </C><D><E>1</E><F><G>2</G></F></D>')).toEqual({
			A: null,
			B: '',
			C: ' c ',
			D: { E: '1', F: { G: '2' } },
		});
	});

	it('must not bear a known name in another namespace', () => {
		const message = 'Expected CostCenter_GetResult[0].Id of ';
		expect(() => row(other('Id', 'none'))).toThrow(message);
		expect(() => row(`<Id>1</Id>${other('Id', '2')}`)).toThrow(message);
	});
});
