/**
 * Complex types of XML Schema as records, lists and repeated fields: what the random schemas of
 * `random.test.mts` do not have, and what their values do not show.
 */
import type {
	RecordContent,
	SchemaField,
	SchemaFields,
	SchemaRecord,
} from '../../../../nodes/shared/contract/schemaFields.ts';
import { callWsdl, described, fieldsOf } from '../../../support/wsdl.mts';

const A = '<s:element name="A" type="s:int" minOccurs="0"/>';
const B = '<s:element name="B" type="s:int" minOccurs="0"/>';
const C = '<s:element name="C" type="s:int" minOccurs="0"/>';
const D = '<s:element name="D" type="s:int" minOccurs="0"/>';
const REQUIRED = '<s:element name="A" type="s:int"/>';
const ANY = '<s:any minOccurs="0"/>';
const int = { kind: 'int' } as const;

const sequence = (content: string, attributes = ''): string =>
	`<s:sequence ${attributes}>${content}</s:sequence>`;
const choice = (content: string, attributes = ''): string =>
	`<s:choice ${attributes}>${content}</s:choice>`;
const type = (name: string, content: string, attributes = ''): string =>
	`<s:complexType name="${name}" ${attributes}>${content}</s:complexType>`;
const extension = (base: string, content: string): string =>
	`<s:complexContent><s:extension base="${base}">${content}</s:extension></s:complexContent>`;

/** The field of an element of type "T". */
function fieldOf(types: string): SchemaField | undefined {
	return fieldsOf('<s:element name="F" type="tns:T" minOccurs="0"/>', types).F;
}

/** The record that an element of type "T" is. */
function recordIn(types: string): SchemaRecord {
	const field = fieldOf(types);
	if (field?.kind !== 'record') throw new Error(JSON.stringify(field));
	return field;
}

/** The fields of a record of this content. */
const recordOf = (content: string, types = ''): SchemaFields =>
	recordIn(type('T', content) + types).fields;

describe('an element', () => {
	const documented = (text: string): string =>
		`<s:annotation><s:documentation>${text}</s:documentation></s:annotation>`;

	it.each<[string, string, string, SchemaField | undefined]>([
		[
			'can be nil by a number',
			'type="s:int" nillable="1"',
			'',
			{ ...int, required: true, nillable: true },
		],
		['occurs at most 0 times', 'type="s:int" minOccurs="0" maxOccurs="0"', '', undefined],
		[
			'has a description, on one line',
			'type="s:int" minOccurs="0"',
			documented('\n Number  of\n hours.'),
			{ ...int, description: 'Number of hours' },
		],
		[
			'occurs several times',
			'type="s:int" minOccurs="2" maxOccurs="unbounded"',
			'',
			{ kind: 'repeated', of: int, minRows: 2, required: true },
		],
	])('%s', (_, attributes, content, field) => {
		expect(fieldsOf(`<s:element name="F" ${attributes}>${content}</s:element>`).F).toEqual(field);
	});

	it('has a description of at most 200 characters', () => {
		const long = `<s:element name="F">${documented('x'.repeat(300))}</s:element>`;
		expect(fieldsOf(long).F?.description).toHaveLength(200);
	});

	it('may refer to a global one, which has its type and description', () => {
		const fields = fieldsOf(
			'<s:element ref="tns:G" minOccurs="0" maxOccurs="3"/>',
			`<s:element name="G" type="s:int" nillable="true">${documented('A number')}</s:element>`,
		);
		const of = { ...int, nillable: true };
		expect(fields).toEqual({ G: { kind: 'repeated', description: 'A number', of, maxRows: 3 } });
	});
});

