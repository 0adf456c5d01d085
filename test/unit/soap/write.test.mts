/** Requests: what is written of values, and which values are refused, each named by its path. */
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import {
	addressInsert,
	addressUpdate,
	costCenterUpdate,
} from '../../../nodes/shared/contract/operations.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { writeRequest } from '../../../nodes/shared/soap/write.ts';
import { checkReadable } from '../../../nodes/shared/values/scalars.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { atNight } from '../../support/runs.mts';
import { EMPLOYEE_NS } from '../../support/reading.mts';

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

const int = { kind: 'int' } as const;
const any: Field = { kind: 'any', unsupported: 'attributes' };
const record = (fields: Fields): RecordField => ({ kind: 'record', type: '', fields });
const item: RecordField = { kind: 'record', type: 'Item', fields: { A: int } };
const repeated = (of: Field): Field => ({ kind: 'repeated', of });
const list = (of: Field, row?: string): Field => ({
	kind: 'list',
	of,
	...(row !== undefined && { row }),
});

const write = (fields: Fields, values: unknown) =>
	writeRequest({ fields }, values as Values, EMPLOYEE_NS);
const writeOpen = (values: Values) => writeRequest({ fields: {}, isOpen: true }, values);
/** Writes the elements of an operation of the contract. */
const body = (operation: Operation, values: object) =>
	writeRequest(operation.request, values as Values);

describe('elements of the contract', () => {
	const inAnyOrder = {
		...{ UnprotectedMode: true, Year: 2026, Period: 6, EmployeeId: 1001 },
		Address: { Type: 'HomeAddress', City: 'Delft', Default: false, Id: 1 },
	};
	const inOrder =
		'<EmployeeId>1001</EmployeeId><Address><Id>1</Id><Default>false</Default>' +
		'<City>Delft</City><Type>HomeAddress</Type></Address>' +
		'<Period>6</Period><Year>2026</Year><UnprotectedMode>true</UnprotectedMode>';
	const unset = { Street: null, City: undefined, PostalCode: '' };
	const rows = [{ Id: 0, Percentage: '12.3400', Default: false }, { Id: 2 }];
	const markup = { Street: '</Street>&amp;]]>\r\n"\'', City: ' ' };

	it.each<[string, Operation, object, string]>([
		["stand in the interface's order", addressInsert, inAnyOrder, inOrder],
		[
			'are left out where a value is not set, and empty where a text is set to nothing',
			addressInsert,
			{ EmployeeId: 1, Period: null, Address: unset },
			'<EmployeeId>1</EmployeeId><Address><PostalCode></PostalCode></Address>',
		],
		[
			'of rows keep the order of the rows, 0 and false, and every digit',
			costCenterUpdate,
			{ CostCenteren: rows },
			'<CostCenteren><EmployeeCostCenter><Id>0</Id><Percentage>12.3400</Percentage>' +
				'<Default>false</Default></EmployeeCostCenter>' +
				'<EmployeeCostCenter><Id>2</Id></EmployeeCostCenter></CostCenteren>',
		],
		[
			'hold texts that markup cannot leave, and keep blanks and a carriage return',
			addressUpdate,
			{ Address: markup },
			'<Address><Street>&lt;/Street&gt;&amp;amp;]]&gt;&#13;\n"\'</Street><City> </City></Address>',
		],
	])('%s', (_, operation, values, xml) => {
		expect(body(operation, values)).toBe(xml);
	});

	atNight('of a long list are not all looked at, once ten thousand are wrong', () => {
		const rows = Array.from({ length: 10_000 }, () => ({ Id: 'x', Percentage: 'y' }));
		const wrong = (count: number) => () =>
			body(costCenterUpdate, { CostCenteren: rows.slice(0, count) });
		expect(wrong(49)).toThrow(/^98 values cannot be used:\n• CostCenteren\[0\]\.Id: /);
		expect(wrong(10_000)).toThrow(/^At least 10000 values.*:\n(?:• .+\n){20}• and 9980 more$/);
	});
});

