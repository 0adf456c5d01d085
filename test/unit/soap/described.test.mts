/** Values of operations that a service's description defines: written, and read back. */
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { writeRequest } from '../../../nodes/shared/soap/envelope.ts';
import { readAnswer } from '../../../nodes/shared/soap/response.ts';
import { answering, connectionTo } from '../../support/exchange.mts';
import { EMPLOYEE_NS, soapAnswer } from '../../support/soap.mts';

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const XSD = 'http://www.w3.org/2001/XMLSchema';

const write = (fields: Fields, values: unknown) =>
	writeRequest({ fields }, values as Values, EMPLOYEE_NS);

function operationOf(fields: Fields): Operation {
	const content = { request: { fields }, response: { fields } };
	return { service: 'EmployeeService', name: 'Echo', effect: 'write', ...content };
}

function read(fields: Fields, xml: string): unknown {
	const { body } = soapAnswer(`<EchoResponse xmlns="${EMPLOYEE_NS}">${xml}</EchoResponse>`);
	const answer = readAnswer(operationOf(fields), EMPLOYEE_NS, String(body));
	return answer.kind === 'result' ? answer.result : answer.fault;
}

const int = { kind: 'int' } as const;
const item: RecordField = { kind: 'record', type: 'Item', fields: { A: int } };
const record = (fields: Fields): RecordField => ({ kind: 'record', type: '', fields });
const repeated = (of: Field): Field => ({ kind: 'repeated', of });
const list = (of: Field, row?: string): Field => ({
	kind: 'list',
	of,
	...(row !== undefined && { row }),
});

const base: RecordField = {
	kind: 'record',
	type: 'Contract',
	fields: { Id: int },
	derived: [
		{ kind: 'record', type: 'Fixed', fields: { Id: int, Hours: { kind: 'decimal' } } },
		{ kind: 'record', type: 'Other', typeNamespace: 'urn:a', fields: { Id: int } },
		{
			kind: 'record',
			type: 'Other',
			typeNamespace: 'urn:b',
			fields: { Id: int, End: { kind: 'date' } },
		},
	],
};

