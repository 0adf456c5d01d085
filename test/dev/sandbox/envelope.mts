/**
 * SOAP requests written by hand from docs/interface.md, section 4.3, for the sandbox's own tests.
 */
import type { Service } from './setUp.mts';

/** The default {soap_namespace} of the sandbox. */
export const root = 'http://payroll.example/soap/v3';
export const ns11 = 'http://schemas.xmlsoap.org/soap/envelope/';
export const ns12 = 'http://www.w3.org/2003/05/soap-envelope';

export interface SoapReply {
	status: number;
	type: string;
	text: string;
	headers: Headers;
}

export interface Call {
	version?: '1.1' | '1.2';
	service?: 'EmployeeService' | 'CompanyService';
	operation?: string;
	content?: string;
	/** Replaces the whole body. */
	envelope?: string;
	header?: string;
	/** A header set to undefined is not sent. */
	headers?: Record<string, string | undefined>;
}

/** Writes an envelope by hand and posts it; gives status, content type, text and headers. */
export async function post(
	{ sandbox, token }: Service,
	{
		version = '1.1',
		service = 'EmployeeService',
		operation = 'CostCenter_Get',
		content = '<EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year>',
		headers = {},
		...rest
	}: Call,
): Promise<SoapReply> {
	const namespace = `${root}/${service}`;
	const [prefix, envelopeNs] = version === '1.1' ? ['soap', ns11] : ['soap12', ns12];
	const domain =
		rest.header ??
		`<AuthHeaderWithDomain xmlns="${namespace}"><Domain>demo</Domain></AuthHeaderWithDomain>`;
	const body =
		rest.envelope ??
		`<?xml version="1.0" encoding="utf-8"?><${prefix}:Envelope xmlns:${prefix}="${envelopeNs}">` +
			`<${prefix}:Header>${domain}</${prefix}:Header><${prefix}:Body>` +
			`<${operation} xmlns="${namespace}">${content}</${operation}>` +
			`</${prefix}:Body></${prefix}:Envelope>`;
	const all: Record<string, string | undefined> = {
		Authorization: `Bearer ${token}`,
		'X-Subscription-Key': sandbox.subscriptionKey,
		...(version === '1.1'
			? { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: `"${namespace}/${operation}"` }
			: { 'Content-Type': 'application/soap+xml; charset=utf-8' }),
		...headers,
	};
	const sent = Object.entries(all).filter(
		(pair): pair is [string, string] => pair[1] !== undefined,
	);
	const response = await fetch(`${sandbox.url}/soap/v3/${service}.asmx`, {
		method: 'POST',
		headers: sent,
		body: Buffer.from(body),
	});
	const type = response.headers.get('content-type') ?? '';
	return { status: response.status, type, text: await response.text(), headers: response.headers };
}
