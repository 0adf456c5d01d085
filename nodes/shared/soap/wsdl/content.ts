/** The contents of complex types. */
import {
	ATTRIBUTE,
	type Occurrence,
	type OtherElements,
	type SchemaScalar,
} from '../../contract/schemaFields';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { isXmlName } from '../../values/xmlRules';
import { safeName, XML } from '../namespaces';
import type { QName, XmlElement } from '../xml';
import { childrenOf, documentationOf } from './documents';
import {
	derivationOf,
	isTrue,
	nameOf,
	reasonOf,
	referenceOf,
	Unsupported,
	type Component,
	type Schemas,
} from './schemas';
import type { SimpleTypes } from './simpleTypes';

const DATA_SET = 'a .NET DataSet';

const MAX_DESCRIPTION = 200;

/** How an element or group occurs. */
interface Occurrences {
	readonly min: number;
	readonly max: number;
	/** The choice that it is an alternative of. */
	readonly alternative: Alternative;
}

type Alternative = Pick<Occurrence, 'choice' | 'oneRequired'>;

/** An element of a type's content. */
export interface Particle extends Occurrences {
	/** The definition of the element. */
	readonly element: Component;
	/** Where the element stands in the content; it may only refer to its definition. */
	readonly place: XmlElement;
	readonly namespace: string;
}

/** The content of a complex type, whose elements are not resolved yet. */
export interface Content {
	readonly text: SchemaScalar | undefined;
	/** By the names of their properties. */
	readonly attributes: Map<string, SchemaScalar & Occurrence>;
	readonly elements: Map<string, Particle>;
	others: OtherElements | undefined;
	choices: number;
}

/** How many elements a content names, with the place of others. */
function countOf({ elements, others }: Content): number {
	return elements.size + (others === undefined ? 0 : 1);
}

/** Returns how something occurs within a group. */
function occurrencesOf({ attributes }: XmlElement, group: Occurrences): Occurrences {
	const count = (name: string): number => {
		const text = attributes.get(name)?.trim() ?? '1';
		if (text === 'unbounded') return Infinity;
		return /^\d+$/.test(text) ? Number(text) : 1;
	};
	const [min, max] = [count('minOccurs'), count('maxOccurs')];
	return { min: group.min * min, max: group.max * max || 0, alternative: group.alternative };
}

/** Checks that a name can be written as XML, and be a property of an item. */
function checkedName(kind: 'attribute' | 'element', name = ''): string {
	if (!isXmlName(name)) throw new Unsupported(`the ${kind} name "${truncate(name)}"`);
	return safeName(kind, name);
}

/** Returns the namespace of an element or attribute that is defined in place. */
function localNamespace({ node, schema }: Component): string {
	const form = node.attributes.get('form') ?? schema.attributes.get(`${node.name}FormDefault`);
	return form === 'qualified' ? nameOf({ node, schema }).namespace : '';
}

/** Reads the contents of complex types, each one once. */
export class Contents {
	readonly #contents = new Map<XmlElement, Content>();

	constructor(
		private readonly schemas: Schemas,
		private readonly simpleTypes: SimpleTypes,
	) {}

	/** Returns the content of a complex type, with that of its base. */
	read({ node, schema }: Component): Content {
		const known = this.#contents.get(node);
		if (known !== undefined) return known;
		const inner = childrenOf(node, XSD, 'complexContent', 'simpleContent');
		if ([node, ...inner].some((one) => isTrue(one, 'mixed')))
			throw new Unsupported('mixed content');
		const own = derivationOf(node) ?? node;
		const content = this.schemas.nested(() => this.#baseContent(own));
		for (const child of own.children.filter(({ namespace }) => namespace === XSD)) {
			const component = { node: child, schema };
			if (child.name === 'attributeGroup') throw new Unsupported('a group of attributes');
			if (child.name === 'attribute') this.#addAttribute(content, component);
			else this.#addParticle(content, component, { min: 1, max: 1, alternative: {} });
		}
		this.schemas.count(1 + content.attributes.size + content.elements.size);
		this.#contents.set(node, content);
		return content;
	}

	/** Returns a copy of the content that a type extends. */
	#baseContent(own: XmlElement): Content {
		const empty: Content = {
			text: undefined,
			attributes: new Map(),
			elements: new Map(),
			others: undefined,
			choices: 0,
		};
		const base = referenceOf(own, 'base');
		if (base === undefined || (base.namespace === XSD && base.local === 'anyType')) return empty;
		if (own.name === 'restriction') throw new Unsupported('a restriction of another type');
		const type = base.namespace === XSD ? undefined : this.schemas.find('type', base);
		if (type?.node.name !== 'complexType') {
			return { ...empty, text: this.simpleTypes.of(own, 'base') };
		}
		const known = this.read(type);
		const { attributes, elements } = known;
		return { ...known, attributes: new Map(attributes), elements: new Map(elements) };
	}

