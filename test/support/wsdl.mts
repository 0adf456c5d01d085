/** Descriptions of a service, written by hand in WSDL 1.1. */
import type { Fields } from '../../nodes/shared/contract/fields.ts';
import { readDocument } from '../../nodes/shared/soap/wsdl/fetch.ts';
import { Wsdl } from '../../nodes/shared/soap/wsdl/Wsdl.ts';

/** Namespace of the described service. */
export const SERVICE_NS = 'urn:service';

/** Where the description is read from. */
export const WSDL_ADDRESS = 'https://service.example/Service.asmx?WSDL';

/** `wsdl:definitions` with the prefixes that the parts below use. */
export function definitions(content: string): string {
	return (
		'<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"' +
		' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"' +
		' xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"' +
		' xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"' +
		' xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:o="urn:other"' +
		` xmlns:tns="${SERVICE_NS}" targetNamespace="${SERVICE_NS}">${content}</wsdl:definitions>`
	);
}

export function schema(content: string, attributes = `targetNamespace="${SERVICE_NS}"`): string {
	return `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="${SERVICE_NS}" xmlns:o="urn:other" elementFormDefault="qualified" ${attributes}>${content}</s:schema>`;
}

/** A global element with a sequence. */
export function wrapper(name: string, elements = ''): string {
	return `<s:element name="${name}"><s:complexType><s:sequence>${elements}</s:sequence></s:complexType></s:element>`;
}

/** An element of a sequence, which may be left out unless its attributes say otherwise. */
export function element(name: string, type: string, attributes = 'minOccurs="0"'): string {
	return `<s:element name="${name}" type="${type}" ${attributes}/>`;
}

/** A type with a sequence of elements. */
export function sequenceType(name: string, ...elements: readonly string[]): string {
	return `<s:complexType name="${name}"><s:sequence>${elements.join('')}</s:sequence></s:complexType>`;
}

/** The messages of an operation: one element each. */
export function messages(name: string): string {
	const message = (suffix: string, element: string): string =>
		`<wsdl:message name="${name}${suffix}"><wsdl:part name="parameters" element="tns:${element}"/></wsdl:message>`;
	return message('In', name) + message('Out', `${name}Response`);
}

/** An operation of a port type. */
export function abstractOperation(name: string, documentation = ''): string {
	return (
		`<wsdl:operation name="${name}">${documentation}<wsdl:input message="tns:${name}In"/>` +
		`<wsdl:output message="tns:${name}Out"/></wsdl:operation>`
	);
}

/** A binding of the port type "Port"; `prefix` says of what: soap, soap12 or http. */
export function binding(
	names: readonly string[],
	prefix = 'soap',
	{ style = 'document', use = 'literal' } = {},
): string {
	const body = `<${prefix}:body use="${use}"/>`;
	const operations = names.map(
		(name) =>
			`<wsdl:operation name="${name}"><${prefix}:operation style="${style}"/>` +
			`<wsdl:input>${body}</wsdl:input><wsdl:output>${body}</wsdl:output></wsdl:operation>`,
	);
	return `<wsdl:binding name="${prefix}" type="tns:Port"><${prefix}:binding/>${operations.join('')}</wsdl:binding>`;
}

/** What operations of these names need besides their types. */
export function operations(...names: readonly string[]): string {
	return (
		names.map(messages).join('') +
		`<wsdl:portType name="Port">${names.map((name) => abstractOperation(name)).join('')}</wsdl:portType>` +
		binding(names)
	);
}

/**
 * A description of operations, by the elements of their requests and responses.
 *
 * @param types other definitions of its schema
 * @param namespace of the service
 */
export function serviceWsdl(
	requests: Readonly<Record<string, readonly [request: string, response?: string]>>,
	types = '',
	namespace = SERVICE_NS,
): string {
	const elements = Object.entries(requests).map(
		([name, [request, response]]) => wrapper(name, request) + wrapper(`${name}Response`, response),
	);
	const content = schema(elements.join('') + types);
	const wsdl = `<wsdl:types>${content}</wsdl:types>${operations(...Object.keys(requests))}`;
	return definitions(wsdl).replaceAll(`"${SERVICE_NS}"`, `"${namespace}"`);
}

/** A description of the operation "Call". */
export function callWsdl(
	request: string,
	types = '',
	response = '',
	namespace = SERVICE_NS,
): string {
	return serviceWsdl({ Call: [request, response] }, types, namespace);
}

/** Reads a WSDL and the documents that it imports, by address. */
export function described(wsdl: string, imported: Readonly<Record<string, string>> = {}): Wsdl {
	return new Wsdl('Service', [
		readDocument(WSDL_ADDRESS, wsdl, true),
		...Object.entries(imported).map(([address, text]) => readDocument(address, text, false)),
	]);
}

/**
 * Returns the fields of a request.
 *
 * @param request the elements of its sequence
 * @param types other definitions of its schema
 */
export function fieldsOf(request: string, types = ''): Fields {
	return described(callWsdl(request, types)).operation('Call').request.fields;
}
