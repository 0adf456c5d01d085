import {
	WILDCARD,
	type Alternative,
	type Occurrence,
	type SchemaField,
	type SchemaScalar,
} from '../../contract/schemaFields';
import { isXmlName } from '../../contract/xmlRules';
import { truncate } from '../../errors/words';
import { safeName, XML } from '../namespaces';
import type { QName, XmlElement } from '../xml';
import { childrenOf, documentationOf, XSD } from './documents';
import {
	ComponentMap,
	isBuiltIn,
	nextLevel,
	reasonOf,
	Unsupported,
	type Resolver,
} from './resolver';
import { restrictedType } from './scalarTypes';
import { derivationOf, isTrue, referenceOf, type Component } from './schemas';
import type { SimpleTypes } from './simpleTypes';

const DIFFGRAM = 'urn:schemas-microsoft-com:xml-diffgram-v1';

const DATA_SET = 'a .NET DataSet';

const MAX_DESCRIPTION = 200;

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

/** An element of a type's content, or the place of any element. */
export interface Particle {
	/** The definition of the element. */
	readonly element: Component;
	/** Where the element stands in the content; it may only refer to its definition. */
	readonly place: XmlElement;
	readonly namespace: string;
	readonly min: number;
	readonly max: number;
	readonly alternative: Alternative | undefined;
	readonly isSubstituted: boolean;
}

/** The content of a complex type, whose elements are not resolved yet. */
export interface Content {
	text: SchemaScalar | undefined;
	readonly attributes: Map<string, SchemaField>;
	readonly elements: Map<string, Particle>;
	choices: number;
}

/** Where a group of particles stands. */
interface GroupPlace {
	readonly isOptional: boolean;
	readonly max: number;
	readonly alternative: Alternative | undefined;
	/** Of a choice directly within a choice: the branches that both have in common. */
	readonly branches: { next: number } | undefined;
	readonly level: number;
}

/** Where the groups of a type stand. */
const CONTENT_PLACE = {
	isOptional: false,
	max: 1,
	alternative: undefined,
	branches: undefined,
} satisfies Partial<GroupPlace>;

function occurrences({ attributes }: XmlElement): { readonly min: number; readonly max: number } {
	const count = (name: string): number => {
		const text = attributes.get(name)?.trim() ?? '1';
		if (text === 'unbounded') return Infinity;
		return /^\d+$/.test(text) ? Number(text) : 1;
	};
	return { min: count('minOccurs'), max: count('maxOccurs') };
}

/** Checks that a name can be written as XML, and be a property of an item. */
function checkedName(kind: 'attribute' | 'element', name: string): string {
	if (!isXmlName(name)) throw new Unsupported(`the ${kind} name "${truncate(name)}"`);
	return safeName(kind, name);
}

/** Reads the contents of complex types, each one once. */
export class Contents {
	readonly #contents = new ComponentMap<Content>();

	constructor(
		private readonly resolver: Resolver,
		private readonly simpleTypes: SimpleTypes,
	) {}

	/** Returns the content of a complex type, with that of its base. */
	read(type: Component, outer = 0): Content {
		const { node, schema } = type;
		const known = this.#contents.get(type);
		if (known !== undefined) return known;
		const level = nextLevel(outer);
		this.resolver.count(1);
		if (isTrue(node, 'mixed')) throw new Unsupported('mixed content');
		const derivation = derivationOf(node);
		const content =
			derivation === undefined ? emptyContent() : this.#baseContent(derivation.node, type, level);
		if (derivation?.isMixed) throw new Unsupported('mixed content');
		const own = derivation?.node ?? node;
		if (derivation?.node.name === 'restriction') {
			content.elements.clear();
			if (content.text !== undefined) {
				const [inner] = childrenOf(own, XSD, 'simpleType');
				const base = inner && this.simpleTypes.read({ node: inner, schema }, level);
				content.text = restrictedType(base ?? content.text, own);
			}
		}
		this.#addAttributes(content, { node: own, schema }, level);
		this.#addGroups(content, { node: own, schema }, { ...CONTENT_PLACE, level });
		return this.#contents.set(type, content);
	}

