import type { RecordContent, SchemaField, SchemaRecord } from '../../contract/schemaFields';
import { XSD } from '../../values/untyped';
import type { QName, XmlElement } from '../xml';
import { Contents, describedBy, type Content, type Particle } from './content';
import { childrenOf } from './documents';
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
import { SimpleTypes } from './simpleTypes';

/** Whether derived types are not allowed in place of the type of an element, or of a type. */
function isBlocked({ node, schema }: Component): boolean {
	const block = node.attributes.get('block') ?? schema.attributes.get('blockDefault') ?? '';
	return /#all|\bextension\b/.test(block);
}

function unsupported(error: unknown): SchemaField {
	return { kind: 'any', unsupported: reasonOf(error) };
}

/** Reads types of XML Schema as field kinds; each one once, so that a recursive type is one object. */
export class Types {
	readonly #values = new Map<XmlElement, SchemaField>();
	readonly #records = new Map<XmlElement, SchemaRecord>();
	readonly #simpleTypes: SimpleTypes;
	readonly #contents: Contents;
	/** Records and lists whose fields are not read yet: types may be nested without end. */
	readonly #unfinished: Array<() => void> = [];

	/** @param namespace of fields that name none */
	constructor(
		private readonly schemas: Schemas,
		private readonly namespace: string,
	) {
		this.#simpleTypes = new SimpleTypes(schemas);
		this.#contents = new Contents(schemas, this.#simpleTypes);
	}

	/**
	 * Returns what is inside a global element that wraps the values of a call.
	 *
	 * @throws {Unsupported} if it is not a sequence of elements
	 */
	wrapped(name: QName): RecordContent {
		this.schemas.begin();
		const element = this.schemas.find('element', name);
		const type = this.#typeOf(element);
		if (type?.node.name !== 'complexType') {
			throw new Unsupported('content other than a sequence of elements');
		}
		if ([element, type].some(({ node }) => isTrue(node, 'abstract'))) {
			throw new Unsupported('an abstract type');
		}
		const content = this.#contents.read(type);
		if (content.text !== undefined || content.attributes.size > 0) {
			throw new Unsupported('attributes');
		}
		const wrapped = this.#content(content);
		for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) next();
		return wrapped;
	}

	/** Returns the type of an element, if the description defines it. */
	#typeOf({ node, schema }: Component): Component | undefined {
		const name = referenceOf(node, 'type');
		if (name !== undefined) {
			return name.namespace === XSD ? undefined : this.schemas.find('type', name);
		}
		const [inner] = childrenOf(node, XSD, 'complexType', 'simpleType');
		return inner && { node: inner, schema };
	}

	/** Returns the value of an element; the reason, if its type is not supported. */
	#valueOf(element: Component): SchemaField {
		try {
			const { node } = element;
			if (isTrue(node, 'abstract') || node.attributes.has('substitutionGroup')) {
				throw new Unsupported('a substitution group');
			}
			const type = this.#typeOf(element);
			if (type === undefined) {
				const name = referenceOf(node, 'type')?.local ?? 'anyType';
				return /^any(?:Simple)?Type$/.test(name)
					? { kind: 'any' }
					: this.#simpleTypes.of(node, 'type');
			}
			const value = this.#valueOfType(type);
			return value.kind === 'record' && isBlocked(element) ? { ...value, derived: [] } : value;
		} catch (error) {
			return unsupported(error);
		}
	}

	#valueOfType(type: Component): SchemaField {
		const known = this.#values.get(type.node);
		if (known !== undefined) return known;
		let value: SchemaField;
		try {
			value =
				type.node.name === 'simpleType'
					? this.#simpleTypes.read(type.node)
					: this.#complexType(type);
		} catch (error) {
			value = unsupported(error);
		}
		this.#values.set(type.node, value);
		return value;
	}

	#complexType(type: Component): SchemaField {
		const { node } = type;
		const content = this.#contents.read(type);
		if (!isTrue(node, 'abstract') && this.#derivedFrom(type).length === 0) {
			if (content.text !== undefined && content.attributes.size === 0) return content.text;
			const list = derivationOf(node) === undefined ? this.#list(content) : undefined;
			if (list !== undefined) return list;
		}
		return this.#record(type);
	}

	#derivedFrom(type: Component): readonly Component[] {
		if (nameOf(type).local === '' || isBlocked(type)) return [];
		return this.schemas.derivedFrom(type);
	}

	/** Returns a complex type as a record: in place of its base, a text is one, too. */
	#record(type: Component): SchemaRecord {
		const known = this.#records.get(type.node);
		if (known !== undefined) return known;
		const content = this.#contents.read(type);
		const { local, namespace } = nameOf(type);
		const directlyDerived = this.#derivedFrom(type);
		const derived: SchemaRecord[] = [];
		const record: SchemaRecord = {
			kind: 'record',
			type: local,
			...(local !== '' && namespace !== this.namespace && { typeNamespace: namespace }),
			...this.#content(content),
			...(isTrue(type.node, 'abstract') && { isAbstract: true }),
			...(directlyDerived.length > 0 && { derived }),
		};
		this.#records.set(type.node, record);
		for (const one of directlyDerived) {
			try {
				const inner = this.schemas.nested(() => this.#record(one));
				derived.push(...(inner.isAbstract ? [] : [inner]), ...(inner.derived ?? []));
			} catch (error) {
				// A record of this type cannot be sent; `reasonOf` throws any other error.
				reasonOf(error);
			}
		}
		this.schemas.count(1 + derived.length);
		return record;
	}

	/** Returns the list that a content is; `undefined` if it has more than one repeated element. */
	#list({ attributes, elements, others }: Content): SchemaField | undefined {
		const [[row, particle] = []] = elements;
		if (row === undefined || particle === undefined || others !== undefined) return undefined;
		if (elements.size > 1 || attributes.size > 0 || particle.max <= 1) return undefined;
		const of = {} as SchemaField;
		this.#unfinished.push(() => Object.assign(of, this.#row(particle)));
		return { kind: 'list', row, of, ...rowsOf(particle) };
	}

	/** Returns the content of a record, whose fields are added later. */
	#content({ text, attributes, elements, others }: Content): RecordContent {
		const fields: Record<string, SchemaField> = {};
		this.#unfinished.push(() => {
			for (const [name, particle] of elements) fields[name] = this.#field(particle);
		});
		return {
			fields,
			...(attributes.size > 0 && { attributes: Object.fromEntries(attributes) }),
			// An element without text has the empty text.
			...(text && { text: { ...text, ...(text.kind !== 'string' && { required: true }) } }),
			...(others && { others }),
		};
	}

	#field(particle: Particle): SchemaField {
		const { min, max, alternative } = particle;
		const occurrence = {
			...(min > 0 && { required: true }),
			...alternative,
		};
		const row = this.#row(particle);
		if (max <= 1) return { ...row, ...occurrence };
		const { description, ...of } = row;
		return {
			kind: 'repeated',
			of,
			...rowsOf(particle),
			...(description !== undefined && { description }),
			...occurrence,
		};
	}

	/** Returns one occurrence of an element. */
	#row({ element, place, namespace }: Particle): SchemaField {
		return {
			...this.#valueOf(element),
			...describedBy(place, element.node),
			...(namespace !== this.namespace && { namespace }),
			...(isTrue(element.node, 'nillable') && { nillable: true }),
		};
	}
}

/** The bounds of a repeated element's rows. */
function rowsOf({ min, max }: Particle): { minRows?: number; maxRows?: number } {
	return { ...(min > 0 && { minRows: min }), ...(max < Infinity && { maxRows: max }) };
}
