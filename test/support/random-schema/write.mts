/** Writes random schemas as XML Schema. */
import { escapeAttribute } from '../../../dev/sandbox/xml.mts';
import type { Definitions, Schema } from './generate.mts';
import {
	namespaces,
	type Attribute,
	type ComplexType,
	type Element,
	type Group,
	type Particle,
	type SchemaSpace,
	type UnsupportedType,
} from './model.mts';
import type { SimpleType } from './simple.mts';

const XSD = 'http://www.w3.org/2001/XMLSchema';

/** Elements inside a type that is not supported. */
export const UNSUPPORTED_NAMES = ['A', 'B'] as const;

const SPACES: readonly SchemaSpace[] = ['a', 'b'];

/** Returns a schema that defines the two elements of an operation, and the schemas it refers to. */
export function writeSchemas(schema: Schema, operation: string): Record<SchemaSpace, string> {
	const { definitions, request, response } = schema;
	const wrappers =
		writeWrapper(operation, request, definitions) +
		writeWrapper(`${operation}Response`, response, definitions) +
		'<s:element name="AuthHeaderWithDomain" type="s:string"/>';
	const [a = '', b = ''] = SPACES.map((space) => new Writer(definitions, space).schema());
	return { a: a.replace('</s:schema>', `${wrappers}</s:schema>`), b };
}

function writeWrapper(name: string, type: ComplexType, definitions: Definitions): string {
	const content = new Writer(definitions, 'a').complexType(type);
	return `<s:element name="${name}">${content}</s:element>`;
}

function attributes(values: Readonly<Record<string, number | string | undefined>>): string {
	return Object.entries(values)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
		.join('');
}

/** `minOccurs` and `maxOccurs`, if they are not 1. */
function occurs({ min, max }: Pick<Element, 'max' | 'min'>): string {
	return attributes({
		minOccurs: min === 1 ? undefined : min,
		maxOccurs: max === 1 ? undefined : max === Infinity ? 'unbounded' : max,
	});
}

class Writer {
	constructor(
		private readonly definitions: Definitions,
		private readonly space: SchemaSpace,
	) {}

