/**
 * Types of XML Schema as kinds of fields. What the XML serializer of .NET writes has a kind: sequences,
 * lists, extensions, enumerations, nillable elements and the built-in types. Any other type is JSON.
 */
import {
	type Field,
	onceFor,
	type RecordContent,
	type ScalarField,
	sizeOf,
} from '../../contract/fields';
import { LIMITS } from '../../contract/limits';
import { truncate } from '../../errors/words';
import {
	allText,
	childrenOf,
	isXmlName,
	type QName,
	qualifiedName,
	WSDL,
	type XmlElement,
	XmlError,
	XSD,
} from '../xml';

/** A type that has no kind of field, named by a noun phrase. */
class Unsupported extends Error {
	override readonly name = 'Unsupported';
	/** A description may have tens of thousands of these, each with a stack trace. */
	override readonly stack = '';
}

/** Returns what is read, or why it is not supported. */
function attempt<T>(read: () => T): T | Unsupported {
	let reason: unknown;
	try {
		return read();
	} catch (error) {
		reason = error;
	}
	if (reason instanceof Unsupported) return reason;
	if (reason instanceof XmlError) return new Unsupported(reason.found);
	throw reason;
}

/** Returns what a description says about an element of it: `wsdl:documentation` or `xs:documentation`. */
export const documentationOf = onceFor((node: XmlElement): string | undefined => {
	const { namespace } = node;
	const around = namespace === WSDL ? [node] : childrenOf(node, XSD, 'annotation');
	const all = allText(...around.flatMap((inner) => childrenOf(inner, namespace, 'documentation')));
	const text = all.replace(/\s+/g, ' ').trim();
	return text === '' ? undefined : truncate(text, namespace === WSDL ? 5000 : 200);
});

/** A definition, or anything within one, and the `xs:schema` around it. */
interface Component {
	readonly node: XmlElement;
	readonly schema: XmlElement;
}

/** Elements and types may have the same names. */
type Space = 'element' | 'type';

const definitionKey = (space: Space, { namespace, local }: QName) =>
	JSON.stringify([space, namespace, local]);

const STRINGS =
	'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI duration ' +
	'gYear gYearMonth gMonth gMonthDay gDay hexBinary anySimpleType';
const INTEGERS =
	'integer nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger long short byte ' +
	'unsignedLong unsignedInt unsignedShort unsignedByte';
const OTHERS = ['int', 'decimal', 'boolean', 'dateTime', 'date', 'time', 'base64Binary'] as const;

const BUILT_IN: ReadonlyMap<string, ScalarField> = new Map<string, ScalarField>([
	...STRINGS.split(' ').map((name) => [name, { kind: 'string' }] as const),
	...INTEGERS.split(' ').map((name) => [name, { kind: 'integer' }] as const),
	...['float', 'double'].map((name) => [name, { kind: 'float' }] as const),
	...OTHERS.map((kind) => [kind, { kind }] as const),
]);

/** Why parts of types have no kind of field. A prefix in a value would not be bound where the value is sent. */
const UNSUPPORTED: ReadonlyArray<readonly [parts: RegExp, reason: string]> = [
	[/^(?:anyAttribute|attribute|attributeGroup|simpleContent)$/, 'attributes'],
	[/^(?:ENTITIES|IDREFS|NMTOKENS|list)$/, 'a list of values in a text'],
	[/^choice$/, 'a choice of elements'],
	[/^any$/, 'elements of any name'],
	[/^all$/, 'elements in any order'],
	[/^(?:group|sequence)$/, 'a group within a group'],
	[/^anyType$/, 'a value of any type'],
	[/^QName$/, 'a name with a prefix'],
	[/^restriction$/, 'a restriction of another type'],
	[/^union$/, 'a union of types'],
];

function refuse(part: string): never {
	const [, reason = `an undefined type (${truncate(part)})`] =
		UNSUPPORTED.find(([parts]) => parts.test(part)) ?? [];
	throw new Unsupported(reason);
}

/** Resolves a name in an attribute; `undefined` if it is absent. @throws {XmlError} as `qualifiedName` */
function referenceOf(node: XmlElement, attribute: string): QName | undefined {
	const text = node.attributes.get(attribute);
	return text === undefined ? undefined : qualifiedName(node, text);
}

/** Whether an attribute of the schema language is set. */
function isTrue(node: XmlElement | undefined, attribute: string): boolean {
	return /^\s*(?:true|1)\s*$/.test(node?.attributes.get(attribute) ?? '');
}

/** Returns what a definition defines. */
export function nameOf(node: XmlElement | undefined): string {
	return node?.attributes.get('name')?.trim() ?? '';
}

