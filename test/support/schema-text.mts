/** The XML Schema of generated fields, written by another way than the sources read one. */
import {
	ATTRIBUTE,
	rowName,
	TEXT,
	WILDCARD,
	type Facets,
	type Occurrence,
	type SchemaField,
	type SchemaFields,
	type SchemaRecord,
	type SchemaScalar,
	type SchemaValue,
} from '../../nodes/shared/contract/schemaFields.ts';
import type { TextFile } from '../../dev/sandbox/xmllint.mts';
import { OTHER_NAMESPACE } from './schema-fields.mts';

const XS = 'http://www.w3.org/2001/XMLSchema';

const attribute = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const BUILT_IN = {
	int: 'int',
	integer: 'integer',
	decimal: 'decimal',
	float: 'double',
	boolean: 'boolean',
	string: 'string',
	enumeration: 'string',
	dateTime: 'dateTime',
	date: 'date',
	time: 'time',
	base64Binary: 'base64Binary',
} as const;

function facetsText({ patterns = [], ...facets }: Facets): string {
	const rest = Object.entries(facets).map(([name, value]) => `<xs:${name} value="${value}"/>`);
	const forms = patterns.map(({ source }) => source.replace(/^\^\(\?:|\)\$$/g, ''));
	return rest.join('') + forms.map((form) => `<xs:pattern value="${attribute(form)}"/>`).join('');
}

/** The schemas of two namespaces, which refer to each other. */
class Schemas {
	readonly #parts: Record<'s' | 'o', string[]> = { s: [], o: [] };
	readonly #types = new Map<SchemaFields, string>();
	#count = 0;

	constructor(readonly namespace: string) {}

