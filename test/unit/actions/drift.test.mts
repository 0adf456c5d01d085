/** Differences between an operation of the contract and the service's description of it. */
import { drift } from '../../../nodes/shared/actions/connection/check.ts';
import type { Fields } from '../../../nodes/shared/contract/fields.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { callWsdl, described } from '../../support/wsdl.mts';

const request: Fields = {
	EmployeeId: { kind: 'int' },
	Addresses: {
		kind: 'list',
		of: {
			kind: 'record',
			type: 'Address',
			fields: {
				Street: { kind: 'string' },
				Kind: { kind: 'enumeration', values: ['Home', 'Work'] },
			},
		},
	},
	Year: { kind: 'int' },
};

const operation: Operation = {
	service: 'EmployeeService',
	name: 'Call',
	effect: 'write',
	request: { fields: request },
	response: { fields: { CallResult: { kind: 'int', property: 'Id' } } },
};

const YEAR = '<s:element name="Year" type="s:int"/>';
const EMPLOYEE = '<s:element name="EmployeeId" type="s:int"/>';
const STREET = '<s:element name="Street" type="s:string" minOccurs="0"/>';
const ELEMENTS = `${EMPLOYEE}<s:element name="Addresses" type="tns:ArrayOfAddress" minOccurs="0"/>${YEAR}`;
const TYPES =
	'<s:complexType name="ArrayOfAddress"><s:sequence><s:element name="Address" type="tns:Address" minOccurs="0" maxOccurs="unbounded" nillable="true"/></s:sequence></s:complexType>' +
	`<s:complexType name="Address"><s:sequence>${STREET}<s:element name="Kind" type="tns:Kind"/></s:sequence></s:complexType>` +
	'<s:simpleType name="Kind"><s:restriction base="s:string"><s:enumeration value="Home"/><s:enumeration value="Work"/></s:restriction></s:simpleType>';
const RESULT = '<s:element name="CallResult" type="s:int"/>';
const WSDL = callWsdl(ELEMENTS, TYPES, RESULT);

/** The differences after a change of the description. */
function driftAfter(before: string, after: string): string[] {
	expect(WSDL).toContain(before);
	return drift(described(WSDL.replace(before, after)), operation);
}

it.each([
	['the description is the same', YEAR, YEAR],
	['an element need not be sent', YEAR, YEAR.replace('/>', ' minOccurs="0"/>')],
])('there is none if %s', (_, before, after) => {
	expect(driftAfter(before, after)).toEqual([]);
});

it.each([
	['also has Reason (string)', YEAR, `<s:element name="Reason" type="s:string"/>${YEAR}`],
	[
		'also has Others (list of Address)',
		YEAR,
		`${YEAR}<s:element name="Others" type="tns:ArrayOfAddress"/>`,
	],
	['has no Year (int)', YEAR, ''],
	['also has Year (integer) and has no Year (int)', YEAR, YEAR.replace('s:int', 's:long')],
	['also has Year (any) and has no Year (int)', YEAR, YEAR.replace('s:int', 's:anyType')],
	['also has Year (repeated) and has no Year (int)', YEAR, YEAR.replace('/>', ' maxOccurs="2"/>')],
	[
		'also has Year (int of "") and has no Year (int)',
		YEAR,
		YEAR.replace('/>', ' form="unqualified"/>'),
	],
	[
		'also has Addresses.Street (int) and has no Addresses.Street (string)',
		STREET,
		STREET.replace('s:string', 's:int'),
	],
	[
		'also has Addresses.Street (record) and has no Addresses.Street (string)',
		STREET,
		STREET.replace('s:string', 'tns:Address'),
	],
	[
		'also has Addresses.Kind (enumeration: Home, Work or Post) and has no Addresses.Kind (enumeration: Home or Work)',
		'<s:enumeration value="Work"/>',
		'<s:enumeration value="Work"/><s:enumeration value="Post"/>',
	],
	[
		'also has Addresses (list of EmployeeAddress) and has no Addresses (list of Address)',
		'name="Address" type',
		'name="EmployeeAddress" type',
	],
])('it %s', (difference, before, after) => {
	expect(driftAfter(before, after)).toEqual([`Call ${difference}`]);
});

it('another order of the elements', () => {
	const moved = WSDL.replace(EMPLOYEE, '').replace(YEAR, YEAR + EMPLOYEE);
	expect(drift(described(moved), operation)).toEqual(['Call has its elements in another order']);
});

it('another answer', () => {
	expect(driftAfter(RESULT, '')).toEqual(['The answer of Call has no CallResult (int)']);
});

it('an operation that is missing or cannot be called', () => {
	expect(drift(described(WSDL), { ...operation, name: 'Other' })).toEqual([
		'The service has no operation Other',
	]);
	expect(driftAfter('style="document"', 'style="rpc"')).toEqual([
		'Call cannot be called with typed parameters. It has the RPC style',
	]);
});

it('a bug of the package is no difference', () => {
	const wsdl = described(WSDL);
	jest.spyOn(wsdl, 'operation').mockImplementation(() => {
		throw new TypeError('x is undefined');
	});
	expect(() => drift(wsdl, operation)).toThrow(TypeError);
});
