/** Writes a WSDL from the contract, for libraries that work from one. */
import type { Field, Fields } from '../../nodes/shared/contract/fields.ts';
import type { SoapOperation } from '../../nodes/shared/contract/soapOperation.ts';

/** Escapes a text for a quoted attribute. */
const attribute = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Collects the named types of a service while its elements are written. */
class Types {
	readonly #written = new Map<string, string>();

	/** An element of a sequence; whether it is required is not specified, so it is not. */
	element(
		name: string,
		field: Field,
		owner: string,
		occurs = 'minOccurs="0" maxOccurs="1"',
	): string {
		return `<s:element ${occurs} name="${name}" type="${this.#typeOf(name, field, owner)}"/>`;
	}

	sequence(fields: Fields, owner: string): string {
		const elements = Object.entries(fields).map(([name, field]) =>
			this.element(name, field, owner),
		);
		return elements.length === 0
			? '<s:sequence/>'
			: `<s:sequence>${elements.join('')}</s:sequence>`;
	}

	all(): string {
		return [...this.#written.values()].join('');
	}

	#typeOf(name: string, field: Field, owner: string): string {
		switch (field.kind) {
			case 'int':
			case 'decimal':
			case 'boolean':
			case 'string':
				return `s:${field.kind}`;
			case 'enumeration': {
				const type = `${owner}${name}`;
				const values = field.values.map((value) => `<s:enumeration value="${attribute(value)}"/>`);
				const restriction = `<s:restriction base="s:string">${values.join('')}</s:restriction>`;
				return this.#named(
					type,
					() => `<s:simpleType name="${type}">${restriction}</s:simpleType>`,
				);
			}
			case 'record':
				return this.#named(
					field.type,
					() =>
						`<s:complexType name="${field.type}">${this.sequence(field.fields, field.type)}</s:complexType>`,
				);
			case 'list': {
				const type = `ArrayOf${field.of.type}`;
				const row = () =>
					this.element(field.of.type, field.of, owner, 'minOccurs="0" maxOccurs="unbounded"');
				return this.#named(
					type,
					() => `<s:complexType name="${type}"><s:sequence>${row()}</s:sequence></s:complexType>`,
				);
			}
		}
	}

	#named(type: string, write: () => string): string {
		if (!this.#written.has(type)) {
			// Entered first, so that types stand in the order of their first use.
			this.#written.set(type, '');
			this.#written.set(type, write());
		}
		return `tns:${type}`;
	}
}

/**
 * Takes the operations of any number of services, the service to describe, its address and the
 * SOAP namespace root; gives its WSDL: document/literal wrapped, bindings for SOAP 1.1 and 1.2,
 * the AuthHeaderWithDomain header on every request (docs/interface.md, section 4.3).
 */
export function wsdl(
	operations: readonly SoapOperation[],
	service: string,
	{ address, namespace }: { address: string; namespace: string },
): string {
	const target = attribute(`${namespace}/${service}`);
	const own = operations.filter((operation) => operation.service === service);
	const types = new Types();
	const wrapper = (name: string, content: string) =>
		`<s:element name="${name}"><s:complexType>${content}</s:complexType></s:element>`;
	const elements = own.flatMap(({ name, request, result }) => [
		wrapper(name, types.sequence(request, name)),
		wrapper(`${name}Response`, types.sequence(result ? { [`${name}Result`]: result } : {}, name)),
	]);
	const header =
		'<s:sequence><s:element minOccurs="1" name="Domain" type="s:string"/></s:sequence>';
	const message = (name: string, element: string) =>
		`<wsdl:message name="${name}"><wsdl:part name="parameters" element="tns:${element}"/></wsdl:message>`;
	return [
		'<?xml version="1.0" encoding="utf-8"?>',
		'<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"',
		' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"',
		' xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
		' xmlns:s="http://www.w3.org/2001/XMLSchema"',
		` xmlns:tns="${target}" targetNamespace="${target}">`,
		`<wsdl:types><s:schema elementFormDefault="qualified" targetNamespace="${target}">`,
		...elements,
		wrapper('AuthHeaderWithDomain', header),
		types.all(),
		'</s:schema></wsdl:types>',
		...own.flatMap(({ name }) => [
			message(`${name}SoapIn`, name),
			message(`${name}SoapOut`, `${name}Response`),
		]),
		'<wsdl:message name="AuthHeaderWithDomain">',
		'<wsdl:part name="AuthHeaderWithDomain" element="tns:AuthHeaderWithDomain"/></wsdl:message>',
		`<wsdl:portType name="${service}Soap">`,
		...own.map(
			({ name }) =>
				`<wsdl:operation name="${name}"><wsdl:input message="tns:${name}SoapIn"/>` +
				`<wsdl:output message="tns:${name}SoapOut"/></wsdl:operation>`,
		),
		'</wsdl:portType>',
		binding('soap', `${service}Soap`, service, own, target),
		binding('soap12', `${service}Soap12`, service, own, target),
		`<wsdl:service name="${service}">`,
		port('soap', `${service}Soap`, address),
		port('soap12', `${service}Soap12`, address),
		'</wsdl:service></wsdl:definitions>',
	].join('');
}

function port(soap: string, name: string, address: string): string {
	return (
		`<wsdl:port name="${name}" binding="tns:${name}">` +
		`<${soap}:address location="${attribute(address)}"/></wsdl:port>`
	);
}

function binding(
	soap: string,
	name: string,
	service: string,
	operations: readonly SoapOperation[],
	target: string,
): string {
	const literal = `<${soap}:body use="literal"/>`;
	const header = `<${soap}:header message="tns:AuthHeaderWithDomain" part="AuthHeaderWithDomain" use="literal"/>`;
	return [
		`<wsdl:binding name="${name}" type="tns:${service}Soap">`,
		`<${soap}:binding transport="http://schemas.xmlsoap.org/soap/http"/>`,
		...operations.map(
			(operation) =>
				`<wsdl:operation name="${operation.name}">` +
				`<${soap}:operation soapAction="${target}/${operation.name}" style="document"/>` +
				`<wsdl:input>${literal}${header}</wsdl:input>` +
				`<wsdl:output>${literal}</wsdl:output></wsdl:operation>`,
		),
		'</wsdl:binding>',
	].join('');
}
