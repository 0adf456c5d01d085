/** Complex types of XML Schema as records, lists and repeated fields. */
import type { SchemaField, SchemaRecord } from '../../../../nodes/shared/contract/schemaFields.ts';
import { fieldsOf } from '../../../support/wsdl.mts';

const A = '<s:element name="A" type="s:int" minOccurs="0"/>';
const B = '<s:element name="B" type="s:int" minOccurs="0"/>';
const C = '<s:element name="C" type="s:int" minOccurs="0"/>';
const int = { kind: 'int' };

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

/** The fields of a record of this content. */
function recordOf(content: string, types = ''): SchemaRecord['fields'] {
	const field = fieldOf(type('T', content) + types);
	if (field?.kind !== 'record') throw new Error(JSON.stringify(field));
	return field.fields;
}

function unsupported(content: string, types = ''): string | undefined {
	const field = fieldOf(type('T', content) + types);
	return field?.kind === 'any' ? field.unsupported : undefined;
}

describe('an element', () => {
	const element = (attributes: string, content = ''): SchemaField | undefined =>
		fieldsOf(`<s:element name="F" ${attributes}>${content}</s:element>`).F;

	it('is required unless it may be absent', () => {
		expect(element('type="s:int"')).toEqual({ ...int, required: true });
		expect(element('type="s:int" minOccurs="1"')).toEqual({ ...int, required: true });
		expect(element('type="s:int" minOccurs="0"')).toEqual(int);
	});

	it('can be nil', () => {
		expect(element('type="s:int" nillable="true" minOccurs="0"')).toEqual({
			...int,
			nillable: true,
		});
		expect(element('type="s:int" nillable="1"')).toEqual({
			...int,
			nillable: true,
			required: true,
		});
	});

	it('does not exist if it occurs at most 0 times', () => {
		expect(element('type="s:int" minOccurs="0" maxOccurs="0"')).toBeUndefined();
	});

	it('with a fixed value has that one', () => {
		expect(element('type="s:int" minOccurs="0" fixed="3"')).toEqual({
			kind: 'enumeration',
			values: ['3'],
		});
	});

	it('has a description, on one line and shortened', () => {
		const documentation = (text: string): string =>
			`<s:annotation><s:documentation>${text}</s:documentation></s:annotation>`;
		expect(element('type="s:int" minOccurs="0"', documentation('\n Number  of\n hours.'))).toEqual({
			...int,
			description: 'Number of hours',
		});
		expect(element('type="s:int"', documentation('x'.repeat(300)))?.description).toHaveLength(200);
	});

	it('may have a type without a name', () => {
		const content = `<s:complexType>${sequence(A)}</s:complexType>`;
		expect(element('minOccurs="0"', content)).toEqual({
			kind: 'record',
			type: '',
			fields: { A: int },
		});
	});

	it('may refer to a global one, which has its type and description', () => {
		const fields = fieldsOf(
			'<s:element ref="tns:G" minOccurs="0" maxOccurs="3"/>',
			'<s:element name="G" type="s:int" nillable="true"><s:annotation><s:documentation>A number</s:documentation></s:annotation></s:element>',
		);
		expect(fields).toEqual({
			G: {
				kind: 'repeated',
				description: 'A number',
				of: { ...int, nillable: true },
				maxRows: 3,
			},
		});
	});

	it('that may occur several times is repeated', () => {
		expect(element('type="s:int" minOccurs="2" maxOccurs="unbounded"')).toEqual({
			kind: 'repeated',
			of: int,
			minRows: 2,
			required: true,
		});
	});

	it('names its namespace if it is not that of the service', () => {
		const form = (attributes: string): SchemaField | undefined =>
			fieldsOf(`<s:element name="F" type="s:int" minOccurs="0" ${attributes}/>`).F;
		expect(form('form="unqualified"')).toEqual({ ...int, namespace: '' });
		expect(form('form="qualified"')).toEqual(int);
		expect(
			fieldsOf('<s:element name="F" type="s:int" form="unqualified" maxOccurs="2"/>').F,
		).toMatchObject({ kind: 'repeated', of: { kind: 'int', namespace: '' } });
	});
});

