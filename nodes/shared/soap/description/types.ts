import {
	ATTRIBUTE,
	isScalar,
	TEXT,
	WILDCARD,
	type Occurrence,
	type SchemaField,
	type SchemaFields,
	type SchemaRecord,
	type SchemaValue,
} from '../../contract/schemaFields';
import type { QName } from '../xml';
import { Contents, describedBy, fixedValue, type Content, type Particle } from './content';
import { childrenOf, XSD } from './documents';
import { ComponentMap, isBuiltIn, nextLevel, reasonOf, Resolver, Unsupported } from './resolver';
import {
	derivationOf,
	isTrue,
	referenceOf,
	type Component,
	type Definition,
	type Schemas,
} from './schemas';
import { SimpleTypes } from './simpleTypes';

function unsupported(error: unknown): SchemaValue & Occurrence {
	return { kind: 'any', unsupported: reasonOf(error) };
}

/** Reads types of XML Schema as field kinds; each one once, so that a recursive type is one object. */
export class Types {
	readonly #values = new ComponentMap<SchemaValue & Occurrence>();
	readonly #records = new ComponentMap<SchemaRecord>();
	readonly #resolver: Resolver;
	readonly #simpleTypes: SimpleTypes;
	readonly #contents: Contents;
	/** Records and lists whose fields are not read yet: types may be nested without end. */
	readonly #unfinished: Array<() => void> = [];

	/** @param namespace of fields that name none */
	constructor(
		private readonly schemas: Schemas,
		private readonly namespace: string,
	) {
		this.#resolver = new Resolver(schemas);
		this.#simpleTypes = new SimpleTypes(this.#resolver);
		this.#contents = new Contents(this.#resolver, this.#simpleTypes);
	}

	/**
	 * Returns what is inside a global element that wraps the values of a call.
	 *
	 * @throws {Unsupported} if it is not a sequence of elements
	 */
	wrapped(name: QName): SchemaFields {
		this.#resolver.begin();
		const element = this.#resolver.definition('element', name);
		const type = this.#typeOf(element);
		if (type?.node.name !== 'complexType') {
			throw new Unsupported('content other than a sequence of elements');
		}
		const content = this.#contents.read(type);
		if (content.text !== undefined || content.attributes.size > 0) {
			throw new Unsupported('attributes');
		}
		const fields = Object.create(null) as SchemaFields;
		this.#fill(fields, content);
		this.#finish();
		return fields;
	}

	/** Returns the value of a global element. */
	ofElement(element: Definition): SchemaValue & Occurrence {
		this.#resolver.begin();
		const value = this.#valueOf(element);
		this.#finish();
		return value;
	}

