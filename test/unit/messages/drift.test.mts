/** Differences between an operation of the contract and the service's description of it. */
import { drift } from '../../../nodes/shared/messages/drift.ts';
import type { Fields } from '../../../nodes/shared/contract/fields.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { callWsdl, described } from '../../support/wsdl.mts';

const kinds = { kind: 'enumeration', values: ['Home', 'Work'] } as const;
const address = { kind: 'record', type: 'Address', fields: { Kind: kinds } } as const;
const request: Fields = {
	EmployeeId: { kind: 'int' },
	Addresses: { kind: 'list', of: address },
	Year: { kind: 'int' },
};
const operation: Operation = {
	...{ service: 'EmployeeService', name: 'Call', effect: 'write', request: { fields: request } },
	response: { fields: { CallResult: { kind: 'int', property: 'Id' } } },
};

const YEAR = '<s:element name="Year" type="s:int"/>';
const ADDRESSES = '<s:element name="Addresses" type="tns:ArrayOfAddress"/>';
const WORK = '<s:enumeration value="Work"/>';
const RESULT = '<s:element name="CallResult" type="s:int"/>';
const WSDL = callWsdl(
	`<s:element name="EmployeeId" type="s:int"/>${ADDRESSES}${YEAR}`,
	'<s:complexType name="ArrayOfAddress"><s:sequence><s:element name="Address" type="tns:Address" maxOccurs="unbounded"/></s:sequence></s:complexType>' +
		'<s:complexType name="Address"><s:sequence><s:element name="Kind" type="tns:Kind"/></s:sequence></s:complexType>' +
		`<s:simpleType name="Kind"><s:restriction base="s:string"><s:enumeration value="Home"/>${WORK}</s:restriction></s:simpleType>`,
	RESULT,
);

it.each<[string[], string, string]>([
	[[], YEAR, YEAR.replace('/>', ' minOccurs="0"/>')],
	[['Call has no Year (int)'], YEAR, ''],
	[
		['Call also has Year (int of "") and has no Year (int)'],
		YEAR,
		YEAR.replace('/>', ' form="unqualified"/>'),
	],
	[
		[
			'Call also has Addresses.Kind (enumeration: Home, Work or Post) and has no Addresses.Kind (enumeration: Home or Work)',
		],
		WORK,
		`${WORK}<s:enumeration value="Post"/>`,
	],
	[['Call has its elements in another order'], ADDRESSES + YEAR, YEAR + ADDRESSES],
	[['The answer of Call has no CallResult (int)'], RESULT, ''],
	[
		['Call cannot be called with typed parameters. It has the RPC style'],
		'style="document"',
		'style="rpc"',
	],
])('%j', (differences, before, after) => {
	expect(WSDL).toContain(before);
	expect(drift(described(WSDL.replace(before, after)), operation)).toEqual(differences);
});
