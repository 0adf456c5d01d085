/**
 * A description as the public payroll service of this kind has it, by its shapes: 168 operations in the document
 * style, whose types are sequences, enumerations, nillable elements and `ArrayOf…`, and nothing else.
 */
import { element, schema, sequenceType, serviceWsdl } from './wsdl.mts';

/** How many operations it has. */
export const OPERATIONS = 168;

const REPEATED = 'minOccurs="0" maxOccurs="unbounded" nillable="true"';
const arrayOf = (name: string, row: string): string =>
	sequenceType(`ArrayOf${name}`, element(name, row, REPEATED));

const PLAIN = ['string', 'int', 'boolean', 'decimal', 'dateTime', 'double', 'long', 'base64Binary'];

/** What has another type in each of four kinds of operations. */
function parts(i: number): { request: string; result: string; types: string } {
	const own = `Record${i}`;
	const plain = PLAIN[i % PLAIN.length] ?? '';
	const types =
		sequenceType(
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
	const all = Array.from({ length: count }, (_, i) => ({ name: `Operation${i}_Get`, ...parts(i) }));
	const requests = all.map(({ name, request, result }) => {
		return [name, [request, result === '' ? '' : element(`${name}Result`, result)]] as const;
	});
	const shared =
		sequenceType(
			'Address',
			element('Street', 's:string'),
			element('Number', 's:int', 'minOccurs="1"'),
		) + arrayOf('string', 's:string');
	const types = all.map((one) => one.types).join('') + shared;
	const guid =
		'<s:simpleType name="guid"><s:restriction base="s:string"><s:pattern value="[0-9a-f-]{36}"/></s:restriction></s:simpleType>';
	const ofOther = schema(guid, 'targetNamespace="urn:other"');
	return serviceWsdl(Object.fromEntries(requests), types).replace(
		'</wsdl:types>',
		`${ofOther}</wsdl:types>`,
	);
}