	#finish(): void {
		for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) next();
	}

	/** Returns the type of an element or attribute of which the description defines the type. */
	#typeOf(component: Component): Component | undefined {
		const name = referenceOf(component, 'type');
		if (name !== undefined) {
			return isBuiltIn(name) ? undefined : this.#resolver.definition('type', name);
		}
		const [node] = childrenOf(component.node, XSD, 'complexType', 'simpleType');
		return node && { node, schema: component.schema };
	}

	/** Returns the value of an element; the reason, if its type is not supported. */
	#valueOf(element: Component, outer = 0): SchemaValue & Occurrence {
		try {
			const level = nextLevel(outer);
			const type = this.#typeOf(element);
			if (type !== undefined) return this.#valueOfType(type);
			const name = referenceOf(element, 'type');
			if (name !== undefined) {
				return name.local === 'anyType' || name.local === 'anySimpleType'
					? { kind: 'any' }
					: this.#resolver.builtIn(name);
			}
			const head = referenceOf(element, 'substitutionGroup');
			if (head === undefined) return { kind: 'any' };
			return this.#valueOf(this.#resolver.definition('element', head), level);
		} catch (error) {
			return unsupported(error);
		}
	}

	#valueOfType(type: Component): SchemaValue & Occurrence {
		const known = this.#values.get(type);
		if (known !== undefined) return known;
		try {
			return type.node.name === 'simpleType'
				? this.#values.set(type, this.#simpleTypes.read(type))
				: this.#values.set(type, this.#complexType(type));
		} catch (error) {
			return this.#values.set(type, unsupported(error));
		}
	}

	#complexType(type: Component): SchemaValue & Occurrence {
		const { node } = type;
		const content = this.#contents.read(type);
		if (!isTrue(node, 'abstract') && this.#descendants(type).length === 0) {
			if (content.text !== undefined && content.attributes.size === 0) return content.text;
			const list = derivationOf(node) === undefined ? this.#list(content) : undefined;
			if (list !== undefined) return list;
		}
		return this.#record(type);
	}

	#descendants({ node, schema: { namespace } }: Component): readonly Definition[] {
		const local = node.attributes.get('name')?.trim() ?? '';
		const definition = this.schemas.find('type', { namespace, local });
		return definition?.node === node ? this.schemas.derivedFrom(definition) : [];
	}

	/** Returns a complex type as a record: in place of its base, a text is one, too. */
	#record(type: Component): SchemaRecord {
		const known = this.#records.get(type);
		if (known !== undefined) return known;
		const { node, schema } = type;
		const content = this.#contents.read(type);
		const name = node.attributes.get('name')?.trim() ?? '';
		this.#resolver.count(1);
		const descendants = this.#descendants(type);
		this.#resolver.count(descendants.length);
		const derived: SchemaRecord[] = [];
		const record = this.#records.set(type, {
			kind: 'record',
			type: name,
			...(name !== '' &&
				schema.namespace !== this.namespace && { typeNamespace: schema.namespace }),
			fields: Object.create(null) as Record<string, SchemaField>,
			...(isTrue(node, 'abstract') && { isAbstract: true }),
			...(descendants.length > 0 && { derived }),
		});
		for (const descendant of descendants) {
			try {
				const one = this.#record(descendant);
				if (one.isAbstract !== true) derived.push(one);
			} catch (error) {
				// A record of this type cannot be sent; `reasonOf` throws any other error.
				reasonOf(error);
			}
		}
		this.#unfinished.push(() => this.#fill(record.fields, content));
		return record;
	}

	/** Returns the list that a content is; `undefined` if it has more than one repeated element. */
	#list({ attributes, elements }: Content): SchemaValue | undefined {
		const [[row, particle] = []] = elements;
		if (row === undefined || particle === undefined || row === WILDCARD) return undefined;
		if (elements.size > 1 || attributes.size > 0 || particle.max <= 1) return undefined;
		const of = {} as SchemaValue & Occurrence;
		this.#unfinished.push(() => Object.assign(of, this.#row(particle)));
		return { kind: 'list', row, of, ...rowsOf(particle) };
	}

	/** Adds the fields of a content to a record. */
	#fill(fields: Record<string, SchemaField>, { text, attributes, elements }: Content): void {
		for (const [name, field] of attributes) fields[ATTRIBUTE + name] = field;
		if (text !== undefined) fields[TEXT] = text;
		for (const [name, particle] of elements) {
			fields[name] = name === WILDCARD ? { kind: 'any' } : this.#field(particle);
		}
	}

	#field(particle: Particle): SchemaField {
		const { min, max, alternative } = particle;
		const row = this.#row(particle);
		if (max <= 1) {
			return {
				...row,
				...(min > 0 && { required: true }),
				...(alternative && { alternative }),
			};
		}
		const { description, ...of } = row;
		return {
			kind: 'repeated',
			of,
			...rowsOf(particle),
			...(description !== undefined && { description }),
			...(min > 0 && { required: true }),
			...(alternative && { alternative }),
		};
	}

	/** Returns one occurrence of an element. */
	#row({ element, place, namespace, isSubstituted }: Particle): SchemaValue & Occurrence {
		const value = isSubstituted
			? unsupported(new Unsupported('a substitution group'))
			: this.#valueOf(element);
		const fixed = isScalar(value) ? fixedValue(place, element.node) : undefined;
		return {
			...(fixed ?? value),
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