describe('elements are written', () => {
	const cases: Array<[string, Fields, Values, string]> = [
		[
			'with a namespace of their own where it is not that of the element around them',
			{
				A: {
					...record({
						In: { ...int, namespace: 'urn:a&b' },
						Out: int,
						None: { ...int, namespace: '' },
					}),
					namespace: 'urn:a&b',
				},
				B: int,
			},
			{ A: { In: 1, Out: 2, None: 3 }, B: 4 },
			`<A xmlns="urn:a&amp;b"><In>1</In><Out xmlns="${EMPLOYEE_NS}">2</Out>` +
				'<None xmlns="">3</None></A><B>4</B>',
		],
		[
			'with attributes, and text beside them',
			{
				A: {
					...record({}),
					attributes: {
						'@unit': { kind: 'string' },
						'@xml:lang': { kind: 'string' },
						'@{urn:k}kind': int,
						'@{urn:l}kind': int,
					},
					text: { kind: 'decimal' },
				},
			},
			{
				A: {
					...{ '#text': '1.50', '@unit': '"a"\n<b>\t', '@xml:lang': 'nl' },
					...{ '@{urn:k}kind': 7, '@{urn:l}kind': 8 },
				},
			},
			'<A unit="&#34;a&#34;&#10;&lt;b&gt;&#9;" xml:lang="nl" ' +
				'xmlns:a2="urn:k" a2:kind="7" xmlns:a3="urn:l" a3:kind="8">1.50</A>',
		],
		[
			'with the text of mixed content before its elements',
			{ A: { ...record({ B: int }), text: { kind: 'string' }, others: {} } },
			{ A: { B: 1, '#text': '<', C: 'x' } },
			'<A>&lt;<B>1</B><C>x</C></A>',
		],
		[
			'as nil where null is a value, or where a value must be given',
			{
				A: { ...int, nillable: true },
				B: { ...int, nillable: true, required: true, namespace: '' },
				C: { ...int, nillable: true },
				D: int,
			},
			{ A: null, D: null },
			`<A ${XSI} xsi:nil="true"/><B xmlns="" ${XSI} xsi:nil="true"/>`,
		],
		[
			'per row of a list, named as the description says',
			{ L: list(int, 'int'), M: list(item), N: list({ ...item, nillable: true }) },
			{ L: [1, 2], M: [{ A: 1 }, {}], N: [null] },
			'<L><int>1</int><int>2</int></L><M><Item><A>1</A></Item><Item></Item></M>' +
				`<N><Item ${XSI} xsi:nil="true"/></N>`,
		],
		[
			'with the type of a derived record',
			{ A: base, B: base, C: base },
			{
				A: { '@xsi:type': 'Fixed', Hours: '36.00', Id: 1 },
				B: { '@xsi:type': '{urn:b}Other', End: '2026-11-22' },
				C: { '@xsi:type': 'Contract', Id: 2 },
			},
			`<A ${XSI} xmlns:t="${EMPLOYEE_NS}" xsi:type="t:Fixed"><Id>1</Id><Hours>36.00</Hours></A>` +
				`<B ${XSI} xmlns:t="urn:b" xsi:type="t:Other"><End>2026-11-22</End></B><C><Id>2</Id></C>`,
		],
		[
			'without attributes and a text that are not set',
			{
				A: {
					...record({ B: int }),
					attributes: { '@n': int, '@m': int },
					text: { kind: 'string' },
				},
			},
			{ A: { '@n': null, '#text': null, B: 1 } },
			'<A><B>1</B></A>',
		],
		[
			'with the type of a value of JSON, where any type is allowed',
			{ A: repeated({ kind: 'any' }) },
			{ A: ['x', true, 5, 1.5, { '@xsi:type': 'date', '#text': '2026-11-22' }, { B: { C: 1 } }] },
			[
				['string', 'x'],
				['boolean', 'true'],
				['int', '5'],
				['double', '1.5'],
				['date', '2026-11-22'],
			]
				.map(([type, text]) => `<A ${XSI} xmlns:t="${XSD}" xsi:type="t:${type}">${text}</A>`)
				.join('') + '<A><B><C>1</C></B></A>',
		],
		[
			'as they are, where their type is not supported',
			{ A: { kind: 'any', unsupported: 'several choices', namespace: 'urn:a' } },
			{ A: ['x', { B: [1, 2] }, null] },
			'<A xmlns="urn:a">x</A><A xmlns="urn:a"><B>1</B><B>2</B></A>',
		],
		[
			'with attributes and namespaces that JSON names',
			{ A: { kind: 'any', unsupported: 'a .NET DataSet', namespace: 'urn:a' }, B: { kind: 'any' } },
			{
				A: { '@n': '"', Set: { '@xmlns': 'urn:set', Row: { '@ID': 1, '#text': '<' } } },
				B: { '@xsi:type': 'int', '@n': 5, '#text': 7 },
			},
			'<A xmlns="urn:a" n="&#34;"><Set xmlns="urn:set"><Row ID="1">&lt;</Row></Set></A>' +
				`<B ${XSI} xmlns:t="${XSD}" xsi:type="t:int" n="5">7</B>`,
		],
		[
			'in a namespace that JSON names in place of their own',
			{ A: { kind: 'any', unsupported: 'x', namespace: 'urn:a' } },
			{ A: { '@xmlns': 'urn:b' } },
			'<A xmlns="urn:b"></A>',
		],
		[
			'in the place of a wildcard, where no field has their name',
			{
				R: { ...record({ A: int, Z: int }), others: { before: 'Z' } },
				S: { ...record({ A: int }), others: {} },
			},
			{ R: { Z: 1, Own: ['x', { Y: true }], A: 2 }, S: { Own: 3, A: 4 } },
			'<R><A>2</A><Own>x</Own><Own><Y>true</Y></Own><Z>1</Z></R><S><A>4</A><Own>3</Own></S>',
		],
	];
	it.each(cases)('%s', (_, fields, values, xml) => {
		expect(write(fields, values)).toBe(xml);
	});
});

