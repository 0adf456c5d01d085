/**
 * A description as the public payroll service of this kind has it, by its shapes: 168 operations in the document
 * style, whose types are sequences, enumerations, nillable elements and `ArrayOf…`, and nothing else.
 */
import { definitions, operations, schema, wrapper } from './wsdl.mts';

/** How many operations it has. */
export const OPERATIONS = 168;

const element = (name: string, type: string, attributes = 'minOccurs="0"'): string =>
	`<s:element ${attributes} maxOccurs="1" name="${name}" type="${type}"/>`;
const type = (name: string, ...elements: readonly string[]): string =>
	`<s:complexType name="${name}"><s:sequence>${elements.join('')}</s:sequence></s:complexType>`;
const arrayOf = (name: string, row: string): string =>
	`<s:complexType name="ArrayOf${name}"><s:sequence><s:element minOccurs="0" maxOccurs="unbounded" ` +
	`name="${name}" nillable="true" type="${row}"/></s:sequence></s:complexType>`;

const PLAIN = ['string', 'int', 'boolean', 'decimal', 'dateTime', 'double', 'long', 'base64Binary'];

/** What has another type in each of four kinds of operations. */
function parts(i: number): { request: string; result: string; types: string } {
	const own = `Record${i}`;
	const plain = PLAIN[i % PLAIN.length] ?? '';
	const types =
		type(
			own,
			element('Id', 's:int', 'minOccurs="1"'),
			element('Value', `s:${plain}`),
			element('End', 's:dateTime', 'minOccurs="1" nillable="true"'),
			element('Kind', `tns:Kind${i}`, 'minOccurs="1"'),
			element('Address', 'tns:Address'),
			element('Guid', 'o:guid', 'minOccurs="1"'),
			element('Codes', 'tns:ArrayOfstring'),
		) +
		arrayOf(own, `tns:${own}`) +
		`<s:simpleType name="Kind${i}"><s:restriction base="s:string"><s:enumeration value="None"/>` +
		`<s:enumeration value="Kind ${i}"/></s:restriction></s:simpleType>`;
	const results = [`tns:ArrayOf${own}`, `tns:${own}`, `s:${plain}`, ''];
	const result = results[i % results.length] ?? '';
	const key = element(i % 2 === 0 ? 'EmployeeId' : 'CompanyID', 's:int', 'minOccurs="1"');
	const written = i % 3 === 0 ? element(own, `tns:${own}`) : element('Rows', `tns:ArrayOf${own}`);
	return { request: key + (i % 4 > 1 ? written : ''), result, types };
}

/** Returns the description, or one of fewer operations. */
export function publicService(count = OPERATIONS): string {
	const names = Array.from({ length: count }, (_, i) => `Operation${i}_Get`);
	const own = names.map((name, i) => {
		const { request, result, types } = parts(i);
		const response = result === '' ? '' : element(`${name}Result`, result);
		return wrapper(name, request) + wrapper(`${name}Response`, response) + types;
	});
	const shared =
		type('Address', element('Street', 's:string'), element('Number', 's:int', 'minOccurs="1"')) +
		arrayOf('string', 's:string');
	const guid =
		'<s:simpleType name="guid"><s:restriction base="s:string"><s:pattern value="[0-9a-f-]{36}"/></s:restriction></s:simpleType>';
	return definitions(
		`<wsdl:types>${schema(own.join('') + shared)}${schema(guid, 'targetNamespace="urn:other"')}</wsdl:types>` +
			operations(...names),
	);
}