describe('a record', () => {
	it.each<[string, string, RecordContent]>([
		['of a group that occurs at most 0 times', sequence(REQUIRED, 'maxOccurs="0"'), { fields: {} }],
		['with no other element', sequence(`${A}<s:any maxOccurs="0"/>`), { fields: { A: int } }],
		[
			'with no element of another namespace',
			sequence(`${A}<s:any namespace="##other" minOccurs="0"/>`),
			{ fields: { A: int } },
		],
		[
			'with other elements',
			sequence(`${A}<s:any namespace="##any"/>`),
			{ fields: { A: int }, others: { required: true } },
		],
		[
			'with an attribute that XML defines',
			'<s:attribute ref="xml:lang" use="required"/>',
			{
				fields: {},
				attributes: {
					'@lang': {
						kind: 'string',
						namespace: 'http://www.w3.org/XML/1998/namespace',
						required: true,
					},
				},
			},
		],
		[
			'that restricts any type',
			`<s:complexContent><s:restriction base="s:anyType">${sequence(A)}</s:restriction></s:complexContent>`,
			{ fields: { A: int } },
		],
	])('%s', (_, content, expected) => {
		expect(recordIn(type('T', content))).toEqual({ kind: 'record', type: 'T', ...expected });
	});

	it('has other elements before what comes next', () => {
		const base = type('Base', sequence(A + ANY));
		const { fields, others } = recordIn(type('T', extension('tns:Base', sequence(B + C))) + base);
		expect([Object.keys(fields), others]).toEqual([['A', 'B', 'C'], { before: 'B' }]);
		expect(recordIn(base.replace('Base', 'T')).others).toEqual({});
	});

	it('has no attribute that is prohibited, and a text where the type of one is not defined', () => {
		const prohibited = '<s:attribute name="Old" use="prohibited"/>';
		const odd = '<s:attribute name="Odd" type="tns:Missing"/><s:anyAttribute/>';
		const { attributes } = recordIn(type('T', `${prohibited}<s:attribute name="Note"/>${odd}`));
		expect(attributes).toEqual({
			'@Note': { kind: 'string' },
			'@Odd': { kind: 'string', unsupported: 'an undefined type (Missing)' },
		});
	});

	it.each([
		['decimal', { kind: 'decimal', required: true }],
		['string', { kind: 'string' }],
	])('of attributes and a text requires the text if it cannot be empty: %s', (base, expected) => {
		const content = `<s:simpleContent><s:extension base="s:${base}"><s:attribute name="Currency"/></s:extension></s:simpleContent>`;
		const { fields, attributes, text } = recordIn(type('T', content));
		expect({ fields, attributes, text }).toEqual({
			fields: {},
			attributes: { '@Currency': { kind: 'string' } },
			text: expected,
		});
	});

	it('is the same object for all fields and operations of its type', () => {
		const elements = '<s:element name="X" type="tns:T"/><s:element name="Y" type="tns:T"/>';
		const { X, Y } = fieldsOf(elements, type('T', sequence(A))) as Record<string, SchemaRecord>;
		expect(X?.fields).toBe(Y?.fields);
	});
});

describe('a choice', () => {
	/** The number of the choice of each field. */
	const choices = (content: string): Record<string, number | undefined> => {
		const { fields, others } = recordIn(type('T', content));
		const all = Object.entries({ ...fields, ...(others && { '*': others }) });
		return Object.fromEntries(all.map(([name, { choice }]) => [name, choice]));
	};

	it.each<[string, string, Record<string, number | undefined>]>([
		['says which fields exclude each other', choice(A + B) + C, { A: 1, B: 1, C: undefined }],
		['stands beside another', choice(A + B) + choice(C + ANY), { A: 1, B: 1, C: 2, '*': 2 }],
		[
			'that repeats excludes nothing within',
			choice(A + B, 'maxOccurs="unbounded"'),
			{ A: undefined, B: undefined },
		],
	])('%s', (_, content, expected) => {
		expect(choices(sequence(content))).toEqual(expected);
	});

	it('requires none of its fields, and repeats them if it repeats', () => {
		const { A: first } = recordOf(choice(REQUIRED + B));
		expect(first).toEqual({ ...int, choice: 1 });
		expect(recordOf(choice(A + B, 'minOccurs="0" maxOccurs="unbounded"'))).toEqual({
			A: { kind: 'repeated', of: int },
			B: { kind: 'repeated', of: int },
		});
	});

	it.each<[boolean, string, string]>([
		[true, 'that has to occur', choice(REQUIRED + B.replace(' minOccurs="0"', ''))],
		[false, 'that may be absent', choice(REQUIRED + C.replace('0', '1'), 'minOccurs="0"')],
		[false, 'with an alternative that may be absent', choice(REQUIRED + B)],
		[
			false,
			'in a sequence that may be absent',
			sequence(choice(REQUIRED + C.replace('0', '1')), 'minOccurs="0"'),
		],
	])('needs one of its fields (%s): one %s', (isNeeded, _, content) => {
		const { A: first } = recordOf(content);
		expect(first).toEqual({ ...int, choice: 1, ...(isNeeded && { oneRequired: true }) });
	});

	it('of one element requires it as often as both say', () => {
		const two = '<s:element name="A" type="s:int" minOccurs="2" maxOccurs="4"/>';
		expect(recordOf(choice(two, 'minOccurs="3" maxOccurs="5"') + B).A).toEqual({
			kind: 'repeated',
			of: int,
			minRows: 6,
			maxRows: 20,
			required: true,
		});
		expect(recordOf(choice(REQUIRED) + B).A).toEqual({ ...int, required: true });
		expect(recordOf(choice(REQUIRED, 'minOccurs="0"') + B).A).toEqual(int);
	});
});

