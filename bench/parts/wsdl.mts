/** Writes a WSDL from the contract, for libraries that work from one. */
import { type Field, type Fields, rowElement } from '../../nodes/shared/contract/fields.ts';
import type { Operation } from '../../nodes/shared/contract/operation.ts';
import { escapeAttribute } from '../../dev/sandbox/xml.mts';
import { writeWsdl } from '../../dev/wsdl.mts';

/** An element that may be absent, as whether one is required is not specified. */
const optional = (name: string, type: string, max: '1' | 'unbounded'): string =>
	`<s:element minOccurs="0" maxOccurs="${max}" name="${name}" type="${type}"/>`;

const complexType = (content: string, name = ''): string =>
	`<s:complexType${name && ` name="${name}"`}><s:sequence>${content}</s:sequence></s:complexType>`;

const global = (name: string, content: string): string =>
	`<s:element name="${name}">${complexType(content)}</s:element>`;

/** Collects the named types of a service while its elements are written. */
class Types {
	readonly #written = new Map<string, string>();

	/** The elements of a sequence. */
	elements(fields: Fields, owner: string): string {
		return Object.entries(fields)
			.map(([name, field]) => optional(name, this.#typeOf(name, field, owner), '1'))
			.join('');
	}

	all(): string {
		return [...this.#written.values()].join('');
	}

	#typeOf(name: string, field: Field, owner: string): string {
		switch (field.kind) {
			case 'enumeration': {
				const type = `${owner}${name}`;
				const values = field.values.map(
					(value) => `<s:enumeration value="${escapeAttribute(value)}"/>`,
				);
				const restriction = `<s:restriction base="s:string">${values.join('')}</s:restriction>`;
				const written = `<s:simpleType name="${type}">${restriction}</s:simpleType>`;
				return this.#named(type, () => written);
			}
			case 'record': {
				const { type, fields } = field;
				return this.#named(type, () => complexType(this.elements(fields, type), type));
			}
			case 'list': {
				const { of } = field;
				const name = rowElement(field);
				const type = `ArrayOf${name}`;
				const row = () => optional(name, this.#typeOf(name, of, owner), 'unbounded');
				return this.#named(type, () => complexType(row(), type));
			}
			default:
				return `s:${field.kind}`;
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
 * SOAP namespace root; gives its WSDL.
 */
export function wsdl(
	operations: readonly Operation[],
	service: string,
	{ address, namespace }: { address: string; namespace: string },
): string {
	const target = `${namespace}/${service}`;
	const own = operations.filter((operation) => operation.service === service);
	const types = new Types();
	const elements = own.flatMap(({ name, request, response }) => [
		global(name, types.elements(request.fields, name)),
		global(`${name}Response`, types.elements(response.fields, name)),
	]);
	const schema = [
		`<s:schema elementFormDefault="qualified" targetNamespace="${escapeAttribute(target)}">`,
		...elements,
		global('AuthHeaderWithDomain', '<s:element minOccurs="1" name="Domain" type="s:string"/>'),
		types.all(),
		'</s:schema>',
	].join('');
	const names = own.map(({ name }) => ({ name }));
	return writeWsdl({ service, target, address, schemas: [schema], operations: names });
}
