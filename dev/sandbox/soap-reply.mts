/** Writes SOAP responses and faults as an ASP.NET service does. */
import type { Reply } from './http.mts';
import type { Result } from './operation.mts';
import type { Row } from './state.mts';
import { escapeXml, writeXml } from './xml.mts';

export type SoapVersion = '1.1' | '1.2';

/** Namespace, prefix and content type of a SOAP version (docs/dev/interface.md, section 4.3). */
export const dialects = {
	'1.1': {
		namespace: 'http://schemas.xmlsoap.org/soap/envelope/',
		prefix: 'soap',
		contentType: 'text/xml; charset=utf-8',
	},
	'1.2': {
		namespace: 'http://www.w3.org/2003/05/soap-envelope',
		prefix: 'soap12',
		contentType: 'application/soap+xml; charset=utf-8',
	},
} as const;

/** Who is at fault: the sender, the service, an envelope of the other SOAP version, or a token. */
export type FaultCode = keyof typeof codes12;

function envelope(version: SoapVersion, status: number, body: string): Reply {
	const { namespace, prefix, contentType } = dialects[version];
	return {
		status,
		headers: { 'Content-Type': contentType, 'Cache-Control': 'private, max-age=0' },
		body:
			'<?xml version="1.0" encoding="utf-8"?>' +
			`<${prefix}:Envelope xmlns:${prefix}="${namespace}"` +
			' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
			' xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
			`<${prefix}:Body>${body}</${prefix}:Body></${prefix}:Envelope>`,
	};
}

/** Takes an operation's result; gives the response envelope at HTTP 200. */
export function soapResponse(
	version: SoapVersion,
	of: { namespace: string; operation: string; result: Result },
): Reply {
	const { namespace, operation, result } = of;
	const name = `${operation}Result`;
	const open = `<${operation}Response xmlns="${escapeXml(namespace)}"`;
	if (result === undefined) return envelope(version, 200, `${open} />`);
	let content: string;
	if (typeof result === 'string') content = element(name, result);
	else if ('rows' in result) {
		content = wrap(name, result.rows.map((row) => element(result.type, row)).join(''));
	} else if ('record' in result) content = element(name, result.record);
	else content = result.elements.map((part) => writeXml(part, namespace)).join('');
	return envelope(version, 200, `${open}>${content}</${operation}Response>`);
}

function element(name: string, value: string | Row): string {
	if (typeof value === 'string') return wrap(name, escapeXml(value));
	const parts = Object.entries(value).map(([part, inner]) => element(part, inner));
	return wrap(name, parts.join(''));
}

function wrap(name: string, content: string): string {
	return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`;
}

const codes12 = {
	Client: 'Sender',
	Server: 'Receiver',
	VersionMismatch: 'VersionMismatch',
	InvalidSecurityToken: 'Sender',
} as const;

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';

/** Takes a fault's code and text; gives the fault envelope, at HTTP 500 unless told otherwise. */
export function soapFault(
	version: SoapVersion,
	code: FaultCode,
	message: string,
	status = 500,
): Reply {
	const text = escapeXml(message);
	const isSecurity = code === 'InvalidSecurityToken';
	const faultcode = isSecurity
		? `<faultcode xmlns:wsse="${WSSE}">wsse:${code}</faultcode>`
		: `<faultcode>soap:${code}</faultcode>`;
	const subcode = isSecurity
		? `<soap12:Subcode><soap12:Value xmlns:wsse="${WSSE}">wsse:${code}</soap12:Value></soap12:Subcode>`
		: '';
	const fault11 = `<soap:Fault>${faultcode}<faultstring>${text}</faultstring><detail /></soap:Fault>`;
	const fault12 =
		`<soap12:Fault><soap12:Code><soap12:Value>soap12:${codes12[code]}</soap12:Value>${subcode}</soap12:Code>` +
		`<soap12:Reason><soap12:Text xml:lang="en">${text}</soap12:Text></soap12:Reason>` +
		'<soap12:Detail /></soap12:Fault>';
	return envelope(version, status, version === '1.1' ? fault11 : fault12);
}

const soapException = 'System.Web.Services.Protocols.SoapException: ';

/** The fault text of an exception inside the service: ASP.NET wraps it, stack trace and all. */
export function serverTrace(of: { type: string; message: string; at: string }): string {
	return (
		`${soapException}Server was unable to process request. ---> ${of.type}: ${of.message}\n` +
		`   at ${of.at}\n   --- End of inner exception stack trace ---`
	);
}

/** The fault text for a request that cannot be read. */
export function unreadable(reason: string): string {
	return (
		`${soapException}Server was unable to read request. ---> ` +
		`System.InvalidOperationException: There is an error in the XML document. ---> ${reason}`
	);
}

/** The fault text for a request that asks for nothing the service knows. */
export function unrecognized(reason: string): string {
	return `${soapException}${reason}\n   at System.Web.Services.Protocols.SoapServerProtocol.Initialize()`;
}
