/** A service's own description, as ASP.NET serves it: WSDL 1.1 around the schemas of this folder. */
import { writeWsdl, type WsdlParts } from '../wsdl.mts';
import { schemaParts, schemasOf, type Service } from './schemas.mts';
import { escapeAttribute } from './xml.mts';

/** What a description depends on. */
export interface DescriptionOptions {
	/** The service's address. */
	address: string;
	/** {soap_namespace} of docs/dev/interface.md. */
	namespace: string;
	/** Whether CostCenter_Update has a new element, which docs/dev/interface.md does not know. */
	drift: boolean;
}

/** Takes a service, and its operations; gives its WSDL. */
export function describe(
	service: Service,
	operations: WsdlParts['operations'],
	options: DescriptionOptions,
): string {
	const { address, namespace } = options;
	const target = `${namespace}/${service}`;
	const schemas = [ownSchema(service, options)];
	return writeWsdl({ service, target, address, schemas, operations });
}

/** Gives a schema that a description imports or includes by its number, `?xsd=1`, if there is one. */
export function describedSchema(
	service: Service,
	number: number,
	options: DescriptionOptions,
): string | undefined {
	const [, ...parts] = schemasOf(service, escapeAttribute(options.namespace));
	const part = parts[number - 1];
	return part && located(part.contents, service, options.address);
}

/** The schema of a service; what it imports and includes has addresses of its own. */
function ownSchema(service: Service, options: DescriptionOptions): string {
	const [{ contents }] = schemasOf(service, escapeAttribute(options.namespace));
	const text = located(contents, service, options.address)
		.replace(/^<\?xml[^>]*\?>\s*/, '')
		.replaceAll(/<!--[\s\S]*?-->\s*/g, '')
		.trim();
	return options.drift ? drifted(text) : text;
}

/** A schema with the places of the other schemas: absolute addresses of imports, relative ones of includes. */
function located(schema: string, service: Service, address: string): string {
	const absolute = escapeAttribute(address);
	return schema.replaceAll(
		/(<s:(import|include)\b[^>]*) schemaLocation="([^"]*)"/g,
		(_whole, before: string, how: string, fileName: string) => {
			const number = schemaParts[service].indexOf(fileName) + 1;
			return `${before} schemaLocation="${how === 'import' ? absolute : ''}?xsd=${number}"`;
		},
	);
}

function drifted(schema: string): string {
	return schema.replace(
		/(<s:element name="CostCenter_Update">[\s\S]*?)(<s:element name="Year")/,
		'$1<s:element minOccurs="1" maxOccurs="1" name="Reason" type="s:string"/>$2',
	);
}