describe('a list', () => {
	const row = '<s:element name="A" type="s:int" maxOccurs="9"/>';

	it('is a type that only repeats one element', () => {
		const rows =
			'<s:element name="Row" type="tns:R" minOccurs="0" maxOccurs="unbounded" nillable="true"/>';
		expect(fieldOf(type('T', sequence(rows)) + type('R', sequence(A)))).toEqual({
			kind: 'list',
			row: 'Row',
			of: { kind: 'record', type: 'R', fields: { A: int }, nillable: true },
		});
		const counted = { kind: 'list', row: 'A', of: int, minRows: 1, maxRows: 9 };
		expect(fieldOf(type('T', sequence(row)))).toEqual(counted);
		const repeated = fieldOf(type('T', sequence(A, 'maxOccurs="unbounded"')));
		expect(repeated).toEqual({ kind: 'list', row: 'A', of: int });
	});

	it('may hold lists, also itself', () => {
		const self = '<s:element name="T" type="tns:T" maxOccurs="unbounded"/>';
		const list = fieldOf(type('T', sequence(self)));
		expect(list?.kind === 'list' && list.of.kind === 'list' && list.of.of).toBe(
			list?.kind === 'list' && list.of,
		);
	});

	it.each([
		['attributes', type('T', `${sequence(row)}<s:attribute name="Id"/>`)],
		['other elements', type('T', sequence(row + B))],
		['any elements', type('T', sequence('<s:any maxOccurs="unbounded"/>'))],
		['a derived type', type('T', sequence(row)) + type('D', extension('tns:T', sequence(B)))],
	])('is a record if it has %s', (_, types) => {
		expect(fieldOf(types)?.kind).toBe('record');
	});
});

describe('an extension', () => {
	it('numbers its choices after those of its base', () => {
		const { fields } = recordIn(
			type('Base', choice(C + D)) + type('T', extension('tns:Base', choice(A + B))),
		);
		expect([fields.C, fields.A].map((field) => field?.choice)).toEqual([1, 2]);
	});

	it('is listed with its base and with the base of that', () => {
		const types =
			type('T', sequence(A), 'abstract="true"') +
			type('D', extension('tns:T', sequence(B))) +
			type('Between', extension('tns:D', ''), 'abstract="true"') +
			type('E', extension('tns:Between', sequence(C))) +
			type('Other', extension('tns:Missing', ''));
		const last = { kind: 'record', type: 'E', fields: { A: int, B: int, C: int } };
		const first = { kind: 'record', type: 'D', fields: { A: int, B: int }, derived: [last] };
		const derived = [first, last];
		expect(fieldOf(types)).toEqual({
			kind: 'record',
			type: 'T',
			isAbstract: true,
			fields: { A: int },
			derived,
		});
	});

	it.each([
		['the type', 'block="extension"', '', ''],
		['the type', 'block="#all"', '', ''],
		['the element', '', 'block="restriction extension"', ''],
		['the schema', '', '', 'blockDefault="#all"'],
	])('cannot be sent where %s blocks it: %#', (_, ofType, ofElement, ofSchema) => {
		const types = type('T', sequence(A), ofType) + type('D', extension('tns:T', sequence(B)));
		const elements =
			`<s:element name="F" type="tns:T" minOccurs="0" ${ofElement}/>` +
			'<s:element name="G" type="tns:T" minOccurs="0"/>';
		const wsdl = callWsdl(elements, types).replace('<s:schema ', `<s:schema ${ofSchema} `);
		const { F, G } = described(wsdl).operation('Call').request.fields;
		const record = { kind: 'record', type: 'T', fields: { A: int } };
		expect(F).toEqual(ofElement === '' && ofSchema === '' ? record : { ...record, derived: [] });
		expect(G).toMatchObject(ofElement === '' ? record : { derived: [{ type: 'D' }] });
	});

	it('of a text is a record where its base is meant, and a text by itself', () => {
		const text = (base: string): string =>
			`<s:simpleContent><s:extension base="${base}"/></s:simpleContent>`;
		const types = type('T', text('s:int')) + type('D', text('tns:T'));
		expect(fieldOf(types)).toEqual({
			kind: 'record',
			type: 'T',
			fields: {},
			text: { ...int, required: true },
			derived: [{ kind: 'record', type: 'D', fields: {}, text: { ...int, required: true } }],
		});
		expect(fieldsOf('<s:element name="F" type="tns:D" minOccurs="0"/>', types).F).toEqual(int);
	});
});

