/** A generated description of a large service, in the shape that ASP.NET gives it. */
import { writeWsdl } from '../../dev/wsdl.mts';

const SUBJECTS = ['Absence', 'Contract', 'Document', 'Employment', 'Holiday', 'Pension', 'Wage'];
const TYPES = ['int', 'string', 'decimal', 'boolean', 'dateTime', 'long', 'double', 'string'];

const element = (name: string, type: string, occurs = 'minOccurs="0" maxOccurs="1"'): string =>
	`<s:element ${occurs} name="${name}" type="${type}"/>`;

const sequence = (elements: readonly string[]): string =>
	`<s:sequence>${elements.join('\n')}</s:sequence>`;

const wrapper = (name: string, elements: readonly string[]): string =>
	`<s:element name="${name}"><s:complexType>${sequence(elements)}</s:complexType></s:element>`;

/** The record of an operation: scalars, an enumeration, a record that all share, and a list of itself. */
function record(type: string, base: string | undefined): string {
	const scalars = Array.from({ length: 12 }, (_none, index) =>
		element(`${type}Field${index}`, `s:${TYPES[index % TYPES.length]}`),
	);
	const content = sequence([
		...scalars,
		element('State', `tns:${type}State`),
		element('Period', 'tns:Period'),
		element('Parts', `tns:ArrayOf${type}`),
	]);
	const values = ['New', 'In progress', 'Done'].map((name) => `<s:enumeration value="${name}"/>`);
	return [
		`<s:complexType name="${type}">`,
		base === undefined
			? content
			: `<s:complexContent mixed="false"><s:extension base="tns:${base}">${content}</s:extension></s:complexContent>`,
		'</s:complexType>',
		`<s:simpleType name="${type}State"><s:restriction base="s:string">`,
		...values,
		'</s:restriction></s:simpleType>',
		`<s:complexType name="ArrayOf${type}">`,
		sequence([element(type, `tns:${type}`, 'minOccurs="0" maxOccurs="unbounded" nillable="true"')]),
		'</s:complexType>',
	].join('\n');
}

/** Takes a number of operations; gives their description, with a record for each. */
export function generatedDescription(service: string, namespace: string, count: number): string {
	const operations = Array.from({ length: count }, (_none, index) => {
		const subject = `${SUBJECTS[index % SUBJECTS.length]}${index}`;
		const documentation = `Gets and changes the records of the kind ${subject} in a period.`;
		return { name: `${subject}_Update`, type: subject, documentation };
	});
	const target = `${namespace}/${service}`;
	const schema = [
		`<s:schema elementFormDefault="qualified" targetNamespace="${target}">`,
		wrapper('AuthHeaderWithDomain', [element('Domain', 's:string')]),
		`<s:complexType name="Period">${sequence([element('Year', 's:int'), element('Number', 's:int')])}</s:complexType>`,
		...operations.flatMap(({ name, type }, index) => [
			wrapper(name, [
				element('EmployeeId', 's:int', 'minOccurs="1" maxOccurs="1"'),
				element('Period', 'tns:Period'),
				element(type, `tns:${type}`),
			]),
			wrapper(`${name}Response`, [element(`${name}Result`, `tns:ArrayOf${type}`)]),
			// Each fifth extends the one before it.
			record(type, index % 5 === 4 ? operations[index - 1]?.type : undefined),
		]),
		'</s:schema>',
	].join('\n');
	const address = `http://payroll.example/soap/v3/${service}.asmx`;
	return writeWsdl({ service, target, address, schemas: [schema], operations });
}
