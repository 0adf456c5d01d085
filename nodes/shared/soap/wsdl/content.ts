/** The contents of complex types. */
import {
	ATTRIBUTE,
	sizeOf,
	WILDCARD,
	type RecordContent,
	type Field,
	type ScalarField,
} from '../../contract/fields';
import { truncate } from '../../errors/words';
import { XML, XSD } from '../../values/untyped';
import { isXmlName } from '../../values/xmlRules';
import { attributeName, safeName } from '../namespaces';
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

/** What else a type may consist of. The XML serializer of .NET writes none of them. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
	all: 'elements in any order',
	attributeGroup: 'a group of attributes',
	choice: 'a choice within a choice',
	group: 'a named group of elements',
	sequence: 'a group within a group',
};

/** The content of a complex type. What its fields hold is read later: types may be nested without end. */
type Content = { -readonly [P in keyof RecordContent]: RecordContent[P] } & {
	fields: Record<string, Field>;
	attributes?: Record<string, ScalarField>;
};

const ONCE = { min: 1, max: 1 };

/** How often an element or group occurs. */
function occurrencesOf({ attributes }: XmlElement): typeof ONCE {
	const [min = 1, max = 1] = ['minOccurs', 'maxOccurs'].map((name) => {
		const text = attributes.get(name)?.trim() ?? '1';
		return text === 'unbounded' ? Infinity : Number(text);
	});
	return { min, max };
}

/** Returns what a definition consists of. */
function partsOf({ node, schema }: Component): readonly Component[] {
	const parts = node.children.filter(
		({ namespace, name }) => namespace === XSD && name !== 'annotation',
	);
	return parts.map((part) => ({ node: part, schema }));
}

