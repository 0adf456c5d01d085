/** Which values of a described operation are allowed; every problem is named by its path. */
import { writeContent } from '../../../nodes/shared/soap/writeFields.ts';
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { inTime } from '../../support/long.mts';

const int = { kind: 'int' } as const;
const any: Field = { kind: 'any' };
const unsupported: Field = { kind: 'any', unsupported: 'mixed content' };

const person: RecordField = {
	kind: 'record',
	type: 'Person',
	isAbstract: true,
	fields: { Id: int },
	derived: [
		{
			kind: 'record',
			type: 'Employee',
			fields: { Id: int, Since: { kind: 'date', required: true } },
		},
		{ kind: 'record', type: 'Partner', typeNamespace: 'urn:p', fields: { Id: int } },
	],
};
/** A record with elements of other names. */
const open: RecordField = { kind: 'record', type: '', fields: { A: int }, others: {} };
/** A record whose first three fields exclude each other. */
const choice: RecordField = {
	kind: 'record',
	type: '',
	fields: {
		Iban: { kind: 'string' },
		Cash: { kind: 'boolean', nillable: true },
		Check: { kind: 'repeated', of: int },
		Day: int,
	},
	choice: { names: ['Iban', 'Cash', 'Check'], required: false },
};
/** A record that needs one of its fields. */
const oneOf: RecordField = {
	kind: 'record',
	type: '',
	fields: { A: int, B: { ...int, nillable: true } },
	choice: { names: ['A', 'B'], required: true },
};

/** A record that contains itself in three ways. */
const tree: RecordField = (() => {
	const fields: Record<string, Field> = {};
	const record: RecordField = { kind: 'record', type: 'Tree', fields };
	fields.Left = record;
	fields.Right = record;
	fields.More = { kind: 'list', of: record };
	return record;
})();

/** Objects in objects, so many deep. */
function nested(depth: number, name: string): unknown {
	let value: unknown = {};
	for (let i = 0; i < depth; i += 1) value = { [name]: value };
	return value;
}

const circular: Record<string, unknown> = {};
circular.Left = circular;
circular.Right = circular;
circular.More = [circular, circular];

const dozens = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`F${i}`, int]));

describe('values are allowed', () => {
	it.each<[string, Fields, Values]>([
		['nil instead of required', { A: { ...int, required: true, nillable: true } }, {}],
		['of one field of a choice that needs one', { R: oneOf }, { R: { B: 1 } }],
		['of one alternative', { R: choice }, { R: { Iban: 'x', Cash: undefined, Check: [], Day: 1 } }],
		['of no alternative', { R: choice }, { R: { Day: 1 } }],
		[
			'of a type that is derived',
			{ P: person },
			{ P: { '@xsi:type': 'Employee', Since: '2026-11-22' } },
		],
		['of a type by its whole name', { P: person }, { P: { '@xsi:type': 'Partner', Id: 1 } }],
		['of other names in an open record', { R: open }, { R: { B: { C: [1, 'x'] } } }],
		[
			'with attributes and types, where the type is not supported',
			{ A: unsupported },
			{
				A: {
					'@n': 1,
					'@{urn:x}n': 2,
					'@xml:lang': 'nl',
					'@xsi:type': 'int',
					B: { '@xsi:type': 'A' },
				},
			},
		],
		['of any type', { A: any }, { A: { '@xsi:type': '{urn:x}Thing', B: 1 } }],
		['repeated, where the type is not supported', { A: unsupported }, { A: ['x', { B: 1 }] }],
		['64 levels deep', { T: tree }, { T: nested(62, 'Left') }],
		[
			'null in rows that can be nil',
			{ A: { kind: 'list', row: 'r', of: { ...int, nillable: true } } },
			{ A: [1, null] },
		],
	])('%s', (_, fields, values) => {
		expect(() => writeContent({ fields }, values, '')).not.toThrow();
	});
});