/** Returns the elements of XML Schema in a definition. */
function partsOf(node: XmlElement): readonly XmlElement[] {
	return node.children.filter(({ namespace, name }) => namespace === XSD && name !== 'annotation');
}

/** How often an element or a sequence occurs. */
function occurrencesOf({ attributes }: XmlElement): { min: number; max: number } {
	const count = (name: string): number =>
		Number((attributes.get(name) ?? '1').replace('unbounded', 'Infinity'));
	return { min: count('minOccurs'), max: count('maxOccurs') };
}

/** Reads types of XML Schema as field kinds; each one once, so that a recursive type is one object. */
export class Types {
	readonly #definitions = new Map<string, Component>();
	/** Fields whose types are not read yet: types may be nested without end. */
	readonly #unfinished: Array<readonly [field: Field, element: Component]> = [];
	/** Fields of base types may be copied very often. */
	#copies = 0;
	#level = 0;

	/** @param service the namespace of its global elements, and of fields that name none */
	constructor(
		schemas: readonly XmlElement[],
		private readonly service: string,
	) {
		for (const schema of schemas) {
			const namespace = schema.attributes.get('targetNamespace') ?? '';
			for (const node of childrenOf(schema, XSD, 'element', 'simpleType', 'complexType')) {
				const space = node.name === 'element' ? 'element' : 'type';
				const key = definitionKey(space, { namespace, local: nameOf(node) });
				if (!this.#definitions.has(key)) this.#definitions.set(key, { node, schema });
			}
		}
	}

	/** Returns what is wrong with global elements of the service, as a noun phrase; `undefined` if they all exist. */
	lacking(locals: readonly string[]): string | undefined {
		const found = attempt(() => {
			for (const local of locals) {
				this.#find('element', { namespace: this.service, local });
			}
		});
		return found instanceof Unsupported ? found.message : undefined;
	}

	/** Returns what is inside a global element of the service; what it has, as a noun phrase, if it is no sequence of elements. */
	wrapped(local: string): RecordContent | string {
		const content = attempt(() => {
			const { node, schema } = this.#find('element', { namespace: this.service, local });
			const reference = referenceOf(node, 'type');
			const [inner] = childrenOf(node, XSD, 'complexType');
			const named = reference && reference.namespace !== XSD && this.#find('type', reference);
			const type = named || (inner && { node: inner, schema });
			if (type?.node.name !== 'complexType') {
				throw new Unsupported('content other than a sequence of elements');
			}
			return this.#contentOf(type);
		});
		for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) {
			const [field, element] = next;
			const value = attempt(() => this.#valueOf(element));
			const isUnsupported = value instanceof Unsupported;
			Object.assign(field, isUnsupported ? { kind: 'any', unsupported: value.message } : value);
		}
		return content instanceof Unsupported ? content.message : content;
	}

	#find(space: Space, name: QName): Component {
		const found = this.#definitions.get(definitionKey(space, name));
		if (found !== undefined) return found;
		throw new Unsupported(`an undefined ${space} (${truncate(name.local)})`);
	}

