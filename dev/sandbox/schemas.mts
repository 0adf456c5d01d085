/** The XML schemas of this folder, which say what the services take and give. */
import { readFileSync } from 'node:fs';

export interface TextFile {
	fileName: string;
	contents: string;
}

/** The services of docs/dev/interface.md, section 4.3, and one that it does not have. */
export const services = ['EmployeeService', 'CompanyService', 'ReportService'] as const;
export type Service = (typeof services)[number];

/** What the schema of each service imports and includes. */
export const schemaParts: Record<Service, readonly string[]> = {
	EmployeeService: [
		...['Common.xsd', 'EmployeeLists.xsd', 'EmployeeTypes.xsd', 'Guid.xsd'],
		'EmployeePayday.xsd',
	],
	CompanyService: ['CompanyPayday.xsd'],
	ReportService: ['Guid.xsd'],
};

const read = new Map<string, string>();

/** Takes a file name and {soap_namespace} of docs/dev/interface.md; gives the schema. */
export function schemaFile(fileName: string, namespace: string): TextFile {
	const text =
		read.get(fileName) ?? readFileSync(new URL(`schemas/${fileName}`, import.meta.url), 'utf8');
	read.set(fileName, text);
	return { fileName, contents: text.replaceAll('{soap_namespace}', namespace) };
}

/** Takes a service and {soap_namespace}; gives its own schema, and then what that refers to. */
export function schemasOf(service: Service, namespace: string): [TextFile, ...TextFile[]] {
	return [
		schemaFile(`${service}.xsd`, namespace),
		...schemaParts[service].map((fileName) => schemaFile(fileName, namespace)),
	];
}
