/** Differences between an operation of the contract and the service's description of it. */
import type { Fields } from '../../../../nodes/shared/contract/fields.ts';
import type { SoapOperation } from '../../../../nodes/shared/contract/soapOperation.ts';
import { drift } from '../../../../nodes/shared/soap/wsdl/drift.ts';
import { callWsdl, described } from '../../../support/wsdl.mts';

const address = {
	kind: 'record',
	type: 'Address',
	fields: {
		Street: { kind: 'string' },
		Kind: { kind: 'enumeration', values: ['Home', 'Work'] },
	},
} as const;

const request: Fields = {
	EmployeeId: { kind: 'int' },
	Addresses: { kind: 'list', of: address },
	Period: { kind: 'int' },
	Year: { kind: 'int' },
	Percentage: { kind: 'decimal' },
};

const operation: SoapOperation = {
	service: 'EmployeeService',
	name: 'Call',
	effect: 'write',
	request,
	result: { kind: 'int', property: 'Id' },
};

const ELEMENTS =
	'<s:element name="EmployeeId" type="s:int"/><s:element name="Addresses" type="tns:ArrayOfAddress" minOccurs="0"/>' +
	'<s:element name="Period" type="s:int"/><s:element name="Year" type="s:int"/>' +
	'<s:element name="Percentage" type="s:decimal" nillable="true"/>';
const TYPES =
	'<s:complexType name="ArrayOfAddress"><s:sequence><s:element name="Address" type="tns:Address" minOccurs="0" maxOccurs="unbounded" nillable="true"/></s:sequence></s:complexType>' +
	'<s:complexType name="Address"><s:sequence><s:element name="Street" type="s:string" minOccurs="0"/><s:element name="Kind" type="tns:Kind"/></s:sequence></s:complexType>' +
	'<s:simpleType name="Kind"><s:restriction base="s:string"><s:enumeration value="Home"/><s:enumeration value="Work"/></s:restriction></s:simpleType>';
const RESULT = '<s:element name="CallResult" type="s:int"/>';
const WSDL = callWsdl(ELEMENTS, TYPES, RESULT);

/** The differences after a change of the description. */
function driftAfter(before: string, after: string): string[] {
	expect(WSDL).toContain(before);
	return drift(described(WSDL.replace(before, after)), operation);
}

it('there is none in the same elements, order and types', () => {
	expect(drift(described(WSDL), operation)).toEqual([]);
});

const YEAR = '<s:element name="Year" type="s:int"/>';
const PERIOD = '<s:element name="Period" type="s:int"/>';
const reason = (attributes: string): string => `<s:element name="Reason" ${attributes}/>`;

it.each([
	['new element Reason (string, required) before Year', YEAR, reason('type="s:string"') + YEAR],
	['new element Reason (long) before Year', YEAR, reason('type="s:long" nillable="true"') + YEAR],
	[
		'new element Reason (a list of Address) at the end',
		ELEMENTS,
		ELEMENTS + reason('type="tns:ArrayOfAddress" minOccurs="0"'),
	],
	['element Percentage is string, expected decimal', 's:decimal', 's:string'],
	['element Year is long, expected int', YEAR, YEAR.replace('s:int', 's:long')],
	['element Year is any type, expected int', YEAR, YEAR.replace('s:int', 's:anyType')],
	['element Year is an undefined type (X), expected int', YEAR, YEAR.replace('s:int', 'tns:X')],
	[
		'element Year is a repeated element, expected int',
		YEAR,
		YEAR.replace('/>', ' maxOccurs="2"/>'),
	],
	['element Year is in the namespace ""', YEAR, YEAR.replace('/>', ' form="unqualified"/>')],
	['element Year is missing', YEAR, ''],
	['elements Year and Period are in another order', PERIOD + YEAR, YEAR + PERIOD],
	[
		'element Addresses[].Street is int, expected string',
		'name="Street" type="s:string"',
		'name="Street" type="s:int"',
	],
	[
		'element Addresses[].Kind has the new value Post',
		'<s:enumeration value="Work"/>',
		'<s:enumeration value="Work"/><s:enumeration value="Post"/>',
	],
	['element Addresses[].Kind has no value Work', '<s:enumeration value="Work"/>', ''],
	[
		'element Addresses is a list of EmployeeAddress, expected a list of Address',
		'name="Address" type',
		'name="EmployeeAddress" type',
	],
	[
		'new element Addresses[].City (string, required) at the end',
		'<s:element name="Kind" type="tns:Kind"/>',
		'<s:element name="Kind" type="tns:Kind"/><s:element name="City" type="s:string"/>',
	],
])('%s', (difference, before, after) => {
	expect(driftAfter(before, after)).toEqual([`Call: ${difference}`]);
});

it('another order of several elements', () => {
	const first = '<s:element name="EmployeeId" type="s:int"/>';
	const without = WSDL.replace(first, '').replace(YEAR, YEAR + first);
	expect(drift(described(without), operation)).toEqual([
		'Call: elements Addresses, Period, Year and EmployeeId are in another order',
	]);
});

it.each([
	['element CallResult is missing', ''],
	['element CallResult is string, expected int', RESULT.replace('s:int', 's:string')],
	['new element Total (int, required) at the end', RESULT + RESULT.replace('CallResult', 'Total')],
])('in the answer: %s', (difference, result) => {
	expect(driftAfter(RESULT, result)).toEqual([`Call, answer: ${difference}`]);
});

it('an operation that is missing or cannot be called', () => {
	expect(drift(described(WSDL), { ...operation, name: 'Other' })).toEqual(['Other is missing']);
	expect(driftAfter('style="document"', 'style="rpc"')).toEqual([
		'Call cannot be called with typed parameters. It has the RPC style',
	]);
	expect(
		driftAfter('name="Call"><s:complexType>', 'name="Call"><s:complexType mixed="true">'),
	).toEqual(['Call cannot be called with typed parameters. It has mixed content']);
});

it('a bug of the package is no difference', () => {
	const wsdl = described(WSDL);
	jest.spyOn(wsdl, 'operation').mockImplementation(() => {
		throw new TypeError('x is undefined');
	});
	expect(() => drift(wsdl, operation)).toThrow(TypeError);
});

it('whether the elements are required, and facets of their types, make no difference', () => {
	expect(driftAfter(YEAR, YEAR.replace('/>', ' minOccurs="0"/>'))).toEqual([]);
	const restricted =
		'<s:element name="Year"><s:simpleType><s:restriction base="s:int"><s:minInclusive value="1"/></s:restriction></s:simpleType></s:element>';
	expect(driftAfter(YEAR, restricted)).toEqual([]);
});

it('a type of the description may hold itself', () => {
	const recursive = '<s:element name="Street" type="tns:Address" minOccurs="0"/>';
	expect(driftAfter('<s:element name="Street" type="s:string" minOccurs="0"/>', recursive)).toEqual(
		['Call: element Addresses[].Street is a record of type Address, expected string'],
	);
});