describe('elements are read', () => {
	const cases: Array<[string, Fields, string, unknown]> = [
		[
			'as empty lists where they are absent or nil',
			{ A: { ...list(item), nillable: true }, B: repeated(item), C: list(item) },
			`<A ${XSI} xsi:nil="true"/>`,
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
				A: list({ ...int, nillable: true }, 'r'),
				B: list(item),
				C: list({ ...item, nillable: true }),
				D: list(int, 'r'),
			},
			`<A ${XSI}><r>1</r><r xsi:nil="true"/></A><B ${XSI}><Item xsi:nil="true"/></B>` +
				`<C ${XSI}><Item xsi:nil="true"/></C><D ${XSI}><r xsi:nil="true"/></D>`,
			{ A: [1, null], B: [{}], C: [null], D: [null] },
		],
		[
			'with the type of a derived record, whatever its prefix',
			{ A: repeated(base) },
			`<A ${XSI} xsi:type="Fixed"><Hours>36</Hours></A>` +
				`<A ${XSI} xmlns:q="urn:b" xsi:type=" q:Other "><End>2026-11-22</End></A>` +
				`<A ${XSI} xsi:type="Contract"><Id>1</Id></A>` +
				`<A ${XSI} xsi:type="New"><Id>1</Id><More>x</More></A>` +
				`<A ${XSI} xmlns:q="urn:c" xsi:type="q:New"/>`,
			{
				A: [
					{ '@xsi:type': 'Fixed', Hours: 36 },
					{ '@xsi:type': '{urn:b}Other', End: '2026-11-22' },
					{ Id: 1 },
					{ '@xsi:type': 'New', Id: 1, More: 'x' },
					{ '@xsi:type': '{urn:c}New' },
				],
			},
		],
		[
			'as JSON of any type',
			{ A: repeated({ kind: 'any' }) },
			`<A>x</A><A><B>1</B><B>2</B></A><A ${XSI} xsi:nil="1"/>` +
				[
					['s:string', ' x '],
					['s:boolean', '1'],
					['s:short', '5'],
					['s:unsignedByte', ' 7 '],
					['s:double', '0.5'],
					['s:double', '5'],
					['s:int', 'five'],
					['s:decimal', '12.500'],
					['Thing', 'x'],
				]
					.map(([type, text]) => `<A ${XSI} xmlns:s="${XSD}" xsi:type="${type}">${text}</A>`)
					.join(''),
			{
				A: [
					'x',
					{ B: ['1', '2'] },
					null,
					' x ',
					true,
					5,
					7,
					0.5,
					{ '@xsi:type': 'double', '#text': '5' },
					{ '@xsi:type': 'int', '#text': 'five' },
					{ '@xsi:type': 'decimal', '#text': '12.500' },
					{ '@xsi:type': `{${EMPLOYEE_NS}}Thing`, '#text': 'x' },
				],
			},
		],
		[
			'as they are, where their type is not supported, or their name is no field',
			{ A: { kind: 'any', unsupported: 'several choices' } },
			'<A>x</A><Own><B>1</B></Own><A xmlns="urn:a">y</A>',
			{ A: ['x', 'y'], Own: { B: '1' } },
		],
		[
			'with attributes also where nothing is known of them',
			{ A: { kind: 'any', unsupported: 'a .NET DataSet' }, B: { kind: 'any' } },
			`<A a="1" ${XSI} xsi:nil="0"><z:row xmlns:z="urn:z" ID="1" z:ID="2"/><x k="2">t</x></A>` +
				`<B n="5" ${XSI} xmlns:s="${XSD}" xsi:type="s:int">7</B><Own n="1"/>`,
			{
				A: { '@a': '1', row: { '@ID': '1', '@{urn:z}ID': '2' }, x: { '@k': '2', '#text': 't' } },
				B: { '@xsi:type': 'int', '@n': '5', '#text': '7' },
				Own: { '@n': '1' },
			},
		],
		[
			'with attributes and their text',
			{
				A: { ...record({}), attributes: { '@n': int, '@toString': int }, text: { kind: 'date' } },
			},
			'<A n=" 5 " more="x"> 2026-11-22 </A>',
			{ A: { '@n': 5, '@more': 'x', '#text': '2026-11-22' } },
		],
		[
			'with the text of mixed content, without whitespace between its elements',
			{ A: repeated({ ...record({ B: int }), text: { kind: 'string' } }) },
			'<A> x <B>1</B></A><A>\n\t<B>2</B>\n</A><A></A>',
			{ A: [{ '#text': ' x ', B: 1 }, { B: 2 }, { '#text': '' }] },
		],
	];
	it.each(cases)('%s', (_, fields, xml, values) => {
		expect(read(fields, xml)).toEqual(values);
	});

	it.each<[string, Fields, string, string]>([
		[
			'a required value is absent',
			{ A: { ...int, required: true } },
			'',
			'Expected a value in A, got none',
		],
		[
			'something else stands in place of an optional list',
			{ A: list(item) },
			'<B/>',
			'Expected A, got B',
		],
		[
			'an element is of another namespace',
			{ A: repeated({ ...int, namespace: 'urn:a' }) },
			'<A>1</A>',
			`Expected A of urn:a, got one of "${EMPLOYEE_NS}"`,
		],
		[
			'a row has another name',
			{ A: list(int, 'int') },
			'<A><string>1</string></A>',
			'Expected int in A, got string',
		],
		[
			'a row is of another kind',
			{ A: list(int, 'int') },
			'<A><int>1</int><int>x</int></A>',
			'A[1]: expected a whole number of 32 bits, got "x"',
		],
		[
			'a repeated value is of another kind',
			{ A: repeated(record({ B: { kind: 'date' } })) },
			'<A/><A><B>2026-02-30</B></A>',
			'A[1].B: expected a date, got "2026-02-30"',
		],
		[
			'an attribute is of another kind',
			{ A: { ...record({}), attributes: { '@n': int } } },
			'<A n="x"/>',
			'A.@n: expected a whole number of 32 bits, got "x"',
		],
		[
			'the prefix of a type is not bound',
			{ A: base },
			`<A ${XSI} xsi:type="p:Fixed"/>`,
			'The answer holds the unbound prefix "p"',
		],
	])('but not where %s', (_, fields, xml, message) => {
		expect(() => read(fields, xml)).toThrow(message);
	});
});

