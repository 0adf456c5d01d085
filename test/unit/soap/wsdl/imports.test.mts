/** Schemas in several documents and namespaces; `random.test.mts` has two that import each other. */
import { definitions, described, operations, schema, wrapper } from '../../../support/wsdl.mts';
import type { Fields } from '../../../../nodes/shared/contract/fields.ts';

const OTHER = 'targetNamespace="urn:other"';
const GUID =
	'<s:simpleType name="guid"><s:restriction base="s:string"><s:length value="36"/></s:restriction></s:simpleType>';
const guid = { kind: 'string', required: true };

const element = (name: string, type: string): string =>
	`<s:element name="${name}" type="${type}"/>`;
const include = (name: string): string => `<s:include schemaLocation="${name}.xsd"/>`;
const call = (elements: string, before = ''): string =>
	schema(before + wrapper('Call', elements) + wrapper('CallResponse'));

/** The request of a description with these schemas; `beside` is in a file that they may refer to. */
function requestOf(schemas: string, beside?: string, third?: string): Fields {
	const wsdl = definitions(`<wsdl:types>${schemas}</wsdl:types>${operations('Call')}`);
	const files = Object.entries({ beside, third }).filter(([, text]) => text !== undefined);
	const imported = files.map(([name, text]) => [`https://service.example/${name}.xsd`, text]);
	return described(wsdl, Object.fromEntries(imported) as Record<string, string>).operation('Call')
		.request.fields;
}

it('an imported schema defines types and elements', () => {
	const fields = requestOf(
		call(
			element('Id', 'o:guid') + '<s:element ref="o:Day"/>',
			'<s:import namespace="urn:other" schemaLocation="beside.xsd"/>',
		),
		schema(`${GUID}<s:element name="Day" type="s:date"/>`, OTHER),
	);
	const Day = { kind: 'date', namespace: 'urn:other', required: true };
	expect(fields).toEqual({ Id: guid, Day });
});

it('an imported schema may have no namespace', () => {
	const imported = '<s:import schemaLocation="beside.xsd"/>';
	const fields = requestOf(call(element('Id', 'guid'), imported), schema(GUID, ''));
	expect(fields).toEqual({ Id: guid });
});

it('what an included schema without a namespace defines is not found', () => {
	const fields = requestOf(call(element('Id', 'tns:guid'), include('beside')), schema(GUID, ''));
	expect(fields.Id).toMatchObject({ kind: 'any', unsupported: 'an undefined type (guid)' });
});

it('schemas may include each other', () => {
	const fields = requestOf(
		call(element('Id', 'tns:guid'), include('beside')),
		schema(include('beside') + include('third')),
		schema(include('beside') + GUID),
	);
	expect(fields).toEqual({ Id: guid });
});

it('a type that is redefined is not found', () => {
	const redefine =
		'<s:redefine schemaLocation="beside.xsd"><s:simpleType name="guid"><s:restriction base="tns:guid"/></s:simpleType></s:redefine>';
	const fields = requestOf(call(element('Id', 'tns:guid'), redefine));
	expect(fields.Id).toMatchObject({ kind: 'any', unsupported: 'an undefined type (guid)' });
});

it('of an import that is not there, the types are undefined, and the rest works', () => {
	const imported = '<s:import namespace="urn:other" schemaLocation="beside.xsd"/>';
	const fields = requestOf(call(element('Id', 'o:guid') + element('X', 's:int'), imported));
	expect(fields).toEqual({
		Id: { kind: 'any', unsupported: 'an undefined type (guid)', required: true },
		X: { kind: 'int', required: true },
	});
});
