/** Answers of the SOAP services, written by hand for a scripted server. */

const NAMESPACE = 'http://payroll.example/soap/v3';

/** The content type of these answers. */
export const XML = 'text/xml; charset=utf-8';

/** A SOAP 1.1 envelope with this in its body. */
export function soapEnvelope(body: string): string {
	return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
}

/** The answer to an operation, with this in its response element. */
export function soapAnswer(
	operation: string,
	content: string,
	service = 'EmployeeService',
): string {
	return soapEnvelope(
		`<${operation}Response xmlns="${NAMESPACE}/${service}">${content}</${operation}Response>`,
	);
}

/** The answer to an operation of the EmployeeService that returns a list, with these rows. */
export function soapList(operation: string, rows: string): string {
	return soapAnswer(operation, `<${operation}Result>${rows}</${operation}Result>`);
}

/** A fault of SOAP 1.1; its text is markup. */
export function faultAnswer(text: string, code = 'Server'): string {
	return soapEnvelope(
		`<s:Fault><faultcode>s:${code}</faultcode><faultstring>${text}</faultstring></s:Fault>`,
	);
}
