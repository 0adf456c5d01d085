import type { RecordContent } from '../contract/schemaFields';
import type { SoapOperation } from '../contract/soapOperation';
import type { Connection, SoapVersion } from '../credential/connection';
import { checkValues } from '../values/checkValues';
import type { Values } from '../values/values';
import { writeContent } from './writeFields';
import { escapeXml } from './xml';

/** The differences between SOAP 1.1 and 1.2 (docs/interface.md, section 4.3, rules 2 and 3). */
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
 * Returns the XML namespace of a service's elements (docs/interface.md, section 4.3, rule 5).
 *
 * @param root the credential's SOAP namespace, without trailing slash
 */
export function serviceNamespace(root: string, service: string): string {
	return `${root}/${service}`;
}

/**
 * Writes the elements inside the operation's element as XML, for an operation that the service's
 * description defines.
 *
 * @param namespace the service's namespace, which is that of the operation's element
 * @throws {InputError} naming every value that a field does not allow, and every missing one
 */
export function writeDescribedRequest(
	content: RecordContent,
	values: Readonly<Values>,
	namespace: string,
): string {
	checkValues(content, values);
	return writeContent(content, values, namespace);
}

/**
 * Writes the elements inside the operation's element as XML. The elements have the contract's order.
 * An unset value (absent or `null`) has no element, an empty text an empty element.
 *
 * @throws {InputError} naming every value that the contract does not allow
 */
export function writeRequest(operation: SoapOperation, request: Readonly<Values>): string {
	// The contract has no other namespace than the service's, so which one it is does not matter.
	return writeDescribedRequest({ fields: operation.request }, request, '');
}

/**
 * Wraps a request's elements in their envelope (docs/interface.md, section 4.3, rules 2 to 5).
 *
 * @param children XML of the elements inside the operation's element
 */
export function wrapRequest(
	connection: Pick<Connection, 'domain' | 'soapNamespace' | 'soapVersion'>,
	operation: Pick<SoapOperation, 'service' | 'name'>,
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