describe('what is not supported is named, and its field takes anything:', () => {
	const element = (name: string): string => sequence(`<s:element name="${name}" type="s:int"/>`);
	const mixed = '<s:complexContent mixed="true"><s:extension base="tns:Base"/></s:complexContent>';
	const encoded =
		'<s:complexContent><s:restriction xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" base="e:Array"><s:attribute ref="e:arrayType"/></s:restriction></s:complexContent>';
	const diffgram = '<s:any namespace="urn:schemas-microsoft-com:xml-diffgram-v1"/>';

	it.each([
		['mixed content', mixed],
		['a repeated group of elements', sequence(A + B, 'maxOccurs="unbounded"')],
		['a group of elements', sequence('<s:group ref="tns:G"/>')],
		['a group of elements in a choice', choice(A + choice(B + C))],
		['a group of elements in a choice', choice(A + sequence(B + C))],
		['a repeated group of elements', choice(A + sequence(B + C), 'maxOccurs="2"')],
		['two elements named "A"', sequence(A + A)],
		['two elements named "A"', extension('tns:Base', sequence(A))],
		['the element name "__proto__", which is refused', element('__proto__')],
		['the element name "constructor", which is refused', element('constructor')],
		['the attribute name "prototype", which is refused', '<s:attribute name="prototype"/>'],
		['the element name "a b"', element('a b')],
		['the element name "a/><b"', element('a/&gt;&lt;b')],
		['the element name ""', sequence('<s:element/>')],
		['an undefined element (X)', sequence('<s:element ref="tns:X"/>')],
		['a group of attributes', '<s:attributeGroup ref="tns:X"/>'],
		['an undefined type (X)', extension('tns:X', '')],
		['a restriction of another type', encoded],
		[
			'a restriction of another type',
			extension('tns:Base', '').replace(/extension/g, 'restriction'),
		],
		['a .NET DataSet', sequence('<s:element ref="s:schema"/><s:any/>')],
		['a .NET DataSet', sequence(`<s:any/>${diffgram}`)],
		['a .NET DataSet', sequence('<s:any namespace="http://tempuri.org/Wages.xsd"/>')],
		['elements of other namespaces', sequence('<s:any namespace="##other"/>')],
	])('%s (%#)', (reason, content) => {
		expect(fieldOf(type('T', content) + type('Base', sequence(A)))).toEqual({
			kind: 'any',
			unsupported: reason,
		});
	});

	it('a substitution group', () => {
		const types =
			'<s:element name="Head" type="s:int" abstract="true"/>' +
			'<s:element name="Other" substitutionGroup="tns:Head"/>';
		const fields = fieldsOf('<s:element ref="tns:Head"/><s:element ref="tns:Other"/>', types);
		const field = { kind: 'any', unsupported: 'a substitution group', required: true };
		expect(fields).toEqual({ Head: field, Other: field });
	});

	it('in the rows of a list, and beside fields that stay as they are', () => {
		const X = (occurs: string): string => `<s:element name="X" type="tns:X" ${occurs}/>`;
		const unsupported = { kind: 'any', unsupported: 'an undefined type (X)' };
		const list = fieldOf(type('T', sequence(X('maxOccurs="unbounded"'))));
		expect(list).toMatchObject({ kind: 'list', of: unsupported });
		expect(recordOf(sequence(A + X('minOccurs="0"')))).toEqual({ A: int, X: unsupported });
	});
});
