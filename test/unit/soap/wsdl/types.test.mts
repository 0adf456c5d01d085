/** Types of XML Schema as kinds of fields: which are typed, and which are JSON, with the reason. */
import type { Field, RecordField } from '../../../../nodes/shared/contract/fields.ts';
import { OPERATIONS, publicService } from '../../../support/public-service.mts';
import { described, element, fieldsOf, sequenceType } from '../../../support/wsdl.mts';

const A = element('A', 's:int');
const B = element('B', 's:int');
const ANY = '<s:any minOccurs="0"/>';
const int = { kind: 'int' } as const;

const sequence = (content: string, attributes = ''): string =>
	`<s:sequence ${attributes}>${content}</s:sequence>`;
const type = (name: string, content: string, attributes = ''): string =>
	`<s:complexType name="${name}" ${attributes}>${content}</s:complexType>`;
const extension = (base: string, content = ''): string =>
	`<s:complexContent><s:extension base="${base}">${content}</s:extension></s:complexContent>`;
const simple = (name: string, content: string): string =>
	`<s:simpleType name="${name}">${content}</s:simpleType>`;
const documented = (text: string): string =>
	`<s:annotation><s:documentation>${text}</s:documentation></s:annotation>`;

/** The field of an optional element of a type, "T" unless another is named. */
function fieldOf(types: string, name = 'tns:T'): Field | undefined {
	return fieldsOf(element('F', name), types).F;
}

const anyOf = (unsupported: string) => ({ kind: 'any', unsupported });

/** What of a value has no kind of field. */
function* unsupportedIn(field: Field, seen = new Set<object>()): Generator<string> {
	if (field.kind === 'any') yield field.unsupported;
	if (field.kind === 'list' || field.kind === 'repeated') yield* unsupportedIn(field.of, seen);
	if (field.kind !== 'record' || seen.has(field.fields)) return;
	seen.add(field.fields);
	for (const inner of Object.values(field.fields)) yield* unsupportedIn(inner, seen);
}

it('all operations of the public service of this kind are typed, throughout', () => {
	const service = described(publicService());
	const names = service.operations.map(({ name }) => name);
	expect(names).toHaveLength(OPERATIONS);
	for (const name of names) {
		const { request, response } = service.operation(name);
		for (const field of Object.values({ ...request.fields, ...response.fields })) {
			expect([...unsupportedIn(field)]).toEqual([]);
		}
	}
	expect(service.operation('Operation2_Get').request.fields).toMatchObject({
		EmployeeId: { kind: 'int', required: true },
		Rows: {
			kind: 'list',
			row: 'Record2',
			of: {
				nillable: true,
				fields: {
					End: { kind: 'dateTime', required: true, nillable: true },
					Kind: { kind: 'enumeration', values: ['None', 'Kind 2'] },
					Guid: { kind: 'string' },
					Codes: { kind: 'list', row: 'string', of: { kind: 'string', nillable: true } },
				},
			},
		},
	});
});

describe('a built-in type has a kind:', () => {
	it.each<[string, string]>([
		['string', 'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI'],
		['string', 'duration gYear gYearMonth gMonth gMonthDay gDay hexBinary anySimpleType'],
		['integer', 'integer long short byte unsignedLong unsignedInt unsignedShort unsignedByte'],
		['integer', 'positiveInteger nonNegativeInteger negativeInteger nonPositiveInteger'],
		['float', 'float double'],
		...'int decimal boolean dateTime date time base64Binary'
			.split(' ')
			.map((kind): [string, string] => [kind, kind]),
	])('%s: %s', (kind, names) => {
		for (const name of names.split(' ')) expect(fieldOf('', `s:${name}`)).toEqual({ kind });
	});
});

describe('a simple type', () => {
	const restriction = (base: string, facets = ''): string =>
		`<s:restriction base="${base}">${facets}</s:restriction>`;
	const names = '<s:enumeration value="1"/><s:enumeration value="30"/><s:enumeration value="1"/>';
	const enumeration = { kind: 'enumeration', values: ['1', '30'] };
	const integer = { kind: 'integer' };
	const inPlace = `<s:restriction>${simple('', restriction('s:date'))}</s:restriction>`;

	it.each<[string, string, object]>([
		['is what it restricts', restriction('s:long', '<s:minInclusive value="1"/>'), integer],
		['is an enumeration', restriction('s:int', names), enumeration],
		['may be defined in place', inPlace, { kind: 'date' }],
		['is that of another one', restriction('tns:B', '<s:maxLength value="9"/>'), enumeration],
		['that is a list', '<s:list itemType="s:int"/>', anyOf('a list of values in a text')],
		['that is a union', '<s:union memberTypes="s:int s:date"/>', anyOf('a union of types')],
		['of one that is not there', restriction('tns:Missing'), anyOf('an undefined type (Missing)')],
		['of a record', restriction('tns:C'), anyOf('a complex type in place of a simple one')],
	])('%s', (_, content, field) => {
		const others = simple('B', restriction('s:string', names)) + type('C', sequence(A + B));
		expect(fieldOf(simple('T', content) + others)).toEqual(field);
	});
});