	schema(): string {
		const { definitions, space } = this;
		const { elements, attributes: qualifiedAttributes } = definitions.qualified[space];
		const own = <T extends { readonly space: string }>(all: readonly T[]): readonly T[] =>
			all.filter((one) => one.space === space);
		const content = [
			...SPACES.filter((other) => other !== space).map(
				(other) => `<s:import namespace="${escapeAttribute(namespaces[other])}"/>`,
			),
			...own(definitions.simpleTypes).map(({ name = '', definition }) => {
				const [, local] = name.split(':');
				return `<s:simpleType name="${local}">${definition}</s:simpleType>`;
			}),
			...own(definitions.types).map((type) => this.complexType(type)),
			...own(definitions.unsupported).map((type) => this.#unsupported(type)),
			...own(definitions.elements).map((element) =>
				this.#element({ ...element, isReference: false }, true),
			),
			...own(definitions.attributes).map((one) =>
				this.#attribute({ ...one, isReference: false }, true),
			),
		];
		const head = attributes({
			'xmlns:s': XSD,
			'xmlns:a': namespaces.a,
			'xmlns:b': namespaces.b,
			targetNamespace: namespaces[space],
			elementFormDefault: elements ? 'qualified' : undefined,
			attributeFormDefault: qualifiedAttributes ? 'qualified' : undefined,
		});
		return `<s:schema${head}>${content.join('\n')}</s:schema>`;
	}

	complexType(type: ComplexType): string {
		const { name, base, text, isAbstract } = type;
		const own =
			(type.content === undefined ? '' : this.#particle(type.content)) +
			type.attributes.map((attribute) => this.#attribute(attribute)).join('');
		const head = attributes({ name, abstract: isAbstract ? 'true' : undefined });
		const derive = (kind: string, from: string | undefined): string =>
			`<s:${kind}><s:extension base="${from}">${own}</s:extension></s:${kind}>`;
		let content = own;
		if (text !== undefined) content = derive('simpleContent', text.name);
		else if (base !== undefined) {
			const kind = hasText(base) ? 'simpleContent' : 'complexContent';
			content = derive(kind, `${base.space}:${base.name}`);
		}
		return `<s:complexType${head}>${content}</s:complexType>`;
	}

	#attribute(attribute: Attribute, isGlobal = false): string {
		const { name, type, isRequired, isReference } = attribute;
		const use = isRequired ? 'required' : undefined;
		if (isReference) {
			return `<s:attribute${attributes({ ref: `${attribute.space}:${name}`, use })}/>`;
		}
		return this.#typed('attribute', { name, use: isGlobal ? undefined : use }, type);
	}

	#typed(
		kind: string,
		of: Readonly<Record<string, number | string | undefined>>,
		{ name, definition }: SimpleType,
		further = '',
	): string {
		const head = `<s:${kind}${attributes({ ...of, type: name })}${further}`;
		return name === undefined
			? `${head}><s:simpleType>${definition}</s:simpleType></s:${kind}>`
			: `${head}/>`;
	}

	#unsupported({ kind }: UnsupportedType): string {
		const [first, second] = UNSUPPORTED_NAMES.map(
			(name) => `<s:element name="${name}" type="s:string"/>`,
		);
		const choice = (element: string | undefined, other: string): string =>
			`<s:choice>${element}<s:element name="${other}"/></s:choice>`;
		const content = {
			'any order': `<s:all>${first}${second}</s:all>`,
			'nested group': `<s:sequence><s:sequence>${first}${second}</s:sequence></s:sequence>`,
			'repeated group': `<s:sequence maxOccurs="unbounded">${first}${second}</s:sequence>`,
			'several choices': `<s:sequence>${choice(first, 'C')}${choice(second, 'D')}</s:sequence>`,
		}[kind];
		return `<s:complexType name="${kind.replaceAll(' ', '-')}">${content}</s:complexType>`;
	}

	#particle(particle: Particle): string {
		if (particle.kind === 'any') {
			return '<s:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>';
		}
		if (particle.kind === 'element') return this.#element(particle);
		return this.#group(particle);
	}

	#group(group: Group): string {
		const content = group.children.map((child) => this.#particle(child)).join('');
		return `<s:${group.kind}${occurs(group)}>${content}</s:${group.kind}>`;
	}

	#element(element: Element, isGlobal = false): string {
		const { name, space, type, isNillable, isReference } = element;
		const often = isGlobal ? '' : occurs(element);
		if (isReference) return `<s:element ref="${space}:${name}"${often}/>`;
		const isQualified = space !== '';
		const isUsual = isQualified === this.definitions.qualified[this.space].elements;
		const of = {
			name,
			nillable: isNillable ? 'true' : undefined,
			form: isGlobal || isUsual ? undefined : isQualified ? 'qualified' : 'unqualified',
		};
		if ('simple' in type) return this.#typed('element', of, type.simple, often);
		if ('any' in type) return `<s:element${attributes({ ...of, type: 's:anyType' })}${often}/>`;
		if ('unsupported' in type) {
			const { kind, space: own } = type.unsupported;
			const reference = `${own}:${kind.replaceAll(' ', '-')}`;
			return `<s:element${attributes({ ...of, type: reference })}${often}/>`;
		}
		const { complex } = type;
		return complex.name === undefined
			? `<s:element${attributes(of)}${often}>${this.complexType(complex)}</s:element>`
			: `<s:element${attributes({ ...of, type: `${complex.space}:${complex.name}` })}${often}/>`;
	}
}

function hasText({ text, base }: ComplexType): boolean {
	return text !== undefined || (base !== undefined && hasText(base));
}