describe('elements of a description', () => {
	const ofA = { ...int, namespace: 'urn:a&b' };
	const inner = record({ In: ofA, Out: int, None: { ...int, namespace: '' } });
	const nil = { ...int, nillable: true };
	const NIL = `${XSI} xsi:nil="true"`;
	const openA: Field = { kind: 'any', unsupported: 'attributes', namespace: 'urn:a' };

	it.each<[string, Fields, Values, string]>([
		[
			'have a namespace of their own where it is not that of the element around them',
			{ A: { ...inner, namespace: 'urn:a&b' }, B: int },
			{ A: { In: 1, Out: 2, None: 3 }, B: 4 },
			`<A xmlns="urn:a&amp;b"><In>1</In><Out xmlns="${EMPLOYEE_NS}">2</Out>` +
				'<None xmlns="">3</None></A><B>4</B>',
		],
		[
			'are nil where null is a value, or where a value must be given',
			{ A: nil, B: { ...nil, required: true, namespace: '' }, C: nil, D: int },
			{ A: null, C: undefined, D: null },
			`<A ${NIL}/><B xmlns="" ${NIL}/>`,
		],
		[
			'are the rows of a list, named as the description says',
			{ L: list(int, 'int'), M: list(item), N: list({ ...item, nillable: true }) },
			{ L: [1, 2], M: [{ A: 1 }, {}], N: [null] },
			'<L><int>1</int><int>2</int></L><M><Item><A>1</A></Item><Item></Item></M>' +
				`<N><Item ${NIL}/></N>`,
		],
		[
			'repeat; null is no element of a type without a kind, and a nil row',
			{ A: repeated(int), B: any, C: repeated(any) },
			{ A: [1, 2], B: [null, 'x', { D: [1, 2] }], C: [null] },
			`<A>1</A><A>2</A><B>x</B><B><D>1</D><D>2</D></B><C ${NIL}/>`,
		],
		[
			'have the texts and namespaces that JSON names',
			{ A: openA },
			{
				A: [
					{ '@xmlns': 'urn:b' },
					{ Set: { '@xmlns': 'urn:set', Row: { '@ID': 1, '#text': '<' } } },
				],
			},
			'<A xmlns="urn:b"></A><A xmlns="urn:a"><Set xmlns="urn:set"><Row ID="1">&lt;</Row></Set></A>',
		],
		[
			'have the type that JSON names',
			{ B: any },
			{ B: { '@xsi:type': '{urn:x}T', '@no': null, '#text': 7 } },
			`<B ${XSI} xmlns:t="urn:x" xsi:type="t:T">7</B>`,
		],
		[
			'have the attributes that JSON names',
			{ B: any },
			{ B: { '@n': '"\n', '@{urn:x}n': 2, '@{urn:y}n': 3, '@xml:lang': 'nl', '@xsi:type': null } },
			'<B n="&#34;&#10;" xmlns:a1="urn:x" a1:n="2" xmlns:a2="urn:y" a2:n="3" xml:lang="nl"></B>',
		],
	])('%s', (_, fields, values, xml) => {
		expect(write(fields, values)).toBe(xml);
	});

	it('of the type base64Binary hold what a value stands for', () => {
		const fields: Fields = { A: { kind: 'base64Binary' }, B: { kind: 'string' } };
		const bytesOf = (value: unknown) => (value === 'data' ? 'aGVsbG8=' : value);
		const values = { A: 'data', B: 'data' };
		expect(writeRequest({ fields }, values, '', undefined, bytesOf)).toBe(
			'<A>aGVsbG8=</A><B>data</B>',
		);
	});
});

