/** An EmployeeService with files in its answers and requests, and its description. */
import { replying, type Script } from './scripted.mts';
import { element, sequenceType, serviceWsdl } from './wsdl.mts';

/** Namespace root of the service. */
export const FILES_ROOT = 'urn:files';
const NAMESPACE = `${FILES_ROOT}/EmployeeService`;

const required = (name: string, type: string): string => element(name, type, '');
const rows = (name: string): string =>
	element(name, `tns:${name}`, 'minOccurs="0" maxOccurs="unbounded"');

const employee = required('EmployeeId', 's:int');

/** The elements of request and response of each operation. */
const OPERATIONS: Readonly<Record<string, readonly [request: string, response: string]>> = {
	Payslip_Get: [employee, element('Payslip_GetResult', 's:base64Binary')],
	Payslip_GetList: [employee, element('Payslip_GetListResult', 'tns:ArrayOfPayslip')],
	Slip_Get: [employee, element('Slip_GetResult', 'tns:Slip')],
	Document_Get: [employee, element('Document_GetResult', 'tns:Document')],
	Report_Get: [employee, element('Report_GetResult', 's:string')],
	Document_Insert: [
		employee + required('Document', 'tns:Upload') + element('Pages', 'tns:ArrayOfPage'),
		required('Document_InsertResult', 's:int'),
	],
};

const content = element('Content', 's:base64Binary');
const title = element('Title', 's:string');

const TYPES = [
	sequenceType('ArrayOfPayslip', rows('Payslip')),
	sequenceType('Slip', element('PDF', 's:base64Binary')),
	sequenceType('Payslip', required('Id', 's:int'), title, content),
	sequenceType(
		'Document',
		title,
		element('File', 'tns:File'),
		element('Preview', 's:base64Binary'),
		element('Versions', 'tns:ArrayOfPayslip'),
	),
	sequenceType('File', element('Name', 's:string'), element('Bytes', 's:base64Binary')),
	sequenceType('Upload', title, required('Content', 's:base64Binary')),
	sequenceType('ArrayOfPage', rows('Page')),
	sequenceType('Page', required('Number', 's:int'), required('Content', 's:base64Binary')),
];

const description = serviceWsdl(OPERATIONS, TYPES.join(''), NAMESPACE);

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
