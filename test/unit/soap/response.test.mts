import {
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import { readResult } from '../../support/soap.mts';
import { inTime, long } from '../../support/long.mts';

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

const document = (content: string, soap = SOAP11, name = 'Envelope') =>
	`<?xml version="1.0"?><s:${name} xmlns:s="${soap}" xmlns:i="${XSI}" xmlns="${NS}">${content}</s:${name}>`;
const envelope = (body: string, soap = SOAP11) => document(`<s:Body>${body}</s:Body>`, soap);
const listed = (result: string) =>
	envelope(`<CostCenter_GetResponse>${result}</CostCenter_GetResponse>`);
const rows = (xml: string) => listed(`<CostCenter_GetResult>${xml}</CostCenter_GetResult>`);
const row = (xml: string) => rows(`<EmployeeCostCenter>${xml}</EmployeeCostCenter>`);
const inserted = (content: string) =>
	envelope(`<Address_InsertResponse>${content}</Address_InsertResponse>`);
const nine = '<Address_InsertResult>9</Address_InsertResult>';

/** An element of another namespace. */
const other = (name: string, content = '') => `<x:${name} xmlns:x="urn:x">${content}</x:${name}>`;

const read = (text: string) => readResult(costCenterGet, NS, text);
const insert = (text: string) => readResult(addressInsert, NS, text);

/** The rows of an answer. */
function list(text: string): unknown {
	const answer = read(text);
	if (answer.kind !== 'result') throw new Error('a fault');
	return answer.result;
}

describe('an answer', () => {
	it('is recognised by namespace and local name, whatever the prefixes', () => {
		const text = `<e:Envelope xmlns:e="${SOAP12}"><e:Body><x:CostCenter_GetResponse xmlns:x="${NS}"><x:CostCenter_GetResult><x:EmployeeCostCenter><x:Id>7</x:Id><y:CostCenter xmlns:y="${NS}"><y:Code>A</y:Code></y:CostCenter></x:EmployeeCostCenter></x:CostCenter_GetResult></x:CostCenter_GetResponse></e:Body></e:Envelope>`;
		expect(list(text)).toEqual([{ Id: 7, CostCenter: { Code: 'A' } }]);
	});

	it('may have a header, and elements of other namespaces', () => {
		const content = `<s:Header><Body/></s:Header>${other('Body')}<s:Body><Address_InsertResponse>${other('Address_InsertResult', '1')}${nine}</Address_InsertResponse></s:Body>`;
		expect(insert(document(content))).toEqual({ kind: 'result', result: 9 });
	});

	it('is a fault where one of the namespace of the envelope stands in its body', () => {
		const fault = '<s:Fault><faultstring>Refused</faultstring></s:Fault>';
		expect(insert(envelope(fault))).toMatchObject({
			kind: 'fault',
			fault: { message: 'Refused' },
		});
	});

	it('to an operation that returns nothing has no result', () => {
		const text = envelope('<CostCenter_UpdateResponse/>');
		expect(readResult(costCenterUpdate, NS, text)).toEqual({ kind: 'result', result: undefined });
	});
});

describe('a result', () => {
	it('is always a list where the element repeats', () => {
		expect(list(rows(''))).toEqual([]);
		expect(list(rows(' \n\t'))).toEqual([]);
		expect(list(rows('<EmployeeCostCenter/>'))).toEqual([{}]);
		expect(list(rows('<EmployeeCostCenter/><EmployeeCostCenter/>'))).toEqual([{}, {}]);
	});

	it.each(['', '<CostCenter_GetResult i:nil="true"/>'])(
		'is an empty list where ASP.NET leaves the element out or marks it nil: %s',
		(result) => {
			expect(list(listed(result))).toEqual([]);
		},
	);

	it('tells nil, absent and empty apart', () => {
		const record = '<Code/><Description i:nil="1"/>';
		expect(list(row(`<Id i:nil="true"/><CostCenter>${record}</CostCenter>`))).toEqual([
			{ Id: null, CostCenter: { Code: '', Description: null } },
		]);
	});

	it.each([
		['a text', '<toString> c </toString>', { toString: ' c ' }],
		['nil', '<A i:nil="true"> </A>', { A: null }],
		['nil, with content', '<A i:nil="true">x</A>', { A: 'x' }],
		['nothing', '<A/>', { A: '' }],
		['elements', '<A><B>1</B><C><D>2</D></C></A>', { A: { B: '1', C: { D: '2' } } }],
		['repeated', '<A>a</A><A>b</A><A i:nil="true"/>', { A: ['a', 'b', null] }],
		['repeated elements', '<A><B>1</B><B>2</B></A>', { A: { B: ['1', '2'] } }],
		['mixed content', '<A>Owed <b>12</b> days</A>', { A: { '#text': 'Owed  days', b: '12' } }],
		['elements on lines', '<A>\n\t<b>12</b>\n</A>', { A: { b: '12' } }],
		[
			'a text in nested mixed content',
			'<A><B k="1"><c/> CDATA <![CDATA[&]]></B></A>',
			{ A: { B: { '@k': '1', c: '', '#text': ' CDATA &' } } },
		],
	])('keeps an element that the contract does not know: %s', (_, xml, values) => {
		expect(list(row(`<Id>1</Id>${xml}`))).toEqual([{ Id: 1, ...values }]);
	});
});

it('an attribute that the contract does not know is kept, unless it is of XML Schema', () => {
	const names = 'xmlns:a="urn:a" xmlns:b="urn:b" i:schemaLocation="urn:a a.xsd"';
	const text = `<Id>1</Id><CostCenter ${names} a:id="x" b:id="y" id="z" xml:lang="nl"/>`;
	expect(list(row(text))).toEqual([
		{ Id: 1, CostCenter: { '@{urn:a}id': 'x', '@{urn:b}id': 'y', '@id': 'z', '@xml:lang': 'nl' } },
	]);
});

it('a type that the contract does not know is kept', () => {
	const type = (name: string) =>
		rows(`<EmployeeCostCenter i:type="${name}"><Id>1</Id></EmployeeCostCenter>`);
	expect(list(type('EmployeeCostCenter'))).toEqual([{ Id: 1 }]);
	expect(list(type('NewCostCenter'))).toEqual([{ '@xsi:type': 'NewCostCenter', Id: 1 }]);
});

describe('an error, never an empty result, is', () => {
	it.each<readonly [string, string, string]>([
		['a body that is missing', document('<s:Header/>'), 'Expected one Body in the SOAP envelope'],
		[
			'a body of another namespace',
			document('<Body><CostCenter_GetResponse/></Body>'),
			`Expected one Body in the SOAP envelope of ${SOAP11}`,
		],
		[
			'a second body',
			document('<s:Body><CostCenter_GetResponse/></s:Body><s:Body/>'),
			'Expected one Body in the SOAP envelope',
		],
		[
			'another root',
			document('<s:Body/>', SOAP11, 'Message'),
			'Expected a SOAP envelope, got <Message>',
		],
		[
			'another envelope namespace',
			envelope('', 'urn:x'),
			'Expected a SOAP envelope, got one of "urn:x"',
		],
		['an empty body', envelope(''), 'Expected one element in the SOAP body, got 0'],
		[
			'a fault beside a result',
			envelope('<CostCenter_GetResponse/><s:Fault/>'),
			'Expected one element in the SOAP body, got 2',
		],
		['a fault of another namespace', envelope('<Fault/>'), 'Expected CostCenter_GetResponse'],
		[
			"another operation's answer",
			envelope('<Address_InsertResponse/>'),
			'Expected CostCenter_GetResponse',
		],
		[
			"another service's answer",
			envelope(other('CostCenter_GetResponse')),
			`Expected CostCenter_GetResponse of ${NS}, got CostCenter_GetResponse of urn:x`,
		],
		['another result', listed('<Rows/>'), 'Expected CostCenter_GetResult, got Rows'],
		[
			'another row',
			rows('<Address/>'),
			'Expected EmployeeCostCenter in CostCenter_GetResult, got Address',
		],
		[
			'a row of another namespace',
			rows(other('EmployeeCostCenter')),
			`Expected EmployeeCostCenter in CostCenter_GetResult of ${NS}, got one of "urn:x"`,
		],
		[
			'a row of no namespace',
			rows('<EmployeeCostCenter xmlns=""/>'),
			`Expected EmployeeCostCenter in CostCenter_GetResult of ${NS}, got one of no namespace`,
		],
		...(
			[
				['the envelope', document('text<s:Body><CostCenter_GetResponse/></s:Body>'), 'Envelope'],
				['the body', envelope('<CostCenter_GetResponse/>text'), 'Body'],
				['the response', listed('text'), 'CostCenter_GetResponse'],
				['a list', rows('text'), 'CostCenter_GetResult'],
				['a list with rows', rows(' text<EmployeeCostCenter/>'), 'CostCenter_GetResult'],
				[
					'a list that is nil',
					listed('<CostCenter_GetResult i:nil="true">text</CostCenter_GetResult>'),
					'CostCenter_GetResult',
				],
				['a record', row('<Id>1</Id>text'), 'CostCenter_GetResult[0]'],
				[
					'a record that is nil',
					rows('<EmployeeCostCenter i:nil="true">text</EmployeeCostCenter>'),
					'CostCenter_GetResult[0]',
				],
				[
					'a nested record',
					row('<CostCenter>text</CostCenter>'),
					'CostCenter_GetResult[0].CostCenter',
				],
			] as const
		).map(
			([what, text, where]) =>
				[`a text in ${what}`, text, `The answer has the text "text" in ${where}`] as const,
		),
		[
			'a number that is none',
			row('<Id>2026-01-01</Id>'),
			'CostCenter_GetResult[0].Id: expected a whole number of 32 bits, got "2026-01-01"',
		],
		[
			'a number out of range',
			rows('<EmployeeCostCenter/><EmployeeCostCenter><Id>2147483648</Id></EmployeeCostCenter>'),
			'CostCenter_GetResult[1].Id',
		],
		[
			'an element twice',
			row('<Id>1</Id><Id>2</Id>'),
			'contains the element CostCenter_GetResult[0].Id twice',
		],
		[
			"a field's name in another namespace",
			row(`<Id>1</Id>${other('Id', 'none')}`),
			`Expected CostCenter_GetResult[0].Id of ${NS}, got one of "urn:x"`,
		],
		[
			'a record where a value belongs',
			row('<Id><x/></Id>'),
			'Expected a single value in CostCenter_GetResult[0].Id',
		],
		['a document that is cut short', rows('').slice(0, -20), 'no well-formed XML'],
	])('%s', (_, text, message) => {
		expect(() => read(text)).toThrow(message);
	});

	it.each<[string, string, string]>([
		['that is missing', '', 'Expected a value in Address_InsertResult, got none'],
		[
			'that is nil',
			'<Address_InsertResult i:nil="true"/>',
			'Expected a value in Address_InsertResult, got none',
		],
		[
			'of another namespace',
			other('Address_InsertResult', '1'),
			`Expected Address_InsertResult of ${NS}, got one of "urn:x"`,
		],
		['that stands there twice', nine + nine, 'contains the element Address_InsertResult twice'],
		[
			'that is something else, of which the beginning is quoted',
			`<Address_InsertResult>${'x'.repeat(81)}</Address_InsertResult>`,
			`Address_InsertResult: expected a whole number of 32 bits, got "${'x'.repeat(76)}...`,
		],
	])('a number %s', (_, result, message) => {
		expect(() => insert(inserted(result))).toThrow(message);
	});
});

describe('a long answer takes time in proportion to its length:', () => {
	it('an unknown element that repeats in a record, and in an unknown element', () => {
		const many = long('<a/>');
		const expected = { a: Array.from({ length: many.length / '<a/>'.length }, () => '') };
		expect(inTime(() => list(row(many)))).toEqual([expected]);
		expect(inTime(() => list(row(`<b>${many}</b>`)))).toEqual([{ b: expected }]);
	});

	it('many elements within many namespaces', () => {
		const names = Array.from({ length: 250 }, (_, i) => ` xmlns:a${i}="u"`).join('');
		const text = row('<a xmlns:b="u"/>'.repeat(15_000)).replace('<s:Body>', `<s:Body${names}>`);
		expect(inTime(() => read(text))).toMatchObject({ kind: 'result' });
	});
});
