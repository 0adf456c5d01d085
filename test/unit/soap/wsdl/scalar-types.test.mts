/** Simple types of XML Schema as field kinds; `random.test.mts` has values of them. */
import { fieldsOf } from '../../../support/wsdl.mts';
import type { Field } from '../../../../nodes/shared/contract/fields.ts';

const LONG = { kind: 'integer' } as const;

/** The field of an optional element of a built-in type, or of the type "T". */
function fieldOf(type: string, types = ''): Field | undefined {
	return fieldsOf(`<s:element minOccurs="0" name="A" type="${type}"/>`, types).A;
}

/** The field of an element whose type is a restriction. */
function restricted(base: string, facets: string, types = ''): Field | undefined {
	return fieldOf(
		'tns:T',
		`<s:simpleType name="T"><s:restriction base="${base}">${facets}</s:restriction></s:simpleType>${types}`,
	);
}

it.each(
	[
		'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI',
		'duration gYear gYearMonth gMonth gMonthDay gDay hexBinary',
	].flatMap((names) => names.split(' ')),
)('%s is a text', (name) => {
	expect(fieldOf(`s:${name}`)).toEqual({ kind: 'string' });
});

it.each(['int', 'decimal', 'boolean', 'dateTime', 'date', 'time', 'base64Binary', 'float'])(
	'%s has its own kind',
	(kind) => expect(fieldOf(`s:${kind}`)).toEqual({ kind }),
);

it.each(
	[
		'integer long short byte unsignedLong unsignedInt unsignedShort unsignedByte',
		'positiveInteger nonNegativeInteger negativeInteger nonPositiveInteger',
	].flatMap((names) => names.split(' ')),
)('%s is a whole number', (name) => {
	expect(fieldOf(`s:${name}`)).toEqual({ kind: 'integer' });
});

it('double is a float, a list of names a list of texts', () => {
	expect(fieldOf('s:double')).toEqual({ kind: 'float' });
	expect(fieldOf('s:NMTOKENS')).toEqual({ kind: 'tokens', of: { kind: 'string' } });
});

it.each(['true', '7'])('a fixed value is of its type: %s', (value) => {
	const kind = value === '7' ? 'int' : 'boolean';
	const fields = fieldsOf(`<s:element name="A" type="s:${kind}" fixed="${value}"/>`);
	expect(fields.A).toEqual({ kind, required: true });
});

it('an element of any type, or of no type, takes anything', () => {
	expect(fieldOf('s:anyType')).toEqual({ kind: 'any' });
	expect(fieldOf('s:anySimpleType')).toEqual({ kind: 'any' });
	expect(fieldsOf('<s:element name="A"/>').A).toEqual({ kind: 'any', required: true });
});

describe('a restriction', () => {
	it.each<[string, string, Field]>([
		['s:string', '<s:length value="36"/><s:pattern value="[0-9a-f-]*"/>', { kind: 'string' }],
		['s:long', '<s:minInclusive value="1"/>', LONG],
		['s:boolean', '<s:pattern value="true"/>', { kind: 'boolean' }],
	])('of %s is that type: its facets are left to the service', (base, facets, field) => {
		expect(restricted(base, facets)).toEqual(field);
	});

	it('to names is an enumeration, whatever it restricts', () => {
		const names = '<s:enumeration value="1"/><s:enumeration value="30"/><s:enumeration value="1"/>';
		expect(restricted('s:int', names)).toEqual({ kind: 'enumeration', values: ['1', '30'] });
	});

	it('of an enumeration is that enumeration', () => {
		const base =
			'<s:simpleType name="B"><s:restriction base="s:string"><s:enumeration value="Full time"/></s:restriction></s:simpleType>';
		const field = { kind: 'enumeration', values: ['Full time'] };
		expect(restricted('tns:B', '<s:maxLength value="20"/>', base)).toEqual(field);
	});
});

it('a type that is not defined, or not supported, is named', () => {
	expect(fieldOf('tns:T')).toEqual({ kind: 'any', unsupported: 'an undefined type (T)' });
	expect(fieldOf('s:fantasy')).toEqual({ kind: 'any', unsupported: 'an undefined type (fantasy)' });
	expect(fieldOf('s:QName')).toEqual({ kind: 'any', unsupported: 'a name with a prefix' });
	const union = '<s:simpleType name="U"><s:union memberTypes="s:int s:date"/></s:simpleType>';
	expect(fieldOf('tns:U', union)).toEqual({ kind: 'any', unsupported: 'a union of types' });
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
