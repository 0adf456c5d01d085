/** Writes a WSDL 1.1 around XML schemas, as ASP.NET writes it (document/literal wrapped). */
import { escapeAttribute, escapeXml } from './sandbox/xml.mts';

/** What a WSDL says of a service. */
export interface WsdlParts {
	service: string;
	/** Target namespace of the WSDL and of the elements of its operations. */
	target: string;
	address: string;
	/** Schemas, of which one has the elements of the operations and `AuthHeaderWithDomain`. */
	schemas: readonly string[];
	operations: ReadonlyArray<{ readonly name: string; readonly documentation?: string }>;
}

/**
 * Gives the WSDL: bindings for SOAP 1.1 and 1.2, the AuthHeaderWithDomain header on every request
 * (docs/dev/interface.md, section 4.3).
 */
export function writeWsdl(parts: WsdlParts): string {
	const { service, schemas, operations } = parts;
	const target = escapeAttribute(parts.target);
	const message = (name: string, part: string, element: string) =>
		`<wsdl:message name="${name}"><wsdl:part name="${part}" element="tns:${element}"/></wsdl:message>`;
	return [
		'<?xml version="1.0" encoding="utf-8"?>',
		'<wsdl:definitions xmlns:s="http://www.w3.org/2001/XMLSchema"' +
			' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"' +
			' xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"' +
			` xmlns:tns="${target}" targetNamespace="${target}"` +
			' xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/">',
		'<wsdl:types>',
		...schemas,
		'</wsdl:types>',
		...operations.flatMap(({ name }) => [
			message(`${name}SoapIn`, 'parameters', name),
			message(`${name}SoapOut`, 'parameters', `${name}Response`),
		]),
		message('AuthHeaderWithDomain', 'AuthHeaderWithDomain', 'AuthHeaderWithDomain'),
		`<wsdl:portType name="${service}Soap">`,
		...operations.map(
			({ name, documentation }) =>
				`<wsdl:operation name="${name}">` +
				(documentation === undefined
					? ''
					: `<wsdl:documentation>${escapeXml(documentation)}</wsdl:documentation>`) +
				`<wsdl:input message="tns:${name}SoapIn"/>` +
				`<wsdl:output message="tns:${name}SoapOut"/></wsdl:operation>`,
		),
		'</wsdl:portType>',
		...binding('soap', `${service}Soap`, parts),
		...binding('soap12', `${service}Soap12`, parts),
		`<wsdl:service name="${service}">`,
		port('soap', `${service}Soap`, parts.address),
		port('soap12', `${service}Soap12`, parts.address),
		'</wsdl:service>',
		'</wsdl:definitions>',
	].join('\n');
}

function port(soap: string, name: string, address: string): string {
	return (
		`<wsdl:port name="${name}" binding="tns:${name}">` +
		`<${soap}:address location="${escapeAttribute(address)}"/></wsdl:port>`
	);
}

function binding(soap: string, name: string, { service, target, operations }: WsdlParts): string[] {
	const literal = `<${soap}:body use="literal"/>`;
	const header =
		`<${soap}:header message="tns:AuthHeaderWithDomain" part="AuthHeaderWithDomain"` +
		' use="literal"/>';
	return [
		`<wsdl:binding name="${name}" type="tns:${service}Soap">`,
		`<${soap}:binding transport="http://schemas.xmlsoap.org/soap/http"/>`,
		...operations.map(
			(operation) =>
				`<wsdl:operation name="${operation.name}">` +
				`<${soap}:operation soapAction="${escapeAttribute(target)}/${operation.name}"` +
				` style="document"/><wsdl:input>${literal}${header}</wsdl:input>` +
				`<wsdl:output>${literal}</wsdl:output></wsdl:operation>`,
		),
		'</wsdl:binding>',
	];
}