it.each<[string, unknown, string]>([
	['a text', ' a & <b> ', '<A> a &amp; &lt;b&gt; </A>'],
	['a whole number', 9_007_199_254_740_991, '<A>9007199254740991</A>'],
	['a boolean', false, '<A>false</A>'],
	['nothing for null', null, ''],
	['an object', { C: 1, B: { D: 'x' }, E: null }, '<A><C>1</C><B><D>x</D></B></A>'],
	['a list', [1, 'b', null, { C: [2, 3] }], '<A>1</A><A>b</A><A><C>2</C><C>3</C></A>'],
])(
	'of an operation of which nothing is known, elements are written as given: %s',
	(_, value, xml) => {
		expect(writeOpen({ A: value })).toBe(xml);
	},
);

/** Objects in objects, so many deep. */
function nested(depth: number, name: string): unknown {
	let value: unknown = {};
	for (let i = 0; i < depth; i += 1) value = { [name]: value };
	return value;
}

describe('values are refused', () => {
	const hostile: unknown = JSON.parse('{"A":{"__proto__":{"Street":"x"}}}');
	const KNOWN = 'is not a known field. The known fields are A.';
	it.each<[Fields, unknown, string]>([
		[{ A: { ...int, required: true } }, {}, 'A is required.'],
		[{ L: list(record({ B: int }), 'r') }, { L: [{}, { B: 1.5 }] }, 'L[1].B: 1.5 is not a whole'],
		[{ A: repeated(int) }, { A: 1 }, 'A: 1 is not a list.'],
		[{ A: repeated(int) }, { A: [1, null] }, 'A[1] is empty.'],
		[{ A: item }, { A: [1] }, 'A: [1] is not an object with the fields A.'],
		[{ A: item }, hostile, `A.__proto__ ${KNOWN}`],
		[{ A: int }, { constructor: 1 }, `constructor ${KNOWN}`],
		[{ A: any }, { A: { '@n': { B: 1 } } }, 'A.@n: {"B":1} is not a text.'],
	])('of %j: %j', (fields, values, message) => {
		expect(() => write(fields, values)).toThrow(message);
	});

	it.each(['@a:b', '@xsi:nil', '@', '@{}Id'])('%j is not the name of an attribute', (name) => {
		expect(() => write({ A: any }, { A: { [name]: 1 } })).toThrow(
			`A.${name}: "${name}" is not the name of an attribute, such as @Currency.`,
		);
	});

	it.each(['', '1a', 'a b', '{urn:a}', '{urn:a', '{}Row', '{urn:\0}Row'])(
		'%j is not the name of a type',
		(name) => {
			const message = ' is not the name of a type, such as dateTime.';
			expect(() => write({ A: any }, { A: { '@xsi:type': name } })).toThrow(message);
		},
	);

	it.each<[Values, string]>([
		[{ A: '\0' }, 'A: "\\u0000" contains a control character or a broken emoji.'],
		[{ A: [1, { B: [{ C: '\0' }] }] }, 'A[1].B[0].C: "\\u0000" contains a control character'],
		[{ A: { 'B C': 1 } }, 'A.B C: "B C" is not the name of an XML element'],
		[{ 'a:b': 1 }, 'a:b: "a:b" is not the name of an XML element without a prefix.'],
		[{ A: 2 ** 53 }, 'A: 9007199254740992 has more than 15 digits. Write it as a string.'],
		[{ A: [[1]] }, 'A[0]: [1] is not a text.'],
	])('of an operation of which nothing is known: %j', (values, message) => {
		expect(() => writeOpen(values)).toThrow(message);
	});

	it('that are nested deeper than 64 levels, or without end', () => {
		expect(() => checkReadable({ T: nested(62, 'Left') })).not.toThrow();
		const circular: Record<string, unknown> = {};
		Object.assign(circular, { Left: circular, Right: circular, More: [circular, circular] });
		const rows: unknown[] = [];
		rows.push(rows, rows);
		const message = ' is nested deeper than 64 levels.';
		for (const T of [circular, { More: rows }, nested(20_000, 'Left')]) {
			expect(() => checkReadable({ T })).toThrow(message);
		}
	});
});
