/** Simple types of XML Schema as field kinds; `random.test.mts` has restrictions, lists and unions, too. */
import { fieldsOf } from '../../../support/wsdl.mts';
import {
	isScalar,
	type Facets,
	type SchemaField,
} from '../../../../nodes/shared/contract/schemaFields.ts';

/** The field of an optional element of a built-in type, or of the type "T". */
function fieldOf(type: string, types = ''): SchemaField | undefined {
	return fieldsOf(`<s:element minOccurs="0" name="A" type="${type}"/>`, types).A;
}

/** The field of an element whose type is a restriction. */
function restricted(base: string, facets: string, types = ''): SchemaField | undefined {
	return fieldOf(
		'tns:T',
		`<s:simpleType name="T"><s:restriction base="${base}">${facets}</s:restriction></s:simpleType>${types}`,
	);
}

function facetsOf(field: SchemaField | undefined): Facets {
	return (field !== undefined && isScalar(field) && field.facets) || {};
}

it.each(
	[
		'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI QName',
		'NOTATION duration gYear gYearMonth gMonth gMonthDay gDay',
	].flatMap((names) => names.split(' ')),
)('%s is a text', (name) => {
	expect(fieldOf(`s:${name}`)).toEqual({ kind: 'string' });
});

it.each(['int', 'decimal', 'boolean', 'dateTime', 'date', 'time', 'base64Binary', 'float'])(
	'%s has its own kind',
	(kind) => expect(fieldOf(`s:${kind}`)).toEqual({ kind }),
);

it.each([
	['integer', undefined, undefined],
	['long', '-9223372036854775808', '9223372036854775807'],
	['short', '-32768', '32767'],
	['byte', '-128', '127'],
	['unsignedLong', '0', '18446744073709551615'],
	['unsignedInt', '0', '4294967295'],
	['unsignedShort', '0', '65535'],
	['unsignedByte', '0', '255'],
	['positiveInteger', '1', undefined],
	['nonNegativeInteger', '0', undefined],
	['negativeInteger', undefined, '-1'],
	['nonPositiveInteger', undefined, '0'],
])('%s is a whole number from %s to %s', (name, min, max) => {
	expect(fieldOf(`s:${name}`)).toEqual({ kind: 'integer', min, max });
});

it('double is a float, a list of names a list of texts', () => {
	expect(fieldOf('s:double')).toEqual({ kind: 'float' });
	expect(fieldOf('s:NMTOKENS')).toEqual({ kind: 'tokens', of: { kind: 'string' } });
});

it('bytes in hexadecimal are a text of pairs of digits', () => {
	const { length, patterns } = facetsOf(restricted('s:hexBinary', '<s:length value="2"/>'));
	expect(length).toBe(4);
	expect(['', '0aFF', '0a0', 'xx'].map((text) => patterns?.[0]?.test(text))).toEqual([
		true,
		true,
		false,
		false,
	]);
});

it('an element of any type, or of no type, takes anything', () => {
	expect(fieldOf('s:anyType')).toEqual({ kind: 'any' });
	expect(fieldOf('s:anySimpleType')).toEqual({ kind: 'any' });
	expect(fieldsOf('<s:element name="A"/>').A).toEqual({ kind: 'any', required: true });
});

describe('a restriction', () => {
	it('has its bounds with every digit', () => {
		expect(
			restricted('s:long', '<s:minInclusive value="1"/><s:maxExclusive value="9007199254740993"/>'),
		).toMatchObject({ facets: { minInclusive: '1', maxExclusive: '9007199254740993' } });
	});

	it('has those of the type that it restricts, as far as they are not its own', () => {
		const base =
			'<s:simpleType name="B"><s:restriction base="s:string"><s:minLength value="1"/>' +
			'<s:maxLength value="30"/><s:pattern value="[a-z]*"/></s:restriction></s:simpleType>';
		const field = restricted('tns:B', '<s:maxLength value=" 9 "/><s:pattern value="a.*"/>', base);
		expect(field).toMatchObject({ kind: 'string', facets: { minLength: 1, maxLength: 9 } });
		const { patterns = [] } = facetsOf(field);
		expect(['abc', 'bcd', 'a1'].filter((text) => patterns.every((one) => one.test(text)))).toEqual([
			'abc',
		]);
	});

	it('has no facets that cannot be read, or that have no meaning for its kind', () => {
		expect(
			restricted('s:string', '<s:maxLength value="many"/><s:minInclusive value="1"/>'),
		).toEqual({ kind: 'string' });
		expect(restricted('s:decimal', '<s:minInclusive value="NaN"/>')).toEqual({ kind: 'decimal' });
	});

	it('of an enumeration is that enumeration', () => {
		const base =
			'<s:simpleType name="B"><s:restriction base="s:string"><s:enumeration value="Full time"/></s:restriction></s:simpleType>';
		const field = { kind: 'enumeration', values: ['Full time'] };
		expect(restricted('tns:B', '<s:maxLength value="20"/>', base)).toEqual(field);
	});
});

it('a union of nothing is a text', () => {
	const types = '<s:simpleType name="U"><s:union/></s:simpleType>';
	expect(fieldOf('tns:U', types)).toEqual({ kind: 'string' });
});

it('a type that is not defined is named', () => {
	expect(fieldOf('tns:T')).toEqual({ kind: 'any', unsupported: 'an undefined type (T)' });
	expect(fieldOf('s:fantasy')).toEqual({ kind: 'any', unsupported: 'an undefined type (fantasy)' });
	expect(fieldOf('x:T')).toEqual({ kind: 'any', unsupported: 'the unbound prefix "x"' });
	expect(restricted('tns:Missing', '')).toEqual({
		kind: 'any',
		unsupported: 'an undefined type (Missing)',
	});
	expect(restricted('tns:C', '', '<s:complexType name="C"/>')).toEqual({
		kind: 'any',
		unsupported: 'a complex type in place of a simple one',
	});
});