describe('a record', () => {
	it('has the elements of its groups in order', () => {
		const group = `<s:group name="G">${sequence(B)}</s:group>`;
		const content = sequence(`${C}${sequence('<s:group ref="tns:G"/>')}${A}`);
		expect(Object.keys(recordOf(content, group))).toEqual(['C', 'B', 'A']);
		expect(recordOf(`<s:all>${B}${A}</s:all>`)).toEqual({ B: int, A: int });
		expect(recordOf('<s:group ref="tns:G"/>', group)).toEqual({ B: int });
	});

	it('requires no element of a group that may be absent', () => {
		const required = '<s:element name="A" type="s:int"/>';
		expect(recordOf(sequence(required, 'minOccurs="0"'))).toEqual({ A: int });
		expect(recordOf(sequence(required))).toEqual({ A: { ...int, required: true } });
		expect(recordOf(sequence(required, 'maxOccurs="0"'))).toEqual({});
	});

	it('has attributes', () => {
		const fields = recordOf(
			`${sequence(A)}<s:attribute name="Id" type="s:int" use="required"/>` +
				'<s:attribute name="Note"/><s:attribute name="Old" use="prohibited"/>' +
				'<s:attribute name="Version" fixed="2" type="s:int"/><s:attribute ref="tns:Code"/>' +
				'<s:attributeGroup ref="tns:G"/><s:attribute name="Own" form="qualified"/>' +
				'<s:attribute name="Odd" type="tns:Missing"/><s:anyAttribute/>',
			'<s:attribute name="Code"><s:simpleType><s:restriction base="s:string"><s:maxLength value="3"/></s:restriction></s:simpleType></s:attribute>' +
				'<s:attributeGroup name="G"><s:attribute name="Day" type="s:date"/></s:attributeGroup>',
		);
		expect(fields).toEqual({
			'@Id': { ...int, required: true },
			'@Note': { kind: 'string' },
			'@Version': { kind: 'enumeration', values: ['2'] },
			'@Code': { kind: 'string', facets: { maxLength: 3 }, namespace: 'urn:service' },
			'@Day': { kind: 'date' },
			'@Own': { kind: 'string', namespace: 'urn:service' },
			'@Odd': { kind: 'string', unsupported: 'an undefined type (Missing)' },
			A: int,
		});
	});

	it('has attributes that XML defines', () => {
		expect(recordOf('<s:attribute ref="xml:lang" use="required"/>')).toEqual({
			'@lang': {
				kind: 'string',
				namespace: 'http://www.w3.org/XML/1998/namespace',
				required: true,
			},
		});
	});

	it('has a text if it extends a simple type', () => {
		const content =
			'<s:simpleContent><s:extension base="s:decimal"><s:attribute name="Currency" type="s:string"/></s:extension></s:simpleContent>';
		expect(recordOf(content)).toEqual({
			'@Currency': { kind: 'string' },
			'#text': { kind: 'decimal' },
		});
		const restriction =
			'<s:simpleContent><s:restriction base="tns:B"><s:maxInclusive value="9"/><s:attribute name="Currency" use="prohibited"/></s:restriction></s:simpleContent>';
		expect(fieldOf(type('T', restriction) + type('B', content))).toEqual({
			kind: 'decimal',
			facets: { maxInclusive: '9' },
		});
	});

	it('may hold any element', () => {
		expect(recordOf(sequence(`${A}<s:any minOccurs="0"/>`))).toEqual({
			A: int,
			'*': { kind: 'any' },
		});
		expect(recordOf(sequence(`${A}<s:any maxOccurs="0"/>`))).toEqual({ A: int });
	});

	it('may be empty', () => {
		expect(recordOf('')).toEqual({});
		expect(recordOf(sequence(''))).toEqual({});
	});

	it('may hold itself', () => {
		const field = fieldOf(
			type('T', sequence(`${A}<s:element name="Parent" type="tns:T" minOccurs="0"/>`)),
		);
		if (field?.kind !== 'record') throw new Error('no record');
		const parent = field.fields.Parent;
		expect(parent?.kind === 'record' && parent.fields).toBe(field.fields);
	});

	it('is the same object for all fields and operations of its type', () => {
		const fields = fieldsOf(
			'<s:element name="X" type="tns:T"/><s:element name="Y" type="tns:T"/>',
			type('T', sequence(A)),
		);
		const [x, y] = [fields.X, fields.Y] as SchemaRecord[];
		expect(x?.fields).toBe(y?.fields);
	});
});

