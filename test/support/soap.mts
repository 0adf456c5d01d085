/** Answers of the SOAP services, written by hand for a service of a test. */

const NAMESPACE = 'http://payroll.example/soap/v3';

/** The content type of these answers. */
export const XML = 'text/xml; charset=utf-8';

/** Namespaces of envelopes. */
const ENVELOPES = {
	'1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
	'1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

export type SoapVersion = keyof typeof ENVELOPES;

/** An envelope with this in its body. */
export function soapEnvelope(body: string, version: SoapVersion = '1.1'): string {
	return `<s:Envelope xmlns:s="${ENVELOPES[version]}"><s:Body>${body}</s:Body></s:Envelope>`;
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

/** What a fault has beside its text, as markup; its code in either version. */
interface FaultParts {
	readonly code?: string;
	/** In SOAP 1.2. */
	readonly subcode?: string | undefined;
	readonly detail?: string;
	readonly version?: SoapVersion;
}

/** A fault whose text is markup. */
export function soapFault(text: string, parts: FaultParts = {}): string {
	const { code, subcode, detail = '', version = '1.1' } = parts;
	if (version === '1.1') {
		const content = `<faultcode>${code ?? 's:Server'}</faultcode><faultstring>${text}</faultstring>`;
		return soapEnvelope(`<s:Fault>${content}${detail && `<detail>${detail}</detail>`}</s:Fault>`);
	}
	const inner = subcode && `<s:Subcode><s:Value>${subcode}</s:Value></s:Subcode>`;
	const content =
		`<s:Code><s:Value>${code ?? 's:Receiver'}</s:Value>${inner ?? ''}</s:Code>` +
		`<s:Reason><s:Text xml:lang="en">${text}</s:Text></s:Reason>`;
	const details = detail && `<s:Detail>${detail}</s:Detail>`;
	return soapEnvelope(`<s:Fault>${content}${details}</s:Fault>`, version);
}

/** A fault of SOAP 1.1 with one of its codes. */
export function faultAnswer(text: string, code = 'Server'): string {
	return soapFault(text, { code: `s:${code}` });
}