	/** Returns a function that reads each definition once, even if that fails, and ends at one that is made of itself. */
	#once<T>(read: (definition: Component) => T): (definition: Component) => T {
		const known = new Map<XmlElement, T | Unsupported>();
		return (definition) => {
			let found = known.get(definition.node);
			if (found === undefined) {
				if (this.#level >= LIMITS.depth) {
					throw new Unsupported(`a type of over ${LIMITS.depth} levels, or of itself`);
				}
				this.#level += 1;
				found = attempt(() => read(definition));
				this.#level -= 1;
				known.set(definition.node, found);
			}
			if (found instanceof Unsupported) throw found;
			return found;
		};
	}

	/** Returns the value of an element. */
	readonly #valueOf = this.#once(({ node, schema }: Component): Field => {
		if (isTrue(node, 'abstract') || node.attributes.has('substitutionGroup')) {
			throw new Unsupported('a substitution group');
		}
		const [inner] = childrenOf(node, XSD, 'complexType', 'simpleType');
		if (inner !== undefined) return this.#typeOf({ node: inner, schema });
		return this.#typeNamed(referenceOf(node, 'type') ?? { namespace: XSD, local: 'anyType' });
	});

	#typeNamed(name: QName): Field {
		if (name.namespace === XSD) return BUILT_IN.get(name.local) ?? refuse(name.local);
		return this.#typeOf(this.#find('type', name));
	}

	#scalarNamed(name: QName): ScalarField {
		const field = this.#typeNamed(name);
		if (field.kind !== 'record' && field.kind !== 'list') return field as ScalarField;
		throw new Unsupported('a complex type in place of a simple one');
	}

	readonly #typeOf = this.#once((type: Component): Field => {
		const { node, schema } = type;
		if (node.name === 'simpleType') {
			const [definition] = partsOf(node);
			if (definition?.name !== 'restriction') refuse(definition?.name ?? '');
			const [inner] = childrenOf(definition, XSD, 'simpleType');
			const base = referenceOf(definition, 'base') ?? { namespace: XSD, local: 'string' };
			const field = inner ? this.#typeOf({ node: inner, schema }) : this.#scalarNamed(base);
			// Facets other than enumerations are left to the service.
			const values = childrenOf(definition, XSD, 'enumeration').flatMap(
				({ attributes }) => attributes.get('value') ?? [],
			);
			return values.length > 0 ? { kind: 'enumeration', values: [...new Set(values)] } : field;
		}
		if (isTrue(node, 'abstract')) throw new Unsupported('an abstract type');
		const [simple] = childrenOf(node, XSD, 'simpleContent');
		if (simple !== undefined) {
			const [extension] = partsOf(simple);
			const base = extension && referenceOf(extension, 'base');
			// An extension without attributes is the same text.
			if (extension?.name !== 'extension' || !base) refuse('restriction');
			return partsOf(extension).length > 0 ? refuse('simpleContent') : this.#scalarNamed(base);
		}
		const fields = this.#fieldsOf(type);
		const [[row = '', field] = [], other] = Object.entries(fields);
		// An extension of a list is a record.
		const isExtension = childrenOf(node, XSD, 'complexContent').length > 0;
		if (field?.kind === 'repeated' && other === undefined && !isExtension) {
			return { kind: 'list', row, of: field.of };
		}
		return { kind: 'record', type: nameOf(node), fields };
	});

	/** A form is made once of each content. */
	readonly #contentOf = this.#once((type: Component): RecordContent => {
		return { fields: this.#fieldsOf(type) };
	});

	/** Returns the fields of a complex type, with those of the type that it extends. */
	readonly #fieldsOf = this.#once(({ node, schema }: Component): Record<string, Field> => {
		if (childrenOf(node, XSD, 'simpleContent').length > 0) refuse('simpleContent');
		const [content] = childrenOf(node, XSD, 'complexContent');
		if (isTrue(node, 'mixed') || isTrue(content, 'mixed')) {
			throw new Unsupported('a text between elements');
		}
		const [derivation] = content ? childrenOf(content, XSD, 'extension', 'restriction') : [];
		if (derivation?.name === 'restriction') refuse('restriction');
		const fields: Record<string, Field> = {};
		const base = derivation && referenceOf(derivation, 'base');
		if (base !== undefined && (base.namespace !== XSD || base.local !== 'anyType')) {
			const type = this.#find('type', base);
			if (type.node.name !== 'complexType') refuse('simpleContent');
			const inherited = this.#fieldsOf(type);
			this.#copies += sizeOf(inherited);
			if (this.#copies > LIMITS.descriptionElements) {
				throw new Unsupported('a type, as there are too many');
			}
			Object.assign(fields, inherited);
		}
		for (const part of partsOf(derivation ?? node)) {
			if (part.name !== 'sequence') refuse(part.name);
			const { min, max } = occurrencesOf(part);
			if (min !== 1 || max !== 1) throw new Unsupported('an optional or repeated group');
			for (const inner of partsOf(part)) {
				if (inner.name !== 'element') refuse(inner.name);
				this.#addElement(fields, { node: inner, schema });
			}
		}
		return fields;
	});

	#addElement(fields: Record<string, Field>, { node, schema }: Component): void {
		const { min, max } = occurrencesOf(node);
		const reference = referenceOf(node, 'ref');
		const element = reference ? this.#find('element', reference) : { node, schema };
		const name = nameOf(element.node);
		if (!isXmlName(name)) throw new Unsupported(`the element name "${truncate(name)}"`);
		if (Object.hasOwn(fields, name)) {
			throw new Unsupported(`two elements named "${truncate(name)}"`);
		}
		if (max === 0) return;
		const form = node.attributes.get('form') ?? schema.attributes.get('elementFormDefault');
		const own = form === 'qualified' ? (schema.attributes.get('targetNamespace') ?? '') : '';
		const namespace = reference?.namespace ?? own;
		// Its kind is added later.
		const field = {
			...(namespace !== this.service && { namespace }),
			...(isTrue(element.node, 'nillable') && { nillable: true }),
		} as Field;
		this.#unfinished.push([field, element]);
		const description = documentationOf(node) ?? documentationOf(element.node);
		const value: Field = max > 1 ? { kind: 'repeated', of: field } : field;
		fields[name] = Object.assign(value, {
			...(description !== undefined && { description: description.replace(/(?<!\.)\.$/, '') }),
			...(min > 0 && { required: true }),
		});
	}
}