describe('an element', () => {
	it.each<[string, string, string, object | undefined]>([
		['occurs at most 0 times', 'type="s:int" maxOccurs="0"', '', undefined],
		[
			'has a description, on one line, of at most 200 characters',
			'type="s:int" minOccurs="0"',
			documented(`\n Number  of\n hours. ${'x'.repeat(300)}`),
			{ ...int, description: `Number of hours. ${'x'.repeat(180)}...` },
		],
		[
			'occurs several times',
			'type="s:int" minOccurs="2" maxOccurs="unbounded"',
			'',
			{ kind: 'repeated', of: int, required: true },
		],
		['has no type', 'minOccurs="0"', '', anyOf('a value of any type')],
	])('%s', (_, attributes, content, field) => {
		expect(fieldsOf(`<s:element name="F" ${attributes}>${content}</s:element>`).F).toEqual(field);
	});

	it('may refer to a global one, which has its type and description', () => {
		const fields = fieldsOf(
			'<s:element ref="tns:G" minOccurs="0" maxOccurs="3"/>',
			`<s:element name="G" type="s:int" nillable="true">${documented('A number.')}</s:element>`,
		);
		const of = { ...int, nillable: true };
		expect(fields).toEqual({ G: { kind: 'repeated', description: 'A number', of } });
	});
});

describe('a complex type', () => {
	const row = element('A', 's:int', 'maxOccurs="9"');

	it('is a record, the same object for all fields of its type', () => {
		const elements = element('X', 'tns:T', '') + element('Y', 'tns:T', '');
		const { X, Y } = fieldsOf(elements, sequenceType('T', A, B)) as Record<string, RecordField>;
		expect(X).toEqual({ kind: 'record', type: 'T', fields: { A: int, B: int }, required: true });
		expect(X?.fields).toBe(Y?.fields);
	});

	it('is a list if it only repeats one element, also itself', () => {
		const rows = element('Row', 'tns:R', 'minOccurs="0" maxOccurs="unbounded" nillable="true"');
		expect(fieldOf(sequenceType('T', rows) + sequenceType('R', A, B))).toEqual({
			kind: 'list',
			row: 'Row',
			of: { kind: 'record', type: 'R', fields: { A: int, B: int }, nillable: true },
		});
		expect(fieldOf(sequenceType('T', row, B))?.kind).toBe('record');
		const self = element('T', 'tns:T', 'maxOccurs="unbounded"');
		const list = fieldOf(sequenceType('T', self));
		expect(list?.kind === 'list' && list.of.kind === 'list' && list.of.of).toBe(
			list?.kind === 'list' && list.of,
		);
	});

	it('has the fields of all types that it extends; an abstract one is JSON', () => {
		const types =
			type('Base', sequence(row), 'abstract="true"') +
			type('Between', extension('tns:Base')) +
			type('T', extension('tns:Between', sequence(B)));
		const fields = { A: { kind: 'repeated', of: int, required: true }, B: int };
		expect(fieldOf(types)).toEqual({ kind: 'record', type: 'T', fields });
		expect(fieldOf(types, 'tns:Between')).toMatchObject({ kind: 'record', type: 'Between' });
		expect(fieldOf(types, 'tns:Base')).toEqual(anyOf('an abstract type'));
		// Also an extension of a list is a record.
		expect(fieldOf(type('L', sequence(row)) + type('T', extension('tns:L')))?.kind).toBe('record');
	});
});

describe('what has no kind of field is JSON, with the reason:', () => {
	const named = (name: string): string => sequence(element(name, 's:int', ''));
	const choice = `<s:choice>${A}${B}</s:choice>`;
	const attribute = '<s:attribute name="Id"/>';
	const encoded =
		'<s:complexContent><s:restriction xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" base="e:Array"><s:attribute ref="e:arrayType"/></s:restriction></s:complexContent>';

	it.each([
		['attributes', sequence(A) + attribute],
		[
			'attributes',
			`<s:simpleContent><s:extension base="s:decimal">${attribute}</s:extension></s:simpleContent>`,
		],
		['attributes', '<s:simpleContent><s:extension base="s:int"/></s:simpleContent>'],
		['attributes', sequence(A) + '<s:anyAttribute/>'],
		['attributes', '<s:attributeGroup ref="tns:X"/>'],
		['a choice of elements', choice],
		['a choice of elements', sequence(choice)],
		['elements of any name', sequence(A + ANY)],
		['an optional or repeated group', sequence(A + B, 'maxOccurs="unbounded"')],
		['an optional or repeated group', sequence(A + B, 'minOccurs="0"')],
		['a group within a group', sequence(sequence(A))],
		['two elements named "A"', sequence(A + A)],
		['two elements named "A"', extension('tns:Base', sequence(A))],
		['the element name "__proto__"', named('__proto__')],
		['the element name "constructor"', named('constructor')],
		['the element name "a b"', named('a b')],
		['the element name "a/><b"', named('a/&gt;&lt;b')],
		['the element name ""', sequence('<s:element/>')],
		['an undefined element (X)', sequence('<s:element ref="tns:X"/>')],
		['an undefined type (X)', extension('tns:X')],
		['the unbound prefix "x"', extension('x:T')],
		['a restriction of another type', encoded],
		['a restriction of another type', extension('tns:Base').replace(/extension/g, 'restriction')],
	])('%s (%#)', (reason, content) => {
		expect(fieldOf(type('T', content) + type('Base', sequence(A)))).toEqual(anyOf(reason));
	});

	it.each([
		['tns:T', 'an undefined type (T)'],
		['s:fantasy', 'an undefined type (fantasy)'],
		['s:QName', 'a name with a prefix'],
		['s:NMTOKENS', 'a list of values in a text'],
		['s:anyType', 'a value of any type'],
		['x:T', 'the unbound prefix "x"'],
	])('the type %s', (name, reason) => {
		expect(fieldOf('', name)).toEqual(anyOf(reason));
	});
});
