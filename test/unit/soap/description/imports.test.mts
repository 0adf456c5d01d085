/** Schemas in several documents and namespaces. */
import {
	callWsdl,
	definitions,
	described,
	operations,
	schema,
	wrapper,
} from '../../../support/wsdl.mts';
import type { SchemaFields } from '../../../../nodes/shared/contract/schemaFields.ts';

const BESIDE = 'https://service.example/beside.xsd';
const OTHER = 'targetNamespace="urn:other"';
const GUID =
	'<s:simpleType name="guid"><s:restriction base="s:string"><s:length value="36"/></s:restriction></s:simpleType>';

/** The request of a description with these schemas. */
function requestOf(schemas: string, imported: Record<string, string> = {}): SchemaFields {
	const wsdl = definitions(`<wsdl:types>${schemas}</wsdl:types>${operations('Call')}`);
	return described(wsdl, imported).operation('Call').request;
}

const call = (elements: string, before = ''): string =>
	schema(before + wrapper('Call', elements) + wrapper('CallResponse'));

it('a schema beside the first defines types of another namespace', () => {
	const fields = requestOf(
		call(
			'<s:element name="Id" type="o:guid"/><s:element name="R" type="o:R"/>',
			'<s:import namespace="urn:other"/>',
		) +
			schema(
				`${GUID}<s:complexType name="R"><s:sequence><s:element name="X" type="s:int"/></s:sequence></s:complexType>`,
				OTHER,
			),
	);
	expect(fields).toEqual({
		Id: { kind: 'string', facets: { length: 36 }, required: true },
		R: {
			kind: 'record',
			type: 'R',
			typeNamespace: 'urn:other',
			required: true,
			fields: { X: { kind: 'int', namespace: 'urn:other', required: true } },
		},
	});
});

it('an imported schema defines types and elements', () => {
	const fields = requestOf(
		call(
			'<s:element name="Id" type="o:guid"/><s:element ref="o:Day"/>',
			'<s:import namespace="urn:other" schemaLocation="beside.xsd"/>',
		),
		{ [BESIDE]: schema(`${GUID}<s:element name="Day" type="s:date"/>`, OTHER) },
	);
	expect(fields).toEqual({
		Id: { kind: 'string', facets: { length: 36 }, required: true },
		Day: { kind: 'date', namespace: 'urn:other', required: true },
	});
});

it('an imported schema may have no namespace', () => {
	const fields = requestOf(
		call(
			'<s:element name="Id" type="guid" minOccurs="0"/>',
			'<s:import schemaLocation="beside.xsd"/>',
		),
		{ [BESIDE]: schema(GUID, '') },
	);
	expect(fields).toEqual({ Id: { kind: 'string', facets: { length: 36 } } });
});

it('an included schema without a namespace takes that of the schema that includes it', () => {
	const included = schema(
		`<s:complexType name="R"><s:sequence><s:element name="Id" type="guid" minOccurs="0"/></s:sequence></s:complexType>${GUID}`,
		'',
	);
	const include = '<s:include schemaLocation="beside.xsd"/>';
	const fields = requestOf(
		call('<s:element name="R" type="tns:R"/><s:element name="S" type="o:R"/>', include) +
			schema(include, OTHER),
		{ [BESIDE]: included },
	);
	const id = { kind: 'string', facets: { length: 36 } };
	expect(fields).toMatchObject({
		R: { kind: 'record', type: 'R', fields: { Id: id } },
		S: { typeNamespace: 'urn:other', fields: { Id: { ...id, namespace: 'urn:other' } } },
	});
	expect(fields.R).not.toHaveProperty('typeNamespace');
});

it('schemas may include each other', () => {
	const include = (name: string): string => `<s:include schemaLocation="${name}.xsd"/>`;
	const fields = requestOf(call('<s:element name="Id" type="tns:guid"/>', include('beside')), {
		[BESIDE]: schema(include('beside') + include('third')),
		'https://service.example/third.xsd': schema(include('beside') + GUID),
	});
	expect(fields.Id).toMatchObject({ kind: 'string' });
});

it('a type that is redefined is not supported', () => {
	const redefine =
		'<s:redefine schemaLocation="beside.xsd"><s:simpleType name="guid"><s:restriction base="tns:guid"/></s:simpleType></s:redefine>';
	const fields = requestOf(call('<s:element name="Id" type="tns:guid"/>', redefine), {
		[BESIDE]: schema(GUID),
	});
	expect(fields.Id).toMatchObject({ kind: 'any', unsupported: 'a redefined type' });
});

it('of an import that is not there, the types are undefined, and the rest works', () => {
	const fields = requestOf(
		call(
			'<s:element name="Id" type="o:guid"/><s:element name="X" type="s:int"/>',
			'<s:import namespace="urn:other" schemaLocation="beside.xsd"/>',
		),
	);
	expect(fields).toEqual({
		Id: { kind: 'any', unsupported: 'an undefined type (guid)', required: true },
		X: { kind: 'int', required: true },
	});
});

it('local elements have no namespace unless the schema qualifies them', () => {
	const wsdl = callWsdl('<s:element name="X" type="s:int" minOccurs="0"/>');
	const unqualified = wsdl.replace('elementFormDefault="qualified"', '');
	expect(described(unqualified).operation('Call').request).toEqual({
		X: { kind: 'int', namespace: '' },
	});
});
