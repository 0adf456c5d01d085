/** The contents of complex types. */
import {
	ATTRIBUTE,
	type Occurrence,
	type OtherElements,
	type SchemaField,
	type SchemaScalar,
} from '../../contract/schemaFields';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { isXmlName } from '../../values/xmlRules';
import { safeName, XML } from '../namespaces';
import { childrenOf, type QName, type XmlElement } from '../xml';
import { documentationOf } from './documents';
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
	readonly alternative: Pick<Occurrence, 'choice' | 'oneRequired'>;
}

const ONCE: Occurrences = { min: 1, max: 1, alternative: {} };

/** The content of a complex type. What its fields hold is read later: types may be nested without end. */
export interface Content {
	fields: Record<string, SchemaField>;
	attributes?: Record<string, SchemaScalar & Occurrence>;
	text?: SchemaScalar;
	others?: OtherElements;
	/** Number of choices. */
	choices: number;
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

/** Reads the contents of complex types. */
export class Contents {
	/** Returns the content of a complex type, with that of its base. */
	readonly read: (type: Component) => Content;

	/**
	 * @param namespace of fields that name none
	 * @param complete adds to a field, later, what the type of an element says
	 */
	constructor(
		private readonly schemas: Schemas,
		private readonly simpleTypes: SimpleTypes,
		private readonly namespace: string,
		private readonly complete: (field: SchemaField, element: Component) => void,
	) {
		this.read = schemas.once(
			(type) => this.#content(type),
			({ attributes = {}, fields }) => 1 + Object.keys({ ...attributes, ...fields }).length,
		);
	}

	#content({ node, schema }: Component): Content {
		const inner = childrenOf(node, XSD, 'complexContent', 'simpleContent');
		if ([node, ...inner].some((one) => isTrue(one, 'mixed')))
			throw new Unsupported('mixed content');
		const own = derivationOf(node) ?? node;
		const content = this.#baseContent({ node: own, schema });
		for (const child of own.children.filter(({ namespace }) => namespace === XSD)) {
			const component = { node: child, schema };
			if (child.name === 'attributeGroup') throw new Unsupported('a group of attributes');
			if (child.name === 'attribute') this.#addAttribute(content, component);
			else this.#addParticle(content, component, ONCE);
		}
		return content;
	}

	/** Returns a copy of the content that a type extends. */
	#baseContent(own: Component): Content {
		const empty: Content = { fields: {}, choices: 0 };
		const base = referenceOf(own.node, 'base');
		if (base === undefined || (base.namespace === XSD && base.local === 'anyType')) return empty;
		if (own.node.name === 'restriction') throw new Unsupported('a restriction of another type');
		const type = base.namespace === XSD ? undefined : this.schemas.find('type', base);
		if (type?.node.name !== 'complexType') {
			return { ...empty, text: this.simpleTypes.of(own, 'base') };
		}
		const { fields, attributes, ...known } = this.read(type);
		return {
			...known,
			fields: { ...fields },
			...(attributes && { attributes: { ...attributes } }),
		};
	}

	#addAttribute(content: Content, place: Component): void {
		const { node } = place;
		const reference = referenceOf(node, 'ref');
		const name = checkedName('attribute', reference?.local ?? node.attributes.get('name'));
		const use = node.attributes.get('use');
		if (use === 'prohibited') return;
		const namespace = reference?.namespace ?? localNamespace(place);
		content.attributes ??= {};
		content.attributes[ATTRIBUTE + name] = {
			...this.#attributeType(place, reference),
			...describedBy(node),
			...(namespace !== '' && { namespace }),
			...(use === 'required' && { required: true }),
		};
	}

	#attributeType(place: Component, reference: QName | undefined): SchemaScalar & Occurrence {
		try {
			const isDefined = reference !== undefined && reference.namespace !== XML;
			const definition = isDefined ? this.schemas.find('attribute', reference) : place;
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
		const isSingle = parts.length <= 1;
		const isChoice = node.name === 'choice' && !isSingle;
		// A record cannot express the order of alternating elements.
		if (max > 1 && !isChoice && !isSingle) throw new Unsupported('a repeated group of elements');
		// An alternative that may be absent fulfills the choice without any element.
		const oneRequired = min > 0 && parts.every((part) => occurrencesOf(part, ONCE).min > 0);
		const alternative =
			isChoice && max === 1
				? { choice: ++content.choices, ...(oneRequired && { oneRequired }) }
				: {};
		for (const part of parts) {
			const occurrences = { min: isChoice ? 0 : min, max, alternative };
			this.#addParticle(content, { node: part, schema }, occurrences);
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
		content.others ??= { ...(min > 0 && { required: true }), ...alternative };
	}

	#addElement(content: Content, component: Component, occurs: Occurrences): void {
		const { node } = component;
		const reference = referenceOf(node, 'ref');
		if (reference?.namespace === XSD) throw new Unsupported(DATA_SET);
		const element = reference ? this.schemas.find('element', reference) : component;
		const name = checkedName('element', nameOf(element).local);
		const { fields, others } = content;
		if (Object.hasOwn(fields, name))
			throw new Unsupported(`two elements named "${truncate(name)}"`);
		const namespace = reference?.namespace ?? localNamespace(component);
		// Its kind is added later.
		const field = {
			...(namespace !== this.namespace && { namespace }),
			...(isTrue(element.node, 'nillable') && { nillable: true }),
		} as SchemaField;
		this.complete(field, element);
		const { min, max, alternative } = occurs;
		const rows = { ...(min > 0 && { minRows: min }), ...(max < Infinity && { maxRows: max }) };
		const value: SchemaField = max > 1 ? { kind: 'repeated', of: field, ...rows } : field;
		fields[name] = Object.assign(value, describedBy(node, element.node), alternative, {
			...(min > 0 && { required: true }),
		});
		if (others !== undefined) content.others = { before: name, ...others };
	}
}

/** Returns what the description says about an element. */
function describedBy(...nodes: readonly XmlElement[]): { description?: string } {
	const [text] = nodes.flatMap((node) => documentationOf(node, MAX_DESCRIPTION) ?? []);
	return text === undefined ? {} : { description: text.replace(/(?<!\.)\.$/, '') };
}
