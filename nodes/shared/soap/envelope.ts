import type { RecordContent } from '../contract/fields';
import type { Operation } from '../contract/operation';
import type { Connection, SoapVersion } from '../credential/connection';
import type { Values } from '../values/values';
import { writeContent, type BytesOf } from './writeFields';
import { escapeXml } from './xml';

/** The differences between SOAP 1.1 and 1.2 (docs/dev/interface.md, section 4.3, rules 2 and 3). */
export const soapVersions = {
	'1.1': {
		prefix: 'soap',
		namespace: 'http://schemas.xmlsoap.org/soap/envelope/',
		contentType: 'text/xml; charset=utf-8',
	},
	'1.2': {
		prefix: 'soap12',
		namespace: 'http://www.w3.org/2003/05/soap-envelope',
		contentType: 'application/soap+xml; charset=utf-8',
	},
} as const satisfies Record<SoapVersion, unknown>;

/**
 * Returns the XML namespace of a service's elements (docs/dev/interface.md, section 4.3, rule 5).
 *
 * @param root the credential's SOAP namespace, without trailing slash
 */
export function serviceNamespace(root: string, service: string): string {
	return `${root}/${service}`;
}

/**
 * Writes the elements inside the operation's element as XML, in the order of its fields. An unset
 * value (absent or `null`) has no element, unless it can be nil; an empty text has an empty element.
 *
 * @param namespace the service's namespace, which is that of the operation's element; the contract
 * has no other, so which one it is does not matter there
 * @param bytesOf see {@link writeContent}
 * @throws {InputError} naming every value that a field does not allow, and every missing one
 */
export function writeRequest(
	request: RecordContent,
	values: Readonly<Values>,
	namespace = '',
	bytesOf?: BytesOf,
): string {
	return writeContent(request, values, namespace, bytesOf);
}

/**
 * Wraps a request's elements in their envelope (docs/dev/interface.md, section 4.3, rules 2 to 5).
 *
 * @param children XML of the elements inside the operation's element
 */
export function wrapRequest(
	connection: Pick<Connection, 'domain' | 'soapNamespace' | 'soapVersion'>,
	operation: Pick<Operation, 'service' | 'name'>,
	children: string,
): string {
	const { prefix, namespace } = soapVersions[connection.soapVersion];
	const service = escapeXml(serviceNamespace(connection.soapNamespace, operation.service));
	return (
		'<?xml version="1.0" encoding="utf-8"?>' +
		`<${prefix}:Envelope xmlns:${prefix}="${namespace}">` +
		`<${prefix}:Header><AuthHeaderWithDomain xmlns="${service}">` +
		`<Domain>${escapeXml(connection.domain)}</Domain>` +
		`</AuthHeaderWithDomain></${prefix}:Header>` +
		`<${prefix}:Body><${operation.name} xmlns="${service}">${children}</${operation.name}>` +
		`</${prefix}:Body></${prefix}:Envelope>`
	);
}