describe('a request has', () => {
	const oneNil: Field = { ...int, nillable: true };
	it.each<[string, Fields, Values, string]>([
		['no element for an optional value that is not set', { A: oneNil }, { A: undefined }, ''],
		['no other elements, if none is needed', { R: open }, { R: { A: 1 } }, '<R><A>1</A></R>'],
		[
			'one of several other elements, if one is needed',
			{ R: { ...open, others: { required: true } } },
			{ R: { B: null, C: 1 } },
			'<R><C>1</C></R>',
		],
		[
			'other elements before the field that comes next',
			{ R: { ...open, others: { before: 'A' } } },
			{ R: { A: 1, B: 2 } },
			'<R><B>2</B><A>1</A></R>',
		],
		[
			'a nil row of any type, and no row for null where the type is not supported',
			{ A: { kind: 'repeated', of: any }, B: unsupported },
			{ A: [null], B: [null, 'x'] },
			'<A xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/><B>x</B>',
		],
		[
			'attributes of several namespaces, each with a prefix of its own',
			{ A: unsupported },
			{ A: { '@n': 1, '@{urn:x}n': 2, '@xml:lang': 'nl', '@no': null, '#text': 'a' } },
			'<A n="1" xmlns:a1="urn:x" a1:n="2" xml:lang="nl">a</A>',
		],
		[
			'types of any namespace, or none',
			{ A: unsupported },
			{ A: [{ '@xsi:type': '{urn:x}T' }, { '@xsi:type': null }] },
			'<A xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:t="urn:x" xsi:type="t:T"></A><A></A>',
		],
	])('%s', (_, fields, values, xml) => {
		expect(writeContent({ fields }, values, '')).toBe(xml);
	});

	it('the base64 of what a value of that type stands for', () => {
		const bytes: Field = { kind: 'base64Binary' };
		const fields: Fields = { A: bytes, B: { kind: 'string' } };
		const bytesOf = (value: unknown) => (value === 'data' ? 'aGVsbG8=' : value);
		const values = { A: 'data', B: 'data' };
		expect(writeContent({ fields }, values, '', bytesOf)).toBe('<A>aGVsbG8=</A><B>data</B>');
	});
});

