import { type SchemaScalar } from '../../contract/schemaFields';
import { childrenOf, XSD } from './documents';
import { ComponentMap, isBuiltIn, nextLevel, Unsupported, type Resolver } from './resolver';
import { restrictedType } from './scalarTypes';
import { referenceOf, type Component } from './schemas';

/** Reads simple types as field kinds, each one once. */
export class SimpleTypes {
	readonly #types = new ComponentMap<SchemaScalar>();

	constructor(private readonly resolver: Resolver) {}

	/** Returns the type that an attribute of a component names, or the only one within it. */
	of(component: Component, attribute: string, level: number): SchemaScalar {
		return this.#within(component, level)[0] ?? this.named(component, attribute, level);
	}

	/**
	 * Returns the type that an attribute of a component names; a string, if there is no such attribute.
	 *
	 * @param text the name, if the attribute holds several
	 */
	named(component: Component, attribute: string, level: number, text?: string): SchemaScalar {
		const value = text ?? component.node.attributes.get(attribute);
		const name = referenceOf(component, attribute, value);
		if (name === undefined) return { kind: 'string' };
		if (isBuiltIn(name)) return this.resolver.builtIn(name);
		const type = this.resolver.definition('type', name);
		if (type.node.name !== 'simpleType')
			throw new Unsupported('a complex type in place of a simple one');
		return this.read(type, level);
	}

	/** Returns the type that `xs:simpleType` defines. */
	read(type: Component, outer = 0): SchemaScalar {
		return this.#types.get(type) ?? this.#types.set(type, this.#defined(type, nextLevel(outer)));
	}

	#within({ node, schema }: Component, level: number): readonly SchemaScalar[] {
		return childrenOf(node, XSD, 'simpleType').map((type) =>
			this.read({ node: type, schema }, level),
		);
	}

	#defined({ node, schema }: Component, level: number): SchemaScalar {
		this.resolver.count(1);
		const [definition] = childrenOf(node, XSD, 'restriction', 'list', 'union');
		if (definition === undefined) return { kind: 'string' };
		const component = { node: definition, schema };
		if (definition.name === 'list') {
			return { kind: 'tokens', of: this.of(component, 'itemType', level) };
		}
		if (definition.name === 'union') return this.#union(component, level);
		const restricted = restrictedType(this.of(component, 'base', level), definition);
		if (restricted.kind === 'enumeration') this.resolver.count(definition.children.length);
		return restricted;
	}

	#union(union: Component, level: number): SchemaScalar {
		const names = union.node.attributes.get('memberTypes')?.trim().split(/\s+/) ?? [];
		const members = [
			...names.map((name) => this.named(union, 'memberTypes', level, name)),
			...this.#within(union, level),
		];
		const enumerations = members.flatMap((member) =>
			member.kind === 'enumeration' ? [member] : [],
		);
		const values = enumerations.flatMap((member) => member.values);
		this.resolver.count(values.length);
		return enumerations.length === members.length && values.length > 0
			? { kind: 'enumeration', values: [...new Set(values)] }
			: { kind: 'string' };
	}
}