describe('a choice', () => {
	it('says which fields exclude each other', () => {
		const alternative = (branch: number, number = 1): object => ({
			...int,
			alternative: { choice: number, branch },
		});
		expect(recordOf(choice(A + B))).toEqual({ A: alternative(0), B: alternative(1) });
		expect(recordOf(choice(A + sequence(B + C)))).toEqual({
			A: alternative(0),
			B: alternative(1),
			C: alternative(1),
		});
		expect(
			recordOf(sequence(choice(A + '<s:element name="X" type="s:int"/>') + choice(B + C))),
		).toEqual({
			A: alternative(0),
			X: alternative(1),
			B: alternative(0, 2),
			C: alternative(1, 2),
		});
	});

	it('in a choice adds its branches, in a branch allows all of them', () => {
		const branches = (content: string): Array<number | undefined> =>
			Object.values(recordOf(content)).map((field) => field.alternative?.branch);
		const nested = branches(choice(A + choice(B + C)));
		expect(new Set(nested).size).toBe(3);
		expect(branches(choice(A + sequence(B + choice(C))))).toEqual([0, 1, 1]);
	});

	it('that repeats makes its elements repeated', () => {
		expect(recordOf(choice(A + B, 'minOccurs="0" maxOccurs="unbounded"'))).toEqual({
			A: { kind: 'repeated', of: int },
			B: { kind: 'repeated', of: int },
		});
		expect(unsupported(choice(A + sequence(B + C), 'maxOccurs="2"'))).toBe(
			'a repeated group of elements',
		);
	});
});

describe('a list', () => {
	const rows = (row: string): string => type('T', sequence(row));

	it('is a type that only repeats one element', () => {
		expect(
			fieldOf(
				rows(
					'<s:element name="Row" type="tns:R" minOccurs="0" maxOccurs="unbounded" nillable="true"/>',
				) + type('R', sequence(A)),
			),
		).toEqual({
			kind: 'list',
			row: 'Row',
			of: { kind: 'record', type: 'R', fields: { A: int }, nillable: true },
		});
		expect(fieldOf(rows('<s:element name="int" type="s:int" maxOccurs="9"/>'))).toEqual({
			kind: 'list',
			row: 'int',
			of: int,
			minRows: 1,
			maxRows: 9,
		});
		expect(fieldOf(type('T', sequence(A, 'maxOccurs="unbounded"')))).toMatchObject({
			kind: 'list',
		});
	});

	it('may hold lists, also itself', () => {
		const self = fieldOf(rows('<s:element name="T" type="tns:T" maxOccurs="unbounded"/>'));
		expect(self?.kind === 'list' && self.of.kind === 'list' && self.of.of).toBe(
			self?.kind === 'list' && self.of,
		);
	});

	it('is a record if it has attributes, other elements or a derived type', () => {
		const row = '<s:element name="A" type="s:int" maxOccurs="unbounded"/>';
		const kinds = [
			sequence(row) + '<s:attribute name="Id"/>',
			sequence(row + B),
			sequence('<s:any maxOccurs="unbounded"/>'),
		].map((content) => fieldOf(type('T', content))?.kind);
		expect(kinds).toEqual(['record', 'record', 'record']);
		expect(fieldOf(rows(row) + type('D', extension('tns:T', sequence(B))))?.kind).toBe('record');
	});
});

describe('an extension', () => {
	it('has the fields of its base first, then its own', () => {
		const types =
			type('Base', `${sequence(C)}<s:attribute name="Id"/>`) +
			type('T', extension('tns:Base', `${sequence(A)}<s:attribute name="Day" type="s:date"/>`));
		const field = fieldOf(types);
		expect(field?.kind === 'record' && Object.keys(field.fields)).toEqual([
			'@Id',
			'@Day',
			'C',
			'A',
		]);
	});

	it('numbers its choices after those of its base', () => {
		const types = type('Base', choice(A)) + type('T', extension('tns:Base', choice(B)));
		const field = fieldOf(types);
		const choices =
			field?.kind === 'record' &&
			Object.values(field.fields).map(({ alternative }) => alternative?.choice);
		expect(choices).toEqual([1, 2]);
	});

	it('is listed with its base and with the base of that', () => {
		const types =
			type('T', sequence(A), 'abstract="true"') +
			type('D', extension('tns:T', sequence(B))) +
			type('Between', extension('tns:D', ''), 'abstract="true"') +
			type('E', extension('tns:Between', sequence(C))) +
			type('Other', extension('tns:Missing', ''));
		expect(fieldOf(types)).toEqual({
			kind: 'record',
			type: 'T',
			isAbstract: true,
			fields: { A: int },
			derived: [
				{
					kind: 'record',
					type: 'D',
					fields: { A: int, B: int },
					derived: [{ kind: 'record', type: 'E', fields: { A: int, B: int, C: int } }],
				},
				{ kind: 'record', type: 'E', fields: { A: int, B: int, C: int } },
			],
		});
	});

	it('of a text is a record where its base is meant, and a text by itself', () => {
		const text = (base: string): string =>
			`<s:simpleContent><s:extension base="${base}"/></s:simpleContent>`;
		const types = type('T', text('s:int')) + type('D', text('tns:T'));
		expect(fieldOf(types)).toEqual({
			kind: 'record',
			type: 'T',
			fields: { '#text': int },
			derived: [{ kind: 'record', type: 'D', fields: { '#text': int } }],
		});
		expect(fieldsOf('<s:element name="F" type="tns:D" minOccurs="0"/>', types).F).toEqual(int);
	});

	it('may hold its base', () => {
		const types =
			type('T', sequence(A)) +
			type('D', extension('tns:T', sequence('<s:element name="Of" type="tns:T"/>')));
		const field = fieldOf(types);
		const [derived] = (field?.kind === 'record' && field.derived) || [];
		const base = derived?.fields.Of;
		expect(base?.kind === 'record' && base.derived?.[0]).toBe(derived);
	});
});

