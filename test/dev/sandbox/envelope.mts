/** SOAP requests written by hand from docs/dev/interface.md, section 4.3, for the sandbox's own tests. */
import type { Service as ServiceName } from '../../../dev/sandbox/schemas.mts';
import type { Service } from './setUp.mts';

/** The default {soap_namespace} of the sandbox. */
export const root = 'http://payroll.example/soap/v3';

export interface Call {
	version?: '1.1' | '1.2';
	service?: ServiceName;
	operation?: string;
	content?: string;
	header?: string;
	/** A header set to undefined is not sent. */
	headers?: Record<string, string | undefined>;
}

/** Writes an envelope by hand and posts it. */
export async function post(
	{ sandbox, token }: Service,
	{
		version = '1.1',
		service = 'EmployeeService',
		operation = 'CostCenter_Get',
		content = '<EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year>',
		header,
		headers = {},
	}: Call,
): Promise<{ status: number; text: string }> {
	const namespace = `${root}/${service}`;
	const [envelope, type] =
		version === '1.1'
			? ['http://schemas.xmlsoap.org/soap/envelope/', 'text/xml']
			: ['http://www.w3.org/2003/05/soap-envelope', 'application/soap+xml'];
	const domain = `<AuthHeaderWithDomain xmlns="${namespace}"><Domain>demo</Domain></AuthHeaderWithDomain>`;
	const body =
		`<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="${envelope}">` +
		`<e:Header>${header ?? domain}</e:Header><e:Body>` +
		`<${operation} xmlns="${namespace}">${content}</${operation}></e:Body></e:Envelope>`;
	const all = {
		Authorization: `Bearer ${token}`,
		'X-Subscription-Key': sandbox.subscriptionKey,
		'Content-Type': `${type}; charset=utf-8`,
		SOAPAction: version === '1.1' ? `"${namespace}/${operation}"` : undefined,
		...headers,
	};
	const response = await fetch(`${sandbox.url}/soap/v3/${service}.asmx`, {
		method: 'POST',
		headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
		body: Buffer.from(body),
	});
	return { status: response.status, text: await response.text() };
}
