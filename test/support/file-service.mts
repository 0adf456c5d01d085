/** An EmployeeService with files in its answers and requests, and its description. */
import { replying, type Script } from './scripted.mts';
import { definitions, operations, schema, SERVICE_NS, wrapper } from './wsdl.mts';

/** Namespace root of the service. */
export const FILES_ROOT = 'urn:files';
const NAMESPACE = `${FILES_ROOT}/EmployeeService`;

const element = (name: string, type: string, min = 1, max = '1'): string =>
	`<s:element minOccurs="${min}" maxOccurs="${max}" name="${name}" type="${type}"/>`;
const type = (name: string, ...elements: string[]): string =>
	`<s:complexType name="${name}"><s:sequence>${elements.join('')}</s:sequence></s:complexType>`;

const employee = element('EmployeeId', 's:int');

/** The elements of request and response of each operation. */
const OPERATIONS: Readonly<Record<string, readonly [request: string, response: string]>> = {
	Payslip_Get: [employee, element('Payslip_GetResult', 's:base64Binary', 0)],
	Payslip_GetList: [employee, element('Payslip_GetListResult', 'tns:ArrayOfPayslip', 0)],
	Document_Get: [employee, element('Document_GetResult', 'tns:Document', 0)],
	Archive_Get: [employee, element('Archive_GetResult', 'tns:Archive', 0)],
	Scan_Get: [employee, element('Scan_GetResult', 'tns:Scan', 0)],
	Report_Get: [employee, element('Report_GetResult', 's:string', 0)],
	Document_Insert: [
		employee + element('Document', 'tns:Upload') + element('Pages', 'tns:ArrayOfPage', 0),
		element('Document_InsertResult', 's:int'),
	],
};

const TYPES = [
	type('ArrayOfPayslip', element('Payslip', 'tns:Payslip', 0, 'unbounded')),
	type(
		'Payslip',
		element('Id', 's:int'),
		element('Title', 's:string', 0),
		element('Content', 's:base64Binary', 0),
	),
	type(
		'Document',
		element('Title', 's:string', 0),
		element('File', 'tns:File', 0),
		element('Preview', 's:base64Binary', 0),
		element('Versions', 'tns:ArrayOfPayslip', 0),
	),
	type('File', element('Name', 's:string', 0), element('Bytes', 's:base64Binary', 0)),
	type('Upload', element('Title', 's:string', 0), element('Content', 's:base64Binary')),
	type('Archive', element('Slips', 'tns:ArrayOfPayslip', 0)),
	// An element with a dot in its name, and one that its path would be.
	type('Scan', element('Front.Side', 's:base64Binary', 0), element('Front', 'tns:Front', 0)),
	type('Front', element('Side', 's:base64Binary', 0)),
	type('ArrayOfPage', element('Page', 'tns:Page', 0, 'unbounded')),
	type('Page', element('Number', 's:int'), element('Content', 's:base64Binary')),
];

const description = definitions(
	`<wsdl:types>${schema(
		Object.entries(OPERATIONS)
			.map(([name, [request, response]]) => {
				return wrapper(name, request) + wrapper(`${name}Response`, response);
			})
			.concat(TYPES)
			.join(''),
	)}</wsdl:types>${operations(...Object.keys(OPERATIONS))}`,
).replaceAll(SERVICE_NS, NAMESPACE);

/** Returns the name of the operation that a request calls. */
export function calledIn(body: string): string {
	return Object.keys(OPERATIONS).find((name) => body.includes(`<${name} `)) ?? '';
}

/** Returns the employee of a request. */
export function employeeIn(body: string): number {
	return Number(/<EmployeeId>(\d+)</.exec(body)?.[1]);
}

/**
 * Serves the description, and answers calls.
 *
 * @param resultOf returns the content of the result element; `undefined` for none
 */
export function servingFiles(resultOf: (name: string, body: string) => string | undefined): Script {
	return (response, index, request) => {
		if (request.method === 'GET') {
			return replying(200, 'text/xml', description)(response, index, request);
		}
		const name = calledIn(request.body);
		const result = resultOf(name, request.body);
		const element = result === undefined ? '' : `<${name}Result>${result}</${name}Result>`;
		const body = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${name}Response xmlns="${NAMESPACE}">${element}</${name}Response></soap:Body></soap:Envelope>`;
		return replying(200, 'text/xml; charset=utf-8', body)(response, index, request);
	};
}
