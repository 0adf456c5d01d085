/**
 * A description of a service, WSDL 1.1 with XML Schema, as operations with their types. What .NET writes has a kind of
 * field: sequences, lists, extensions, enumerations, nillable elements and built-in types. Any other type is JSON.
 */
import {
	type Field,
	onceFor,
	type RecordContent,
	type ScalarField,
	sizeOf,
} from '../../contract/fields';
import { LIMITS } from '../../contract/limits';
import type { Operation } from '../../contract/operation';
import { serviceError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { groupedBy } from '../../values/values';
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

/** Returns the `wsdl:documentation` or `xs:documentation` of an element. */
const documentationOf = onceFor((node: XmlElement): string | undefined => {
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

/** Identifies a definition: elements and types may have the same names. */
const definitionKey = (space: 'element' | 'type', { namespace, local }: QName) =>
	JSON.stringify([space, namespace, local]);

/** The built-in types, by the kind of field that they are. */
const KINDS = {
	string:
		'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI duration ' +
		'gYear gYearMonth gMonth gMonthDay gDay hexBinary anySimpleType',
	integer:
		'integer nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger long short byte ' +
		'unsignedLong unsignedInt unsignedShort unsignedByte',
	float: 'float double',
	...{ int: 'int', decimal: 'decimal', boolean: 'boolean', base64Binary: 'base64Binary' },
	...{ dateTime: 'dateTime', date: 'date', time: 'time' },
} as const;
const BUILT_IN: ReadonlyMap<string, ScalarField> = new Map(
	Object.entries(KINDS).flatMap(([kind, names]) =>
		names.split(' ').map((name) => [name, { kind: kind as keyof typeof KINDS }]),
	),
);

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

function isTrue(node: XmlElement | undefined, attribute: string): boolean {
	return /^\s*(?:true|1)\s*$/.test(node?.attributes.get(attribute) ?? '');
}

function nameOf(node: XmlElement | undefined): string {
	return node?.attributes.get('name')?.trim() ?? '';
}

function partsOf(node: XmlElement): readonly XmlElement[] {
	return node.children.filter(({ namespace, name }) => namespace === XSD && name !== 'annotation');
}

function occurrencesOf({ attributes }: XmlElement): { min: number; max: number } {
	const count = (name: string): number =>
		Number((attributes.get(name) ?? '1').replace('unbounded', 'Infinity'));
	return { min: count('minOccurs'), max: count('maxOccurs') };
}

export interface WsdlDocument {
	readonly root: XmlElement;
	readonly schemas: readonly XmlElement[];
	/** The addresses of the documents that it imports. */
	readonly imports: readonly string[];
}

interface ListedOperation extends Pick<Operation, 'name' | 'documentation' | 'canBeSilent'> {
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

/** Returns the name of an operation's input, which ASP.NET gives each overload (`MessageName`). */
function inputName(operation: XmlElement): string {
	return nameOf(childrenOf(operation, WSDL, 'input')[0]);
}

const SOAP_BINDING = /^http:\/\/schemas\.xmlsoap\.org\/wsdl\/soap(?:12)?\/$/;

/** Returns how a binding, or an operation of one, uses SOAP; `undefined` if it does not. */
function soapIn({ name, children }: XmlElement): XmlElement | undefined {
	return children.find((child) => child.name === name && SOAP_BINDING.test(child.namespace));
}

/** Identifies an operation in all parts of a description: overloads share its name. */
function keyOf(operation: XmlElement): string {
	return JSON.stringify([nameOf(operation), inputName(operation)]);
}

/** The operations of a description: elements with their names wrap the values (document/literal wrapped). */
export class Wsdl {
	readonly namespace: string;
	/** All operations, in alphabetical order; of several of one name, the first that is supported. */
	readonly operations: readonly ListedOperation[];
	readonly #byName = new Map<string, ListedOperation>();
	readonly #definitions = new Map<string, Component>();
	/** Fields whose types are not read yet: types may be nested without end. */
	readonly #unfinished: Array<readonly [field: Field, element: Component]> = [];
	/** Fields of base types may be copied very often. */
	#copies = 0;
	#level = 0;

	/** @param documents the WSDL first */
	constructor(
		private readonly service: string,
		documents: readonly WsdlDocument[],
	) {
		const roots = documents.map(({ root }) => root);
		this.namespace = roots[0]?.attributes.get('targetNamespace') ?? '';
		for (const schema of documents.flatMap(({ schemas }) => schemas)) {
			const namespace = schema.attributes.get('targetNamespace') ?? '';
			for (const node of childrenOf(schema, XSD, 'element', 'simpleType', 'complexType')) {
				const space = node.name === 'element' ? 'element' : 'type';
				const key = definitionKey(space, { namespace, local: nameOf(node) });
				if (!this.#definitions.has(key)) this.#definitions.set(key, { node, schema });
			}
		}
		const parts = (name: string) => roots.flatMap((root) => childrenOf(root, WSDL, name));
		const ported = groupedBy(
			parts('portType').flatMap((portType) => childrenOf(portType, WSDL, 'operation')),
			keyOf,
		);
		for (const binding of parts('binding')) {
			const soap = soapIn(binding);
			const bound = soap === undefined ? [] : childrenOf(binding, WSDL, 'operation');
			const byName = groupedBy(bound, nameOf);
			for (const node of bound) {
				const [own, input] = [nameOf(node), inputName(node)];
				const style = soapIn(node)?.attributes.get('style') ?? soap?.attributes.get('style');
				const isOverloaded = (byName.get(own) ?? []).length > 1;
				const ports = ported.get(keyOf(node)) ?? [node];
				const isOneWay = ports.every((port) => childrenOf(port, WSDL, 'output').length === 0);
				const documentation = ports.map(documentationOf).find((text) => text !== undefined);
				// Nothing else can be called, and n8n would evaluate a name such as `={{ $json.a }}`.
				const names = (isOverloaded && input !== '' ? [input] : [own, input]).filter(isXmlName);
				const tried = names.map((name) => {
					const lacking = attempt(() => {
						if (style === 'rpc') throw new Unsupported('the RPC style');
						// Elements of this name must wrap the values of a call and of its answer, if there is one.
						for (const local of isOneWay ? [name] : [name, `${name}Response`]) {
							this.#find('element', { namespace: this.namespace, local });
						}
					});
					const reason = lacking instanceof Unsupported ? `It has ${lacking.message}` : undefined;
					return { name, ...(reason !== undefined && { unsupported: reason }) };
				});
				const chosen = tried.find(({ unsupported }) => unsupported === undefined) ?? tried[0];
				const known = chosen && this.#byName.get(chosen.name);
				if (chosen === undefined || (known && known.unsupported === undefined)) continue;
				this.#byName.set(chosen.name, {
					...chosen,
					...(documentation !== undefined && { documentation }),
					...(isOneWay && { canBeSilent: true }),
				});
			}
		}
		const { compare } = new Intl.Collator('en');
		this.operations = [...this.#byName.values()].sort((a, b) => compare(a.name, b.name));
	}

	/** Returns an operation with its types. @throws {ServiceError} if it cannot be called with typed parameters */
	operation(name: string): Operation {
		const listed = this.#byName.get(name);
		if (listed === undefined) throw serviceError('OPERATION_UNUSABLE', { name: truncate(name) });
		const { unsupported, ...described } = listed;
		const request = this.#wrapped(name);
		if (unsupported !== undefined || request instanceof Unsupported) {
			const reason = unsupported ?? `It has ${(request as Unsupported).message}`;
			throw serviceError('OPERATION_UNUSABLE/untyped', { name: truncate(name), reason });
		}
		const answer = this.#wrapped(`${name}Response`);
		// Whatever it has is read as it is.
		const response =
			answer instanceof Unsupported ? ({ fields: {}, isOpen: true } as const) : answer;
		return { service: this.service, ...described, effect: 'write', request, response };
	}

	/** Returns what is inside a global element of the service, with all types within. */
	#wrapped(local: string): RecordContent | Unsupported {
		const content = attempt(() => {
			const { node, schema } = this.#find('element', { namespace: this.namespace, local });
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
			const [field, { node, schema }] = next;
			const value = attempt(() => {
				const [inner] = childrenOf(node, XSD, 'complexType', 'simpleType');
				if (inner !== undefined) return this.#typeOf({ node: inner, schema });
				return this.#typeNamed(referenceOf(node, 'type') ?? { namespace: XSD, local: 'anyType' });
			});
			const isUnsupported = value instanceof Unsupported;
			Object.assign(field, isUnsupported ? { kind: 'any', unsupported: value.message } : value);
		}
		return content;
	}

	#find(space: 'element' | 'type', name: QName): Component {
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

	#typeNamed(name: QName): Field {
		if (name.namespace === XSD) return BUILT_IN.get(name.local) ?? refuse(name.local);
		return this.#typeOf(this.#find('type', name));
	}

	readonly #typeOf = this.#once((type: Component): Field => {
		const { node, schema } = type;
		if (node.name === 'simpleType') {
			const [definition] = partsOf(node);
			if (definition?.name !== 'restriction') refuse(definition?.name ?? '');
			const [inner] = childrenOf(definition, XSD, 'simpleType');
			const base = referenceOf(definition, 'base') ?? { namespace: XSD, local: 'string' };
			const field = inner ? this.#typeOf({ node: inner, schema }) : this.#typeNamed(base);
			if (field.kind === 'record' || field.kind === 'list') {
				throw new Unsupported('a complex type in place of a simple one');
			}
			// Facets other than enumerations are left to the service.
			const values = childrenOf(definition, XSD, 'enumeration').flatMap(
				({ attributes }) => attributes.get('value') ?? [],
			);
			return values.length > 0 ? { kind: 'enumeration', values: [...new Set(values)] } : field;
		}
		if (isTrue(node, 'abstract')) throw new Unsupported('an abstract type');
		const { fields } = this.#contentOf(type);
		const [[row = '', field] = [], other] = Object.entries(fields);
		// An extension of a list is a record.
		const isExtension = childrenOf(node, XSD, 'complexContent').length > 0;
		if (field?.kind === 'repeated' && other === undefined && !isExtension) {
			return { kind: 'list', row, of: field.of };
		}
		return { kind: 'record', type: nameOf(node), fields };
	});

	/** Returns the fields of a complex type, with those of the type that it extends. */
	readonly #contentOf = this.#once(({ node, schema }: Component): RecordContent => {
		const [content] = childrenOf(node, XSD, 'complexContent');
		if (isTrue(node, 'mixed') || isTrue(content, 'mixed')) {
			throw new Unsupported('a text between elements');
		}
		const [derivation] = content ? childrenOf(content, XSD, 'extension', 'restriction') : [];
		if (derivation?.name === 'restriction') refuse('restriction');
		const fields: Record<string, Field> = {};
		const base = derivation && referenceOf(derivation, 'base');
		if (base !== undefined && (base.namespace !== XSD || base.local !== 'anyType')) {
			const { fields: inherited } = this.#contentOf(this.#find('type', base));
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
		return { fields };
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
			...(namespace !== this.namespace && { namespace }),
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