	/** Returns a copy of the content of the type that a type is derived from. */
	#baseContent(derivation: XmlElement, { schema }: Component, level: number): Content {
		const component = { node: derivation, schema };
		const base = referenceOf(component, 'base');
		if (base === undefined || (base.namespace === XSD && base.local === 'anyType')) {
			return emptyContent();
		}
		if (!isBuiltIn(base)) {
			const type = this.resolver.definition('type', base);
			if (type.node.name === 'complexType') {
				const { text, attributes, elements, choices } = this.read(type, level);
				this.resolver.count(attributes.size + elements.size);
				return { text, attributes: new Map(attributes), elements: new Map(elements), choices };
			}
		}
		return { ...emptyContent(), text: this.simpleTypes.named(component, 'base', level) };
	}

	#addAttributes(content: Content, { node, schema }: Component, outer: number): void {
		const level = nextLevel(outer);
		for (const child of childrenOf(node, XSD, 'attribute', 'attributeGroup')) {
			this.resolver.count(1);
			const component = { node: child, schema };
			const name = referenceOf(component, 'ref');
			if (child.name === 'attribute') {
				this.#addAttribute(content.attributes, component, name);
			} else if (name !== undefined) {
				this.#addAttributes(content, this.resolver.definition('attributeGroup', name), level);
			}
		}
	}

	#addAttribute(
		attributes: Map<string, SchemaField>,
		place: Component,
		reference: QName | undefined,
	): void {
		const { node, schema } = place;
		const name = checkedName('attribute', reference?.local ?? node.attributes.get('name') ?? '');
		if (node.attributes.get('use') === 'prohibited') {
			attributes.delete(name);
			return;
		}
		const form = node.attributes.get('form') ?? schema.root.attributes.get('attributeFormDefault');
		const namespace = reference?.namespace ?? (form === 'qualified' ? schema.namespace : '');
		const occurrence: Mutable<Occurrence> = {
			...(namespace !== '' && { namespace }),
			...(node.attributes.get('use') === 'required' && { required: true }),
		};
		let value: SchemaScalar = { kind: 'string' };
		try {
			const isDefined =
				reference !== undefined && reference.namespace !== XML && !isBuiltIn(reference);
			const definition = isDefined ? this.resolver.definition('attribute', reference) : place;
			value = fixedValue(node, definition.node) ?? this.simpleTypes.of(definition, 'type', 0);
		} catch (error) {
			occurrence.unsupported = reasonOf(error);
		}
		attributes.set(name, { ...value, ...describedBy(node), ...occurrence });
	}

	/** Adds the elements of the groups within a node. */
	#addGroups(content: Content, { node, schema }: Component, place: GroupPlace): void {
		for (const child of childrenOf(node, XSD, 'sequence', 'all', 'choice', 'group')) {
			this.#addGroup(content, { node: child, schema }, place);
		}
	}

	#addGroup(content: Content, group: Component, place: GroupPlace): void {
		const { node } = group;
		const { min, max } = occurrences(node);
		const level = nextLevel(place.level);
		this.resolver.count(1);
		if (max === 0) return;
		const inner: GroupPlace = {
			...place,
			isOptional: place.isOptional || min === 0,
			max: place.max * max,
			level,
		};
		if (node.name === 'group') {
			const name = referenceOf(group, 'ref');
			if (name === undefined) return;
			return this.#addGroups(content, this.resolver.definition('group', name), inner);
		}
		if (node.name === 'choice') return this.#addChoice(content, group, inner);
		const before = content.elements.size;
		for (const child of node.children) {
			this.#addParticle(content, { ...group, node: child }, { ...inner, branches: undefined });
		}
		if (inner.max > 1) checkSingle(content, before);
	}

	#addChoice(content: Content, group: Component, place: GroupPlace): void {
		const isRepeated = place.max > 1;
		const isNested = place.branches !== undefined && place.alternative !== undefined;
		const choice = isNested ? place.alternative.choice : ++content.choices;
		const branches = isNested ? place.branches : { next: 0 };
		for (const child of group.node.children) {
			if (child.namespace !== XSD || child.name === 'annotation') continue;
			const before = content.elements.size;
			// A choice within a branch of a choice that holds more than it: the outer one counts.
			const alternative =
				isNested || place.alternative === undefined
					? { choice, branch: branches.next++ }
					: place.alternative;
			this.#addParticle(
				content,
				{ ...group, node: child },
				{
					...place,
					isOptional: true,
					alternative: isRepeated ? place.alternative : alternative,
					branches: isRepeated || alternative === place.alternative ? undefined : branches,
				},
			);
			if (isRepeated) checkSingle(content, before);
		}
	}

	#addParticle(content: Content, particle: Component, place: GroupPlace): void {
		const { node } = particle;
		if (node.namespace !== XSD) return;
		if (node.name === 'any') {
			this.#addWildcard(content, particle, place);
		} else if (node.name === 'element') {
			this.#addElement(content, particle, place);
		} else if (/^(?:sequence|all|choice|group)$/.test(node.name)) {
			this.#addGroup(content, particle, place);
		}
	}

	#addWildcard({ elements }: Content, element: Component, place: GroupPlace): void {
		const { node } = element;
		this.resolver.count(1);
		if (node.attributes.get('namespace')?.trim() === DIFFGRAM) throw new Unsupported(DATA_SET);
		if (occurrences(node).max === 0 || elements.has(WILDCARD)) return;
		elements.set(WILDCARD, {
			element,
			place: node,
			namespace: '',
			min: 0,
			max: 1,
			alternative: place.alternative,
			isSubstituted: false,
		});
	}

	#addElement({ elements }: Content, component: Component, place: GroupPlace): void {
		const { node, schema } = component;
		const { min, max } = occurrences(node);
		this.resolver.count(1);
		if (max === 0) return;
		const reference = referenceOf(component, 'ref');
		if (reference?.namespace === XSD) throw new Unsupported(DATA_SET);
		const global = reference && this.resolver.definition('element', reference);
		const form = node.attributes.get('form') ?? schema.root.attributes.get('elementFormDefault');
		const name = checkedName('element', global?.name ?? node.attributes.get('name')?.trim() ?? '');
		if (elements.has(name)) throw new Unsupported(`two elements named "${truncate(name)}"`);
		elements.set(name, {
			element: global ?? component,
			place: node,
			namespace: reference?.namespace ?? (form === 'qualified' ? schema.namespace : ''),
			min: place.isOptional ? 0 : min,
			max: place.max * max,
			alternative: place.alternative,
			isSubstituted: global !== undefined && this.resolver.schemas.isSubstituted(global),
		});
	}
}

function emptyContent(): Content {
	return { text: undefined, attributes: new Map(), elements: new Map(), choices: 0 };
}

/** Checks that at most one element is added: how several alternate cannot be said in a record. */
function checkSingle({ elements }: Content, before: number): void {
	if (elements.size - before > 1) throw new Unsupported('a repeated group of elements');
}

/** Returns the only value of an element or attribute whose value is fixed. */
export function fixedValue(...nodes: readonly XmlElement[]): SchemaScalar | undefined {
	const fixed = nodes.map(({ attributes }) => attributes.get('fixed')).find((text) => text);
	return fixed === undefined ? undefined : { kind: 'enumeration', values: [fixed] };
}

/** Returns what the description says about an element. */
export function describedBy(...nodes: readonly XmlElement[]): { description?: string } {
	const [text] = nodes.flatMap((node) => documentationOf(node, MAX_DESCRIPTION) ?? []);
	return text === undefined ? {} : { description: text.replace(/(?<!\.)\.$/, '') };
}