it('a restriction has only the elements that it names, and the attributes of its base', () => {
	const types =
		type('Base', `${sequence(A + B)}<s:attribute name="Id"/><s:attribute name="Old"/>`) +
		type(
			'T',
			`<s:complexContent><s:restriction base="tns:Base">${sequence(B)}<s:attribute name="Old" use="prohibited"/></s:restriction></s:complexContent>`,
		);
	expect(fieldOf(types)).toMatchObject({ fields: { '@Id': { kind: 'string' }, B: int } });
	expect(
		recordOf(
			`<s:complexContent><s:restriction base="s:anyType">${sequence(A)}</s:restriction></s:complexContent>`,
		),
	).toEqual({ A: int });
});

describe('what is not supported is named, and its field takes anything:', () => {
	const element = (name: string): string => `<s:element name="${name}" type="s:int"/>`;

	it.each([
		[
			'mixed content',
			`<s:complexContent mixed="true"><s:extension base="tns:Base"/></s:complexContent>`,
		],
		['a repeated group of elements', sequence(A + B, 'maxOccurs="unbounded"')],
		['a repeated group of elements', sequence('<s:group ref="tns:G"/>', 'maxOccurs="2"')],
		['two elements named "A"', sequence(A + A)],
		['two elements named "A"', extension('tns:Base', sequence(A))],
		['the element name "__proto__", which is refused', sequence(element('__proto__'))],
		['the element name "constructor", which is refused', sequence(element('constructor'))],
		['the attribute name "prototype", which is refused', '<s:attribute name="prototype"/>'],
		['the element name "a b"', sequence(element('a b'))],
		[
			'the element name "a/&gt;&lt;b"'.replaceAll('&gt;', '>').replaceAll('&lt;', '<'),
			sequence(element('a/&gt;&lt;b')),
		],
		['the element name ""', sequence('<s:element/>')],
		['an undefined element (X)', sequence('<s:element ref="tns:X"/>')],
		['an undefined group (X)', sequence('<s:group ref="tns:X"/>')],
		['an undefined attributeGroup (X)', '<s:attributeGroup ref="tns:X"/>'],
		['an undefined type (X)', extension('tns:X', '')],
		[
			'a SOAP-encoded array',
			'<s:complexContent><s:restriction xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" base="e:Array"><s:attribute ref="e:arrayType"/></s:restriction></s:complexContent>',
		],
		['a .NET DataSet', sequence('<s:element ref="s:schema"/><s:any/>')],
		[
			'a .NET DataSet',
			sequence('<s:any/><s:any namespace="urn:schemas-microsoft-com:xml-diffgram-v1"/>'),
		],
	])('%s', (reason, content) => {
		const types = type('Base', sequence(A)) + `<s:group name="G">${sequence(A + B)}</s:group>`;
		expect(unsupported(content, types)).toBe(reason);
	});

	it('a substitution group', () => {
		const types =
			type('T', sequence('<s:element ref="tns:Head"/>')) +
			'<s:element name="Head" type="s:int"/><s:element name="Other" substitutionGroup="tns:Head"/>';
		expect(fieldOf(types)).toMatchObject({
			fields: { Head: { kind: 'any', unsupported: 'a substitution group', required: true } },
		});
		expect(fieldsOf('<s:element ref="tns:Other"/>', types).Other).toMatchObject(int);
	});

	it('in the rows of a list and in repeated fields', () => {
		expect(
			fieldOf(type('T', sequence('<s:element name="X" type="tns:X" maxOccurs="unbounded"/>'))),
		).toMatchObject({ kind: 'list', of: { kind: 'any', unsupported: 'an undefined type (X)' } });
	});

	it('and the other fields stay as they are', () => {
		expect(recordOf(sequence(`${A}<s:element name="X" type="tns:X" minOccurs="0"/>`))).toEqual({
			A: int,
			X: { kind: 'any', unsupported: 'an undefined type (X)' },
		});
	});
});
