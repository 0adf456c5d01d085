/** A model of XML schemas, on its own: it shares nothing with what the package reads of them. */
import type { SimpleType } from './simple.mts';

/** Namespaces by the prefix that each document here binds to them; `''` for none. */
export const namespaces = { a: 'urn:service', b: 'urn:other?a&b', '': '' } as const;

export type Space = keyof typeof namespaces;

/** A namespace that has a schema. */
export type SchemaSpace = Exclude<Space, ''>;

export interface Attribute {
	readonly name: string;
	readonly space: Space;
	readonly type: SimpleType;
	readonly isRequired: boolean;
	/** How it is declared: in place, or by a reference to a global attribute. */
	readonly isReference: boolean;
}

/** A type that is not supported: its elements are JSON, sent as they are. */
export interface UnsupportedType {
	readonly kind: 'any order' | 'nested group' | 'repeated group' | 'several choices';
	readonly space: SchemaSpace;
}

export type ElementType =
	| { readonly simple: SimpleType }
	| { readonly complex: ComplexType }
	| { readonly any: true }
	| { readonly unsupported: UnsupportedType };

export interface Element {
	readonly kind: 'element';
	readonly name: string;
	readonly space: Space;
	readonly type: ElementType;
	readonly isNillable: boolean;
	readonly min: number;
	readonly max: number;
	readonly isReference: boolean;
}

export interface Group {
	readonly kind: 'choice' | 'sequence';
	readonly min: number;
	readonly max: number;
	readonly children: readonly Particle[];
}

/** The place of any element (`xs:any`). */
export interface Wildcard {
	readonly kind: 'any';
}

export type Particle = Element | Group | Wildcard;

export interface ComplexType {
	/** `undefined` if it is anonymous. */
	readonly name: string | undefined;
	readonly space: SchemaSpace;
	readonly base: ComplexType | undefined;
	readonly isAbstract: boolean;
	/** Types that it is derived from have the same number, types that it may contain a greater one. */
	readonly family: number;
	/** Without those of the base. */
	readonly attributes: Attribute[];
	/** Type of the text of an element that has attributes. */
	readonly text: SimpleType | undefined;
	/** Without that of the base. */
	content: Group | undefined;
	readonly derived: ComplexType[];
}

/** All attributes, those of the base first. */
export function attributesOf({ base, attributes }: ComplexType): readonly Attribute[] {
	return base === undefined ? attributes : [...attributesOf(base), ...attributes];
}

/** The content with that of the base, which comes first. */
export function contentsOf({ base, content }: ComplexType): readonly Group[] {
	const own = content === undefined ? [] : [content];
	return base === undefined ? own : [...contentsOf(base), ...own];
}

export function textOf({ base, text }: ComplexType): SimpleType | undefined {
	return text ?? (base && textOf(base));
}

/** An element or wildcard, and how often it occurs within all groups around it. */
export interface Occurring {
	readonly particle: Element | Wildcard;
	readonly max: number;
	/** Whether content without it can be valid. */
	readonly isOptional: boolean;
}

/** The elements of a content in the order of the schema. */
export function elementsOf(
	particles: readonly Particle[],
	max = 1,
	isOptional = false,
): readonly Occurring[] {
	return particles.flatMap((particle) => {
		if (particle.kind === 'any') return [{ particle, max: 1, isOptional: true }];
		if (particle.kind === 'element') {
			return [{ particle, max: max * particle.max, isOptional: isOptional || particle.min === 0 }];
		}
		const { kind, children } = particle;
		const isChoice = kind === 'choice' && children.length > 1;
		const optional = isOptional || isChoice || particle.min === 0;
		return elementsOf(children, max * particle.max, optional);
	});
}

/** The row of the list that a type is; `undefined` if it is a record or text. */
export function rowOf(type: ComplexType): Element | undefined {
	const { base, derived, isAbstract } = type;
	if (base !== undefined || derived.length > 0 || isAbstract) return undefined;
	if (type.attributes.length > 0 || textOf(type) !== undefined) return undefined;
	const [first, ...others] = elementsOf(contentsOf(type));
	if (first?.particle.kind !== 'element' || others.length > 0) return undefined;
	return first.max > 1 ? first.particle : undefined;
}

/** The types that a value of this type can have. */
export function concreteTypes(type: ComplexType): readonly ComplexType[] {
	return [...(type.isAbstract ? [] : [type]), ...type.derived.flatMap(concreteTypes)];
}