/** Does nothing if a part has no meaning for values, as `xs:anyAttribute`. */
function refuse({ name }: XmlElement): void {
	const reason = UNSUPPORTED[name];
	if (reason !== undefined) throw new Unsupported(reason);
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

/** What the definition of an element says wherever it is referred to. */
type ElementDefinition = Pick<Field, 'description' | 'nillable'> & { readonly name: string };

/** Reads the contents of complex types. */
export class Contents {
	/** Returns the content of a complex type, with that of its base. */
	readonly read: (type: Component) => RecordContent;
	readonly #attribute: (definition: Component) => ScalarField;
	readonly #element: (definition: Component) => ElementDefinition;

	/**
	 * @param namespace of fields that name none
	 * @param complete adds to a field, later, what the type of an element says
	 */
	constructor(
		private readonly schemas: Schemas,
		private readonly simpleTypes: SimpleTypes,
		private readonly namespace: string,
		private readonly complete: (field: Field, element: Component) => void,
	) {
		this.read = schemas.once((type) => this.#content(type));
		this.#attribute = schemas.once((definition) => simpleTypes.of(definition, 'type'));
		this.#element = schemas.once((element) => ({
			name: checkedName('element', nameOf(element).local),
			nillable: isTrue(element.node, 'nillable'),
			...describedBy(element.node),
		}));
	}

	#content({ node, schema }: Component): RecordContent {
		const derivation = derivationOf(node);
		const own = { node: derivation ?? node, schema };
		this.schemas.charge(1);
		const content: Content = derivation ? this.#baseContent(own) : { fields: {} };
		const inner = childrenOf(node, XSD, 'complexContent');
		if ([node, ...inner].some((one) => isTrue(one, 'mixed'))) content.text ??= { kind: 'string' };
		for (const part of partsOf(own)) this.#add(content, part);
		return content;
	}

	/** Returns a copy of the content that a type extends. */
	#baseContent(own: Component): Content {
		if (own.node.name === 'restriction') throw new Unsupported('a restriction of another type');
		const base = referenceOf(own.node, 'base');
		const type = base && base.namespace !== XSD ? this.schemas.find('type', base) : undefined;
		if (type?.node.name !== 'complexType') {
			return { fields: {}, text: this.simpleTypes.of(own, 'base') };
		}
		const known = this.read(type);
		this.schemas.charge(sizeOf(known.fields) + sizeOf(known.attributes ?? {}));
		const copy: Content = { ...known, fields: { ...known.fields } };
		if (copy.attributes !== undefined) copy.attributes = { ...copy.attributes };
		return copy;
	}

	#add(content: Content, part: Component): void {
		const { node } = part;
		if (node.name === 'attribute') return this.#addAttribute(content, part);
		if (node.name === 'choice') return this.#addChoice(content, part);
		if (node.name !== 'sequence') return refuse(node);
		const { min, max } = occurrencesOf(node);
		if (min !== 1 || max !== 1) throw new Unsupported('an optional or repeated group');
		for (const inner of partsOf(part)) {
			if (inner.node.name === 'choice') this.#addChoice(content, inner);
			else this.#addParticle(content, inner);
		}
	}

	/** Adds an element or the place of any, and returns its name. */
	#addParticle(content: Content, part: Component, around = ONCE): string {
		if (part.node.name === 'element') return this.#addElement(content, part, around);
		if (part.node.name === 'any') this.#addWildcard(content, part.node, around);
		else refuse(part.node);
		return WILDCARD;
	}

	#addChoice(content: Content, choice: Component): void {
		const { min, max } = occurrencesOf(choice.node);
		const parts = partsOf(choice);
		const names = parts.map((part) => this.#addParticle(content, part, { min: 0, max }));
		// In a choice that repeats, nothing excludes anything else.
		if (max > 1) return;
		if (names.includes(WILDCARD)) throw new Unsupported('any element in a choice');
		if (content.choice !== undefined) throw new Unsupported('several choices');
		// An alternative that may be absent fulfills the choice without any element.
		const required = min > 0 && parts.every(({ node }) => occurrencesOf(node).min > 0);
		content.choice = { names, required };
	}

	#addAttribute(content: Content, place: Component): void {
		const { node } = place;
		const reference = referenceOf(node, 'ref');
		const name = checkedName('attribute', reference?.local ?? node.attributes.get('name'));
		const use = node.attributes.get('use');
		if (use === 'prohibited') return;
		const namespace = reference?.namespace ?? localNamespace(place);
		// n8n renders the name of a required field as HTML.
		if (/[<>"]/.test(namespace)) throw new Unsupported('a malformed namespace');
		const field = {
			...this.#attributeType(place, reference),
			...describedBy(node),
			...(use === 'required' && { required: true }),
		};
		const property = ATTRIBUTE + attributeName({ namespace, local: name });
		this.schemas.charge(1);
		content.attributes ??= {};
		content.attributes[property] = field;
	}

	#attributeType(place: Component, reference: QName | undefined): ScalarField {
		try {
			const isDefined = reference !== undefined && reference.namespace !== XML;
			const definition = isDefined ? this.schemas.find('attribute', reference) : place;
			return this.#attribute(definition);
		} catch (error) {
			return { kind: 'string', unsupported: reasonOf(error) };
		}
	}

	#addWildcard(content: Content, node: XmlElement, around = ONCE): void {
		const namespace = node.attributes.get('namespace')?.trim() ?? '##any';
		const isRequired = around.min * occurrencesOf(node).min > 0;
		if (!/^##(?:any|targetNamespace)$/.test(namespace)) {
			if (!namespace.startsWith('##')) throw new Unsupported(DATA_SET);
			// The record is read and written without them.
			if (!isRequired) return;
			throw new Unsupported('elements of other namespaces');
		}
		content.others ??= isRequired ? { required: true } : {};
	}

	/** Adds an element as a field, and returns its name. */
	#addElement(content: Content, component: Component, around = ONCE): string {
		const { node } = component;
		const reference = referenceOf(node, 'ref');
		if (reference?.namespace === XSD) throw new Unsupported(DATA_SET);
		const element = reference ? this.schemas.find('element', reference) : component;
		const { name, nillable, description } = this.#element(element);
		const { fields, others } = content;
		if (Object.hasOwn(fields, name))
			throw new Unsupported(`two elements named "${truncate(name)}"`);
		const own = occurrencesOf(node);
		const [min, max] = [own.min * around.min, own.max * around.max];
		if (own.max === 0) return name;
		const namespace = reference?.namespace ?? localNamespace(component);
		// Its kind is added later.
		const field = {
			...(namespace !== this.namespace && { namespace }),
			...(nillable && { nillable }),
		} as Field;
		this.schemas.charge(1);
		this.complete(field, element);
		const value: Field = max > 1 ? { kind: 'repeated', of: field } : field;
		fields[name] = Object.assign(value, description && { description }, describedBy(node), {
			...(min > 0 && { required: true }),
		});
		if (others !== undefined) content.others = { before: name, ...others };
		return name;
	}
}

/** Returns what the description says about an element. */
function describedBy(node: XmlElement): { description?: string } {
	const text = documentationOf(node);
	return text === undefined ? {} : { description: text.replace(/(?<!\.)\.$/, '') };
}
