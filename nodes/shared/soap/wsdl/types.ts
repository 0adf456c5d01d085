import type { RecordContent, Field, RecordField } from '../../contract/fields';
import { XSD } from '../../values/untyped';
import { childrenOf, type QName } from '../xml';
import { Contents } from './content';
import {
	attempt,
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

/**
 * Returns the text or the list that a content is: a single element that repeats; `undefined` if it is
 * that of a record.
 */
function textOrList({ attributes, fields, others, text }: RecordContent): Field | undefined {
	const [[row, field] = [], another] = Object.entries(fields);
	if ((attributes ?? others ?? another) !== undefined) return undefined;
	if (row === undefined || text !== undefined) return row === undefined ? text : undefined;
	return field?.kind === 'repeated' ? { kind: 'list', row, of: field.of } : undefined;
}

/** Reads types of XML Schema as field kinds; each one once, so that a recursive type is one object. */
export class Types {
	/** Reads a complex type as a record: in place of its base, a text or a list is one, too. */
	readonly #record: (type: Component) => RecordField;
	readonly #complexType: (type: Component) => Field;
	/** Returns the value of an element. */
	readonly #value: (element: Component) => Field;
	readonly #simpleTypes: SimpleTypes;
	readonly #contents: Contents;
	/** Fields whose types are not read yet. */
	readonly #unfinished: Array<readonly [field: Field, element: Component]> = [];

	/** @param namespace of fields that name none */
	constructor(
		private readonly schemas: Schemas,
		private readonly namespace: string,
	) {
		this.#simpleTypes = new SimpleTypes(schemas);
		this.#contents = new Contents(schemas, this.#simpleTypes, namespace, (field, element) => {
			this.#unfinished.push([field, element]);
		});
		this.#record = schemas.once((type) => this.#recordOf(type));
		this.#complexType = schemas.once((type) => this.#textListOrRecord(type));
		this.#value = schemas.once((element) => this.#valueOf(element));
	}

	/**
	 * Returns what is inside a global element that wraps the values of a call.
	 *
	 * @throws {Unsupported} if it is not a sequence of elements
	 */
	wrapped(name: QName): RecordContent {
		const element = this.schemas.find('element', name);
		const type = this.#typeOf(element);
		if (type?.node.name !== 'complexType') {
			throw new Unsupported('content other than a sequence of elements');
		}
		const content = this.#contents.read(type);
		if ((content.text ?? content.attributes) !== undefined) {
			throw new Unsupported('attributes or a text');
		}
		for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) {
			const [field, unfinished] = next;
			try {
				Object.assign(field, this.#value(unfinished));
			} catch (error) {
				Object.assign(field, { kind: 'any', unsupported: reasonOf(error) });
			}
		}
		return content;
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

	#valueOf(element: Component): Field {
		const { node } = element;
		if (isTrue(node, 'abstract') || node.attributes.has('substitutionGroup')) {
			throw new Unsupported('a substitution group');
		}
		const type = this.#typeOf(element);
		if (type === undefined) {
			const name = referenceOf(node, 'type')?.local ?? 'anyType';
			return /^any(?:Simple)?Type$/.test(name)
				? { kind: 'any' }
				: this.#simpleTypes.of(element, 'type');
		}
		return type.node.name === 'simpleType' ? this.#simpleTypes.read(type) : this.#complexType(type);
	}

	#textListOrRecord(type: Component): Field {
		const record = this.#record(type);
		if (record.isAbstract === true || record.derived !== undefined) return record;
		const plain = textOrList(this.#contents.read(type));
		// An extension of a list is a record.
		return plain === undefined || (plain.kind === 'list' && derivationOf(type.node))
			? record
			: plain;
	}

	#recordOf(type: Component): RecordField {
		const { text, ...content } = this.#contents.read(type);
		const { local, namespace } = nameOf(type);
		const directlyDerived = local === '' ? [] : this.schemas.derivedFrom(type);
		const derived = directlyDerived.flatMap((one) => {
			const inner = attempt(() => this.#record(one));
			// A record of such a type cannot be sent.
			if (inner instanceof Unsupported) return [];
			const types = inner.derived ?? [];
			this.schemas.charge(1 + types.length);
			return inner.isAbstract === true ? types : [inner, ...types];
		});
		return {
			kind: 'record',
			type: local,
			...(local !== '' && namespace !== this.namespace && { typeNamespace: namespace }),
			...content,
			// An element without text has the empty text.
			...(text && { text: { ...text, ...(text.kind !== 'string' && { required: true }) } }),
			...(isTrue(type.node, 'abstract') && { isAbstract: true }),
			...(directlyDerived.length > 0 && { derived }),
		};
	}
}