describe('values are refused', () => {
	it.each<[string, Fields, unknown, string]>([
		['a required one that is absent', { A: { ...int, required: true } }, {}, 'A is required.'],
		[
			'an attribute that is required',
			{
				A: {
					kind: 'record',
					type: '',
					fields: {},
					attributes: { '@n': { ...int, required: true } },
				},
			},
			{ A: {} },
			'A.@n is required.',
		],
		[
			'the place of other elements, if one is required',
			{ R: { ...open, others: { required: true } } },
			{ R: { A: 1, B: null } },
			'R.* is required.',
		],
		[
			'an attribute that is a record',
			{ A: unsupported },
			{ A: { '@n': { B: 1 } } },
			'A.@n: {"B":1} is not a text.',
		],
		[
			'an attribute with a prefix',
			{ A: unsupported },
			{ A: { '@a:b': 1 } },
			'A.@a:b: "@a:b" is not the name of an attribute, such as @Currency.',
		],
		[
			'an alternative that is nil',
			{ R: choice },
			{ R: { Iban: 'x', Cash: null } },
			'R.Cash is given together with its alternative R.Iban',
		],
		[
			'two alternatives in a row',
			{ L: { kind: 'repeated', of: choice } },
			{ L: [{}, { Iban: '', Check: [1] }] },
			'L[1].Check is given together with its alternative L[1].Iban',
		],
		[
			'no row of a required element',
			{ A: { kind: 'repeated', of: int, required: true } },
			{ A: [] },
			'A is required.',
		],
		['a list of any type in one element', { A: any }, { A: [1] }, 'A: [1] is not a text.'],
		['no list', { A: { kind: 'repeated', of: int } }, { A: 1 }, 'A: 1 is not a list.'],
		[
			'a row that is null',
			{ A: { kind: 'repeated', of: int } },
			{ A: [1, null] },
			'A[1] is empty.',
		],
		[
			'no type of an abstract record',
			{ P: person },
			{ P: { Id: 1 } },
			'P.@xsi:type is empty. Choose Employee or Partner.',
		],
		[
			'an abstract type',
			{ P: person },
			{ P: { '@xsi:type': 'Person' } },
			'P.@xsi:type: "Person" is not known. Choose Employee or Partner.',
		],
		[
			'a type, where there is one only',
			{ A: { kind: 'record', type: 'A', fields: { B: int } } },
			{ A: { '@xsi:type': 'A' } },
			'A.@xsi:type is not a known field. The known fields are B.',
		],
		[
			'an unknown name of dozens',
			dozens,
			{ X: 1 },
			'X is not a known field. The known fields are F0, F1, F2, F3, F4, F5, F6, F7, F8, F9 and 20 more.',
		],
		[
			'no field of a choice that needs one',
			{ R: oneOf },
			{ R: { A: null } },
			'R.A is missing: enter it, or R.B',
		],
		[
			'three alternatives',
			{ R: choice },
			{ R: { Iban: 'x', Cash: true, Check: [1] } },
			'2 values cannot be used:\n• R.Cash is given together with its alternative R.Iban\n• R.Check is given together with its alternative R.Iban',
		],
		[
			'the name of the place of other elements',
			{ R: open },
			{ R: { '*': 1 } },
			'R.*: "*" is not the name of an XML element without a prefix.',
		],
		[
			'a name of a prototype',
			{ A: { kind: 'record', type: 'A', fields: { Street: int } } },
			JSON.parse('{"A":{"__proto__":{"Street":"x"}}}'),
			'A.__proto__ is not a known field. The known fields are Street.',
		],
		[
			'an inherited name',
			{ A: int },
			{ constructor: 1 },
			'constructor is not a known field. The known fields are A.',
		],
		[
			'a type of no namespace',
			{ A: any },
			{ A: { '@xsi:type': '{}a' } },
			'A.@xsi:type: "{}a" is not the name of a type, such as dateTime.',
		],
	])('%s', (_, fields, values, message) => {
		expect(() => writeContent({ fields }, values as Values, '')).toThrow(new Error(message));
	});

	it('with a code for what is absent', () => {
		const fields: Fields = { A: { ...int, required: true } };
		expect(() => writeContent({ fields }, {}, '')).toThrow(
			expect.objectContaining({ code: 'VALUE_REQUIRED' }) as Error,
		);
	});

	it('all at once', () => {
		const fields: Fields = {
			A: { ...int, required: true },
			P: person,
			L: { kind: 'list', of: int },
		};
		const values = { X: 1, P: { '@xsi:type': 'Employee', Id: 'x' }, L: [1, 'y'] };
		expect(() => writeContent({ fields }, values, '')).toThrow(
			new Error(
				'5 values cannot be used:\n• X is not a known field. The known fields are A, P and L.\n' +
					'• A is required.\n• P.Id: "x" is not a whole number.\n• P.Since is required.\n' +
					'• L[1]: "y" is not a whole number.',
			),
		);
	});
});

describe('values without end are refused in time:', () => {
	it.each<[string, Fields, unknown]>([
		['a record that contains itself', { T: tree }, { T: circular }],
		['any type', { T: any }, { T: circular }],
		['a type that is not supported', { T: unsupported }, { T: circular }],
		['the place of other elements', { T: open }, { T: circular }],
	])('%s', (_, fields, values) => {
		const work = () => {
			expect(() => writeContent({ fields }, values as Values, '')).toThrow(InputError);
			expect(() => writeContent({ fields }, values as Values, '')).toThrow(
				' is nested deeper than 64 levels.',
			);
		};
		inTime(work);
	});

	it('a list of lists of its own type', () => {
		const list: { kind: 'list'; of: Field; row: string } = {
			kind: 'list',
			of: int,
			row: 'r',
		};
		list.of = list;
		const rows: unknown[] = [];
		rows.push(rows, rows);
		inTime(() => {
			expect(() => writeContent({ fields: { L: list } }, { L: rows }, '')).toThrow(
				'nested deeper than 64 levels',
			);
		});
	});
});