it.each<[string, string, Field, unknown]>([
	[
		'an unsupported type',
		`<A ${XSI} xsi:type="More" k="1"><B xmlns:s="${XSD}" xsi:type="s:date">2026-11-22</B></A>`,
		{ kind: 'any', unsupported: 'x' },
		{
			...{ '@xsi:type': `{${EMPLOYEE_NS}}More`, '@k': '1' },
			B: { '@xsi:type': 'date', '#text': '2026-11-22' },
		},
	],
	[
		'any type',
		`<A><Row xmlns:p="urn:p" ${XSI} xsi:type="p:Row" p:k="1" k="2" xml:lang="nl"/></A>`,
		{ kind: 'any' },
		{
			Row: { '@xsi:type': '{urn:p}Row', '@{urn:p}k': '1', '@k': '2', '@xml:lang': 'nl' },
		},
	],
	[
		'any type, with a text among elements',
		'<A>Owed <b>12</b></A>',
		{ kind: 'any' },
		{ b: '12', '#text': 'Owed ' },
	],
])('what was read can be written, and is the same: %s', (_, xml, field, value) => {
	const fields = { A: field };
	expect(read(fields, xml)).toEqual({ A: value });
	expect(read(fields, write(fields, { A: value }))).toEqual({ A: value });
});

describe('a call', () => {
	const operation = operationOf({ Id: { ...int, required: true } });

	/** Makes a call, which is answered with an identifier; returns its result and the requests. */
	async function call(effect: 'read' | 'write', request: Values) {
		const { exchange, requests } = answering(() =>
			soapAnswer(`<EchoResponse xmlns="${EMPLOYEE_NS}"><Id>7</Id></EchoResponse>`),
		);
		const connection = connectionTo('http://localhost');
		const result = callSoap(exchange, connection, { ...operation, effect }, request);
		return { result: await result, requests };
	}

	it('sends the values, and gives those of the response element', async () => {
		const { result, requests } = await call('read', { Id: 7 });
		expect(result).toEqual({ Id: 7 });
		expect(requests).toMatchObject([{ effect: 'read' }]);
		expect(requests[0]?.body).toContain(`<Echo xmlns="${EMPLOYEE_NS}"><Id>7</Id></Echo>`);
		expect(requests[0]?.headers?.SOAPAction).toBe(`"${EMPLOYEE_NS}/Echo"`);
	});
});

it('the type of each of 8,000 rows is found by its name among 8,000', () => {
	let comparisons = 0;
	const derived = Array.from(
		{ length: 8000 },
		(_, i): RecordField => ({
			...{ kind: 'record', fields: {} },
			get type() {
				comparisons += 1;
				return `T${i}`;
			},
		}),
	);
	const rows = derived.map((_, i) => `<A ${XSI} xsi:type="T${i}"/>`).join('');
	const field = { ...record({}), type: 'Base', derived };
	const types = derived.map((_, i) => ({ '@xsi:type': `T${i}` }));
	comparisons = 0;
	expect(read({ A: repeated(field) }, rows)).toEqual({ A: types });
	expect(comparisons).toBeLessThan(10 * types.length);
});