	/** Adds a part to a schema, and returns its qualified name. */
	#add(prefix: 's' | 'o', write: (name: string) => string): string {
		this.#count += 1;
		const name = `Part_${this.#count}`;
		this.#parts[prefix].push(write(name));
		return `${prefix}:${name}`;
	}

	/** Returns the name of a scalar's type. */
	#scalar(field: SchemaScalar): string {
		const { kind, facets = {} } = field;
		const content = (): string => {
			if (kind === 'tokens') {
				const list = this.#add(
					's',
					(name) =>
						`<xs:simpleType name="${name}"><xs:list itemType="${this.#scalar(field.of)}"/></xs:simpleType>`,
				);
				return `<xs:restriction base="${list}">${facetsText(facets)}</xs:restriction>`;
			}
			const bounds =
				kind === 'integer'
					? {
							...(field.min !== undefined && { minInclusive: field.min }),
							...(field.max !== undefined && { maxInclusive: field.max }),
						}
					: {};
			const names =
				kind === 'enumeration'
					? field.values.map((one) => `<xs:enumeration value="${attribute(one)}"/>`).join('')
					: '';
			return `<xs:restriction base="xs:${BUILT_IN[kind]}">${facetsText({ ...facets, ...bounds })}${names}</xs:restriction>`;
		};
		return this.#add('s', (name) => `<xs:simpleType name="${name}">${content()}</xs:simpleType>`);
	}

	/** Returns the name of a value's type. */
	#type(value: SchemaValue): string {
		switch (value.kind) {
			case 'any':
				return 'xs:anyType';
			case 'list': {
				const { of, maxRows } = value;
				const content = this.#element(
					rowName(value),
					of,
					`minOccurs="0" maxOccurs="${maxRows ?? 'unbounded'}"`,
				);
				return this.#add(
					's',
					(name) =>
						`<xs:complexType name="${name}"><xs:sequence>${content}</xs:sequence></xs:complexType>`,
				);
			}
			case 'repeated':
				throw new Error('An element cannot repeat within itself');
			case 'record':
				return this.#record(value);
			default:
				return this.#scalar(value);
		}
	}

	#record(record: SchemaRecord, base?: SchemaRecord): string {
		const { fields, type, typeNamespace, isAbstract = false, derived = [] } = record;
		const known = this.#types.get(fields);
		if (known !== undefined) return known;
		const prefix = typeNamespace === undefined ? 's' : 'o';
		this.#types.set(fields, `${prefix}:${type}`);
		const own = Object.entries(fields).filter(
			([name]) => base === undefined || !Object.hasOwn(base.fields, name),
		);
		const attributes = own
			.filter(([name]) => name.startsWith(ATTRIBUTE))
			.map(
				([name, field]) =>
					`<xs:attribute name="${name.slice(1)}" type="${this.#scalar(field as SchemaScalar)}"/>`,
			)
			.join('');
		const text = fields[TEXT];
		const sequence = `<xs:sequence>${this.content(Object.fromEntries(own))}</xs:sequence>`;
		let content = `${sequence}${attributes}`;
		if (text !== undefined && base === undefined) {
			content = `<xs:simpleContent><xs:extension base="${this.#scalar(text as SchemaScalar)}">${attributes}</xs:extension></xs:simpleContent>`;
		} else if (base !== undefined) {
			const kind = text === undefined ? 'complexContent' : 'simpleContent';
			const more = text === undefined ? content : attributes;
			content = `<xs:${kind}><xs:extension base="${this.#record(base)}">${more}</xs:extension></xs:${kind}>`;
		}
		this.#parts[prefix].push(
			`<xs:complexType name="${type}" abstract="${isAbstract}">${content}</xs:complexType>`,
		);
		for (const one of derived) this.#record(one, record);
		return `${prefix}:${type}`;
	}

	/** An element of a namespace is in a group of its schema, so that any schema can refer to it. */
	#element(name: string, field: SchemaValue & Occurrence, occurs: string): string {
		const nillable = field.nillable === true ? ' nillable="true"' : '';
		const local = `name="${name}" type="${this.#type(field)}"${nillable}`;
		if (field.namespace === '') return `<xs:element ${local} form="unqualified" ${occurs}/>`;
		const group = this.#add(
			field.namespace === OTHER_NAMESPACE ? 'o' : 's',
			(own) =>
				`<xs:group name="${own}"><xs:sequence><xs:element ${local} form="qualified"/></xs:sequence></xs:group>`,
		);
		return `<xs:group ref="${group}" ${occurs}/>`;
	}

	#field(name: string, field: SchemaField): string {
		if (field.kind === 'repeated')
			return this.#element(
				name,
				field.of,
				`minOccurs="0" maxOccurs="${field.maxRows ?? 'unbounded'}"`,
			);
		const max = field.unsupported === undefined ? '1' : 'unbounded';
		return this.#element(
			name,
			field,
			`minOccurs="${field.required === true ? 1 : 0}" maxOccurs="${max}"`,
		);
	}

	/** The elements of fields; those of a choice stand together. */
	content(fields: SchemaFields): string {
		const branches = new Map<number, string>();
		let text = '';
		for (const [name, field] of Object.entries(fields)) {
			if (name.startsWith(ATTRIBUTE) || name === TEXT || name === WILDCARD) continue;
			const element = this.#field(name, field);
			const branch = field.alternative?.branch;
			if (branch === undefined) text += element;
			else branches.set(branch, (branches.get(branch) ?? '') + element);
		}
		const choices = [...branches.values()].map((part) => `<xs:sequence>${part}</xs:sequence>`);
		return text + (choices.length === 0 ? '' : `<xs:choice>${choices.join('')}</xs:choice>`);
	}

	files(root: string): TextFile[] {
		const file = (
			fileName: string,
			target: string,
			other: string,
			otherFile: string,
			content: string,
		): TextFile => ({
			fileName,
			contents:
				`<xs:schema xmlns:xs="${XS}" xmlns:s="${attribute(this.namespace)}" xmlns:o="${attribute(OTHER_NAMESPACE)}" targetNamespace="${attribute(target)}">` +
				`<xs:import namespace="${attribute(other)}" schemaLocation="${otherFile}"/>${content}</xs:schema>`,
		});
		const thing =
			'<xs:complexType name="Thing"><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence></xs:complexType>';
		return [
			file(
				'service.xsd',
				this.namespace,
				OTHER_NAMESPACE,
				'other.xsd',
				this.#parts.s.join('') + root,
			),
			file(
				'other.xsd',
				OTHER_NAMESPACE,
				this.namespace,
				'service.xsd',
				this.#parts.o.join('') + thing,
			),
		];
	}
}

/**
 * Writes the schema of an element with these fields, and the schema that it imports. What is in the
 * place of a wildcard is not part of it.
 */
export function schemaFiles(element: string, fields: SchemaFields, namespace: string): TextFile[] {
	const schemas = new Schemas(namespace);
	const content = schemas.content(fields);
	return schemas.files(
		`<xs:element name="${element}"><xs:complexType><xs:sequence>${content}</xs:sequence></xs:complexType></xs:element>`,
	);
}
