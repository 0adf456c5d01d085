/** Writes a WSDL from the contract, for libraries that work from one. */
import type { Field, Fields } from '../../nodes/shared/contract/fields.ts';
import type { SoapOperation } from '../../nodes/shared/contract/soapOperation.ts';
import { escapeAttribute } from '../sandbox/xml.mts';
import { writeWsdl } from '../wsdl.mts';

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
				const values = field.values.map(
					(value) => `<s:enumeration value="${escapeAttribute(value)}"/>`,
				);
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
 * SOAP namespace root; gives its WSDL.
 */
export function wsdl(
	operations: readonly SoapOperation[],
	service: string,
	{ address, namespace }: { address: string; namespace: string },
): string {
	const target = `${namespace}/${service}`;
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
	const schema = [
		`<s:schema elementFormDefault="qualified" targetNamespace="${escapeAttribute(target)}">`,
		...elements,
		wrapper('AuthHeaderWithDomain', header),
		types.all(),
		'</s:schema>',
	].join('');
	const names = own.map(({ name }) => ({ name }));
	return writeWsdl({ service, target, address, schemas: [schema], operations: names });
}
