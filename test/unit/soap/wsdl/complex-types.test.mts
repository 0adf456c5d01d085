/**
 * Complex types of XML Schema as records, lists and repeated fields: what the random schemas of
 * `random.test.mts` do not have, and what their values do not show.
 */
import type {
	RecordContent,
	Field,
	Fields,
	RecordField,
} from '../../../../nodes/shared/contract/fields.ts';
import { fieldsOf } from '../../../support/wsdl.mts';

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
function fieldOf(types: string): Field | undefined {
	return fieldsOf('<s:element name="F" type="tns:T" minOccurs="0"/>', types).F;
}

/** The record that an element of type "T" is. */
function recordIn(types: string): RecordField {
	const field = fieldOf(types);
	if (field?.kind !== 'record') throw new Error(JSON.stringify(field));
	return field;
}

/** The fields of a record of this content. */
const recordOf = (content: string, types = ''): Fields =>
	recordIn(type('T', content) + types).fields;

describe('an element', () => {
	const documented = (text: string): string =>
		`<s:annotation><s:documentation>${text}</s:documentation></s:annotation>`;

	it.each<[string, string, string, Field | undefined]>([
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
			{ kind: 'repeated', of: int, required: true },
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
		expect(fields).toEqual({ G: { kind: 'repeated', description: 'A number', of } });
	});
});

describe('a record', () => {
	it.each<[string, string, RecordContent]>([
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
					'@xml:lang': { kind: 'string', required: true },
				},
			},
		],
	])('%s', (_, content, expected) => {
		expect(recordIn(type('T', content))).toEqual({ kind: 'record', type: 'T', ...expected });
	});

	it('of mixed content, as ASP.NET describes an XmlNode, has a text and other elements', () => {
		const content = { fields: {}, text: { kind: 'string' }, others: { required: true } };
		expect(recordIn(type('T', sequence('<s:any/>'), 'mixed="true"'))).toMatchObject(content);
		const mixed = `<s:complexContent mixed="true"><s:extension base="tns:Base">${sequence(B)}</s:extension></s:complexContent>`;
		const { fields, text } = recordIn(type('T', mixed) + type('Base', sequence(A)));
		expect([Object.keys(fields), text]).toEqual([['A', 'B'], { kind: 'string' }]);
		expect(fieldOf(type('T', '', 'mixed="true"'))).toEqual({ kind: 'string' });
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
		const { X, Y } = fieldsOf(elements, type('T', sequence(A))) as Record<string, RecordField>;
		expect(X?.fields).toBe(Y?.fields);
	});
});

describe('a choice', () => {
	const BOTH = REQUIRED + B.replace(' minOccurs="0"', '');

	it.each<[string, string, RecordContent['choice']]>([
		['by itself', choice(BOTH), { names: ['A', 'B'], required: true }],
		['in a sequence', sequence(C + choice(BOTH) + D), { names: ['A', 'B'], required: true }],
		['that may be absent', choice(BOTH, 'minOccurs="0"'), { names: ['A', 'B'], required: false }],
		[
			'with an alternative that may be absent',
			choice(A + B),
			{ names: ['A', 'B'], required: false },
		],
	])('%s names the fields that exclude each other', (_, content, expected) => {
		const { choice: found, fields } = recordIn(type('T', content));
		expect(found).toEqual(expected);
		expect(fields).toMatchObject({ A: int, B: int });
		expect(Object.values(fields).some(({ required }) => required)).toBe(false);
	});

	it('that repeats has repeated fields, and excludes none', () => {
		const content = choice(REQUIRED + B + ANY, 'maxOccurs="unbounded"');
		expect(recordIn(type('T', content))).toEqual({
			kind: 'record',
			type: 'T',
			fields: { A: { kind: 'repeated', of: int }, B: { kind: 'repeated', of: int } },
			others: {},
		});
	});

	it('stays one in an extension', () => {
		const base = type('Base', choice(A + B));
		const extended = recordIn(type('T', extension('tns:Base', sequence(C))) + base);
		expect(extended.choice?.names).toEqual(['A', 'B']);
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
		const counted = { kind: 'list', row: 'A', of: int };
		expect(fieldOf(type('T', sequence(row)))).toEqual(counted);
		const repeated = fieldOf(type('T', choice(A, 'maxOccurs="unbounded"')));
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
	const encoded =
		'<s:complexContent><s:restriction xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" base="e:Array"><s:attribute ref="e:arrayType"/></s:restriction></s:complexContent>';
	const diffgram = '<s:any namespace="urn:schemas-microsoft-com:xml-diffgram-v1"/>';

	it.each([
		['an optional or repeated group', sequence(A + B, 'maxOccurs="unbounded"')],
		['an optional or repeated group', sequence(A + B, 'minOccurs="0"')],
		['a group within a group', sequence(sequence(A))],
		['a group within a group', choice(A + sequence(B + C))],
		['a choice within a choice', choice(A + choice(B + C))],
		['any element in a choice', choice(A + ANY)],
		['several choices', sequence(choice(A + B) + choice(C + D))],
		['several choices', extension('tns:Chosen', choice(A + B))],
		['elements in any order', `<s:all>${A}${B}</s:all>`],
		['a named group of elements', '<s:group ref="tns:G"/>'],
		['a named group of elements', sequence('<s:group ref="tns:G"/>')],
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
		const types = type('Base', sequence(A)) + type('Chosen', choice(C + D));
		expect(fieldOf(type('T', content) + types)).toEqual({
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
