/** A service's own description, as ASP.NET serves it: WSDL 1.1 around the schemas of this folder. */
import { schemasOf, type Service } from './schemas.mts';
import { escapeXml } from './xml.mts';

/** An operation as far as a description shows it. */
export interface Described {
	name: string;
	documentation: string;
}

/** What a description depends on. */
export interface DescriptionOptions {
	/** The service's address. */
	address: string;
	/** {soap_namespace} of docs/interface.md. */
	namespace: string;
	/** Whether CostCenter_Update has a new element, which docs/interface.md does not know. */
	drift: boolean;
}

/** Takes a service, and its operations; gives its WSDL. */
export function describe(
	service: Service,
	operations: readonly Described[],
	options: DescriptionOptions,
): string {
	const target = escapeXml(`${options.namespace}/${service}`);
	const message = (name: string, element: string) =>
		`<wsdl:message name="${name}"><wsdl:part name="parameters" element="tns:${element}"/></wsdl:message>`;
	return [
		'<?xml version="1.0" encoding="utf-8"?>',
		'<wsdl:definitions xmlns:s="http://www.w3.org/2001/XMLSchema"' +
			' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"' +
			' xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"' +
			` xmlns:tns="${target}" targetNamespace="${target}"` +
			' xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/">',
		'<wsdl:types>',
		...inlineSchemas(service, options),
		'</wsdl:types>',
		...operations.flatMap(({ name }) => [
			message(`${name}SoapIn`, name),
			message(`${name}SoapOut`, `${name}Response`),
		]),
		'<wsdl:message name="AuthHeaderWithDomain">' +
			'<wsdl:part name="AuthHeaderWithDomain" element="tns:AuthHeaderWithDomain"/></wsdl:message>',
		`<wsdl:portType name="${service}Soap">`,
		...operations.map(
			({ name, documentation }) =>
				`<wsdl:operation name="${name}"><wsdl:documentation>${escapeXml(documentation)}` +
				`</wsdl:documentation><wsdl:input message="tns:${name}SoapIn"/>` +
				`<wsdl:output message="tns:${name}SoapOut"/></wsdl:operation>`,
		),
		'</wsdl:portType>',
		...binding('soap', `${service}Soap`, service, operations, target),
		...binding('soap12', `${service}Soap12`, service, operations, target),
		`<wsdl:service name="${service}">`,
		port('soap', `${service}Soap`, options.address),
		port('soap12', `${service}Soap12`, options.address),
		'</wsdl:service>',
		'</wsdl:definitions>',
	].join('\n');
}

/** Gives a schema that a description imports or includes by its number, `?xsd=1`, if there is one. */
export function describedSchema(
	service: Service,
	number: number,
	options: DescriptionOptions,
): string | undefined {
	if (service !== 'EmployeeService') return undefined;
	const [, ...parts] = schemasOf(service, escapeXml(options.namespace));
	const part = parts[number - 1];
	return part && located(part.contents, service, options.address);
}

/** EmployeeService has only its own schema in the WSDL; CompanyService has all of them there. */
function inlineSchemas(service: Service, options: DescriptionOptions): string[] {
	const [own, ...parts] = schemasOf(service, escapeXml(options.namespace));
	const inline = service === 'EmployeeService' ? [own] : [own, ...parts];
	return inline.map(({ contents }) => {
		const text = located(contents, service, options.address)
			.replace(/^<\?xml[^>]*\?>\s*/, '')
			.replaceAll(/<!--[\s\S]*?-->\s*/g, '')
			.trim();
		return options.drift ? drifted(text) : text;
	});
}

/** A schema with the places of the other schemas: both absolute and relative addresses occur. */
function located(schema: string, service: Service, address: string): string {
	const at = ` schemaLocation="${escapeXml(address)}`;
	if (service !== 'EmployeeService') return schema.replaceAll(/ schemaLocation="[^"]*"/g, '');
	return schema
		.replaceAll(' schemaLocation="Common.xsd"', `${at}?xsd=1"`)
		.replaceAll(' schemaLocation="EmployeeTypes.xsd"', ' schemaLocation="?xsd=2"')
		.replaceAll(' schemaLocation="Guid.xsd"', `${at}?xsd=3"`);
}

function drifted(schema: string): string {
	return schema.replace(
		/(<s:element name="CostCenter_Update">[\s\S]*?)(<s:element name="Year")/,
		'$1<s:element minOccurs="1" maxOccurs="1" name="Reason" type="s:string"/>$2',
	);
}

function port(soap: string, name: string, address: string): string {
	return (
		`<wsdl:port name="${name}" binding="tns:${name}">` +
		`<${soap}:address location="${escapeXml(address)}"/></wsdl:port>`
	);
}

function binding(
	soap: string,
	name: string,
	service: string,
	operations: readonly Described[],
	target: string,
): string[] {
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
				`<${soap}:operation soapAction="${target}/${operation.name}" style="document"/>` +
				`<wsdl:input>${literal}${header}</wsdl:input>` +
				`<wsdl:output>${literal}</wsdl:output></wsdl:operation>`,
		),
		'</wsdl:binding>',
	];
}