	#addAttribute({ attributes }: Content, place: Component): void {
		const { node } = place;
		const reference = referenceOf(node, 'ref');
		const name = checkedName('attribute', reference?.local ?? node.attributes.get('name'));
		const use = node.attributes.get('use');
		if (use === 'prohibited') return;
		const namespace = reference?.namespace ?? localNamespace(place);
		attributes.set(ATTRIBUTE + name, {
			...this.#attributeType(node, reference),
			...describedBy(node),
			...(namespace !== '' && { namespace }),
			...(use === 'required' && { required: true }),
		});
	}

	#attributeType(node: XmlElement, reference: QName | undefined): SchemaScalar & Occurrence {
		try {
			const isDefined = reference !== undefined && reference.namespace !== XML;
			const definition = isDefined ? this.schemas.find('attribute', reference).node : node;
			return this.simpleTypes.of(definition, 'type');
		} catch (error) {
			return { kind: 'string', unsupported: reasonOf(error) };
		}
	}

	#addParticle(content: Content, particle: Component, group: Occurrences): void {
		const occurs = occurrencesOf(particle.node, group);
		if (occurs.max === 0) return;
		switch (particle.node.name) {
			case 'element':
				return this.#addElement(content, particle, occurs);
			case 'any':
				return this.#addWildcard(content, particle.node, occurs);
			case 'sequence':
			case 'all':
			case 'choice':
				return this.#addGroup(content, particle, occurs);
			case 'group':
				throw new Unsupported('a group of elements');
		}
	}

	#addGroup(content: Content, { node, schema }: Component, occurs: Occurrences): void {
		const { min, max } = occurs;
		if (occurs.alternative.choice !== undefined) {
			throw new Unsupported('a group of elements in a choice');
		}
		const parts = node.children.filter(
			({ namespace, name }) => namespace === XSD && name !== 'annotation',
		);
		const isChoice = node.name === 'choice' && parts.length > 1;
		const once = { min: 1, max: 1, alternative: {} };
		// An alternative that may be absent fulfills the choice without any element.
		const oneRequired = min > 0 && parts.every((part) => occurrencesOf(part, once).min > 0);
		const alternative: Alternative =
			isChoice && max === 1
				? { choice: ++content.choices, ...(oneRequired && { oneRequired }) }
				: {};
		const before = countOf(content);
		for (const part of parts) {
			const occurrences = { min: isChoice ? 0 : min, max, alternative };
			this.#addParticle(content, { node: part, schema }, occurrences);
		}
		// A record cannot express the order of alternating elements.
		if (max > 1 && !isChoice && countOf(content) > before + 1) {
			throw new Unsupported('a repeated group of elements');
		}
	}

	#addWildcard(content: Content, node: XmlElement, { min, alternative }: Occurrences): void {
		const namespace = node.attributes.get('namespace')?.trim() ?? '##any';
		if (!/^##(?:any|targetNamespace)$/.test(namespace)) {
			if (!namespace.startsWith('##')) throw new Unsupported(DATA_SET);
			// The record is read and written without them.
			if (min === 0) return;
			throw new Unsupported('elements of other namespaces');
		}
		content.others ??= {
			...(min > 0 && { required: true }),
			...alternative,
		};
	}

	#addElement(content: Content, component: Component, occurs: Occurrences): void {
		const { node } = component;
		const reference = referenceOf(node, 'ref');
		if (reference?.namespace === XSD) throw new Unsupported(DATA_SET);
		const element = reference ? this.schemas.find('element', reference) : component;
		const name = checkedName('element', nameOf(element).local);
		const { elements, others } = content;
		if (elements.has(name)) throw new Unsupported(`two elements named "${truncate(name)}"`);
		const namespace = reference?.namespace ?? localNamespace(component);
		elements.set(name, { element, place: node, namespace, ...occurs });
		if (others !== undefined) content.others = { before: name, ...others };
	}
}

/** Returns what the description says about an element. */
export function describedBy(...nodes: readonly XmlElement[]): { description?: string } {
	const [text] = nodes.flatMap((node) => documentationOf(node, MAX_DESCRIPTION) ?? []);
	return text === undefined ? {} : { description: text.replace(/(?<!\.)\.$/, '') };
}
