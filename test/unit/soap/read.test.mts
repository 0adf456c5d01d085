/** Answers: what is read of them as values, and what is an error, never an empty result. */
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import { addressInsert, costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { readAnswer } from '../../../nodes/shared/soap/read.ts';
import { writeRequest } from '../../../nodes/shared/soap/write.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { EMPLOYEE_NS as NS, readResult } from '../../support/reading.mts';

const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/';
const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XSD = 'http://www.w3.org/2001/XMLSchema';

const document = (content: string, soap = SOAP11, name = 'Envelope') =>
	`<?xml version="1.0"?><s:${name} xmlns:s="${soap}" xmlns:i="${XSI}" xmlns="${NS}">${content}</s:${name}>`;
const envelope = (body: string, soap = SOAP11) => document(`<s:Body>${body}</s:Body>`, soap);
const listed = (result: string) =>
	envelope(`<CostCenter_GetResponse>${result}</CostCenter_GetResponse>`);
const rows = (xml: string) => listed(`<CostCenter_GetResult>${xml}</CostCenter_GetResult>`);
const one = (xml: string) => `<EmployeeCostCenter>${xml}</EmployeeCostCenter>`;
const row = (xml: string) => rows(one(xml));
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

/** What a response with these fields is read as; without fields, nothing is known of it. */
function readFields(fields: Fields | undefined, xml: string): unknown {
	const text = envelope(`<EchoResponse>${xml}</EchoResponse>`);
	const response = fields === undefined ? { fields: {}, isOpen: true as const } : { fields };
	const answer = readAnswer({ name: 'Echo', response }, NS, text);
	if (answer.kind === 'fault') throw new Error('a fault');
	return answer.result;
}

const int = { kind: 'int' } as const;
const any: Field = { kind: 'any', unsupported: 'attributes' };
const item: RecordField = { kind: 'record', type: 'Item', fields: { A: int } };
const repeated = (of: Field): Field => ({ kind: 'repeated', of });
const listOf = (of: Field, name: string): Field => ({ kind: 'list', of, row: name });

describe('an answer', () => {
	it('is recognised by namespace and local name, whatever the prefixes', () => {
		const text = `<e:Envelope xmlns:e="${SOAP12}"><e:Body><x:CostCenter_GetResponse xmlns:x="${NS}"><x:CostCenter_GetResult><x:EmployeeCostCenter><x:Id>7</x:Id><y:CostCenter xmlns:y="${NS}"><y:Code>A</y:Code></y:CostCenter></x:EmployeeCostCenter></x:CostCenter_GetResult></x:CostCenter_GetResponse></e:Body></e:Envelope>`;
		expect(list(text)).toEqual([{ Id: 7, CostCenter: { Code: 'A' } }]);
	});

	it('may have a header, and elements of other namespaces', () => {
		const content = `<s:Header><Body/></s:Header>${other('Body')}<s:Body><Address_InsertResponse>${other('Address_InsertResult', '1')}${nine}</Address_InsertResponse></s:Body>`;
		expect(insert(document(content))).toEqual({ kind: 'result', result: 9 });
	});
});

it.each([
	['', []],
	[' \n\t', []],
	['<EmployeeCostCenter/>', [{}]],
	['<EmployeeCostCenter i:nil="true"/><EmployeeCostCenter/>', [{}, {}]],
	[
		one('<Id i:nil="true"/><CostCenter><Code/></CostCenter>'),
		[{ Id: null, CostCenter: { Code: '' } }],
	],
	[
		one('<Id/><Percentage> </Percentage><Default/>'),
		[{ Id: null, Percentage: null, Default: null }],
	],
	['<EmployeeCostCenter i:type="EmployeeCostCenter"/>', [{}]],
	['<EmployeeCostCenter i:type="Other"/>', [{ '@xsi:type': `{${NS}}Other` }]],
])('rows are always a list; nil, absent and empty differ: %s', (xml, values) => {
	expect(list(rows(xml))).toEqual(values);
});

it.each([
	['i:nil="true"', true],
	['i:nil="1"', true],
	['i:nil=" true "', true],
	['', false],
	['i:nil="false"', false],
	['i:nil="0"', false],
	['nil="true"', false],
	['i:null="true"', false],
])('an element with the attribute %j is nil: %j', (attribute, isIt) => {
	const { A } = readFields(undefined, `<A ${attribute}/>`) as Values;
	expect(A === null).toBe(isIt);
});

it.each([
	['a text', '<toString> c </toString>', { toString: ' c ' }],
	['nil', '<A i:nil="true"> </A>', { A: null }],
	['nil, with content', '<A i:nil="true">x</A>', { A: 'x' }],
	['nothing', '<A/>', { A: '' }],
	['elements', '<A>\n\t<B>1</B><C><D>2</D></C></A>', { A: { B: '1', C: { D: '2' } } }],
	[
		'repeated',
		'<A>a</A><A><B>1</B><B>2</B></A><A i:nil="true"/>',
		{ A: ['a', { B: ['1', '2'] }, null] },
	],
	['mixed content', '<A>Owed <b>12</b> days</A>', { A: { '#text': 'Owed  days', b: '12' } }],
	[
		'attributes, but those of XML Schema',
		'<A xmlns:a="urn:a" a:id="x" id="z" xml:lang="nl" i:nil="0" i:schemaLocation="a"/>',
		{ A: { '@{urn:a}id': 'x', '@id': 'z', '@xml:lang': 'nl' } },
	],
	[
		'types',
		`<A xmlns:s="${XSD}" xmlns:p="urn:p"><B i:type="s:int">5</B><C i:type=" p:T "/></A>`,
		{ A: { B: { '@xsi:type': 'int', '#text': '5' }, C: { '@xsi:type': '{urn:p}T' } } },
	],
])('of what is not known, nothing is lost: %s', (_, xml, values) => {
	// In a record, as the whole response, and where the type has no kind of field.
	expect(list(row(`<Id>1</Id>${xml}`))).toEqual([{ Id: 1, ...values }]);
	expect(readFields(undefined, xml)).toEqual(values);
	const fields = Object.fromEntries(Object.keys(values).map((name) => [name, any]));
	expect(readFields(fields, xml)).toEqual(values);
	const written = writeRequest({ fields }, values as Values, NS);
	const isNull = JSON.stringify(values).includes('null');
	if (!isNull) expect(readFields(fields, written)).toEqual(values);
});

describe('values of a description are read', () => {
	it.each<[string, Fields, string, unknown]>([
		[
			'as empty lists where they are absent or nil',
			{ A: { ...listOf(item, 'r'), nillable: true }, B: repeated(item), C: listOf(item, 'r') },
			'<A i:nil="true"/>',
			{ A: [], B: [], C: [] },
		],
		[
			'also where repeated ones are not adjacent',
			{ A: repeated(int), B: int },
			'<A>1</A><B>2</B><A>3</A>',
			{ A: [1, 3], B: 2 },
		],
		[
			'as rows even if nil',
			{
				A: listOf({ ...int, nillable: true }, 'r'),
				B: listOf({ ...item, nillable: true }, 'r'),
				C: listOf(any, 'r'),
			},
			'<A><r>1</r><r i:nil="true"/></A><B><r i:nil="true"/></B><C><r k="1"/><r>x</r></C>',
			{ A: [1, null], B: [null], C: [{ '@k': '1' }, 'x'] },
		],
		[
			'of a type without a kind in any namespace, and repeated ones as a list',
			{ A: any, B: repeated(any) },
			'<A>x</A><A xmlns="urn:a">y</A><B>z</B>',
			{ A: ['x', 'y'], B: ['z'] },
		],
	])('%s', (_, fields, xml, values) => {
		expect(readFields(fields, xml)).toEqual(values);
	});

	const dates: Field = { kind: 'record', type: '', fields: { B: { kind: 'date' } } };
	it.each<[Fields, string, string]>([
		[{ A: { ...int, required: true } }, '', 'Expected a value in A, got none'],
		[{ A: listOf(item, 'r') }, '<B/>', 'Expected A, got B'],
		[
			{ A: repeated({ ...int, namespace: 'urn:a' }) },
			'<A>1</A>',
			`Expected A of urn:a, got one of "${NS}"`,
		],
		[
			{ A: { ...int, namespace: '' } },
			'<A>1</A>',
			`Expected A of no namespace, got one of "${NS}"`,
		],
		[
			{ A: listOf(int, 'int') },
			'<A><int>1</int><int>x</int></A>',
			'A[1]: expected a whole number of 32 bits, got "x"',
		],
		[
			{ A: repeated(dates) },
			'<A/><A><B>2026-02-30</B></A>',
			'A[1].B: expected a date, got "2026-02-30"',
		],
		[
			{ A: listOf(item, 'r'), B: int },
			'<A><r><Id>5</Id></r></A><B>x</B>',
			'B: expected a whole number of 32 bits, got "x"',
		],
		[{ A: item }, '<A i:type="p:T"/>', 'the unbound prefix "p"'],
	])('but not %j of %s: %s', (fields, xml, message) => {
		expect(() => readFields(fields, xml)).toThrow(message);
	});
});

describe('an error, never an empty result:', () => {
	const twoBodies = document('<s:Body><CostCenter_GetResponse/></s:Body><s:Body/>');
	const RESULT = 'CostCenter_GetResult';
	it.each([
		['Expected one Body in the SOAP envelope', document('<s:Header/>')],
		['Expected one Body in the SOAP envelope', twoBodies],
		['Expected a SOAP envelope, got one of "urn:x"', envelope('', 'urn:x')],
		['Expected one element in the SOAP body, got 0', envelope('')],
		// A fault of another namespace.
		['Expected CostCenter_GetResponse', envelope('<Fault/>')],
		['Expected CostCenter_GetResponse', envelope('<Address_InsertResponse/>')],
		[`Expected ${RESULT}, got Rows`, listed('<Rows/>')],
		[`Expected EmployeeCostCenter in ${RESULT}, got Address`, rows('<Address/>')],
		[
			`Expected EmployeeCostCenter in ${RESULT} of ${NS}, got one of "urn:x"`,
			rows(other('EmployeeCostCenter')),
		],
		[`Expected ${RESULT}[0].Id of ${NS}, got one of "urn:x"`, row(`<Id>1</Id>${other('Id', 'n')}`)],
		[
			`${RESULT}[0].Id: expected a whole number of 32 bits, got "2026-01-01"`,
			row('<Id>2026-01-01</Id>'),
		],
		[`${RESULT}[1].Id`, rows(`<EmployeeCostCenter/>${one('<Id>2147483648</Id>')}`)],
		[`contains the element ${RESULT}[0].Id twice`, row('<Id>1</Id><Id>2</Id>')],
	])('%s (%#)', (message, text) => {
		expect(() => read(text)).toThrow(message);
	});

	it.each([
		['Envelope', document('text<s:Body><CostCenter_GetResponse/></s:Body>')],
		['Body', envelope('<CostCenter_GetResponse/>text')],
		['CostCenter_GetResponse', listed('text')],
		[RESULT, rows('text')],
		[RESULT, rows(' text<EmployeeCostCenter/>')],
		[RESULT, listed(`<${RESULT} i:nil="true">text</${RESULT}>`)],
		[`${RESULT}[0]`, row('<Id>1</Id>text')],
		[`${RESULT}[0]`, rows('<EmployeeCostCenter i:nil="true">text</EmployeeCostCenter>')],
		[`${RESULT}[0].CostCenter`, row('<CostCenter>text</CostCenter>')],
	])('a text in %s (%#)', (where, text) => {
		expect(() => read(text)).toThrow(`The answer has the text "text" in ${where}`);
	});

	const NONE = 'Expected a value in Address_InsertResult, got none';
	const long = `<Address_InsertResult>${'x'.repeat(81)}</Address_InsertResult>`;
	it.each([
		[NONE, '<Address_InsertResult i:nil="true"/>'],
		[`Address_InsertResult: expected a whole number of 32 bits, got "${'x'.repeat(76)}...`, long],
	])('%s: a number that is %s', (message, result) => {
		expect(() => insert(inserted(result))).toThrow(message);
	});
});
