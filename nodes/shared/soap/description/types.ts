import {
	ATTRIBUTE,
	isScalar,
	TEXT,
	WILDCARD,
	type Alternative,
	type Occurrence,
	type SchemaField,
	type SchemaFields,
	type SchemaRecord,
	type SchemaScalar,
	type SchemaValue,
} from '../../contract/schemaFields';
import { isXmlName } from '../../contract/xmlRules';
import { truncate } from '../../errors/words';
import { safeName } from '../namespaces';
import { XmlError, type QName, type XmlElement } from '../xml';
import { childrenOf, documentationOf, XSD } from './documents';
import { builtInType, restrictedType } from './scalarTypes';
import {
	derivationOf,
	isTrue,
	referenceOf,
	type Component,
	type Definition,
	type Schemas,
	type Space,
} from './schemas';

const SOAP_ENCODING = 'http://schemas.xmlsoap.org/soap/encoding/';
const DIFFGRAM = 'urn:schemas-microsoft-com:xml-diffgram-v1';
const XML = 'http://www.w3.org/XML/1998/namespace';

const DATA_SET = 'a .NET DataSet';

/** Levels of extension, of groups, and of simple types. */
const MAX_LEVELS = 64;

/** Parts of types that are read for one element, and of a whole description: bounds of the memory. */
const MAX_PARTS = 100_000;
const MAX_ALL_PARTS = 500_000;

const MAX_DESCRIPTION = 200;

/** A type that has no kind of field, named by a noun phrase. */
export class Unsupported extends Error {
	override readonly name = 'Unsupported';
}

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

/** An element of a type's content, or the place of any element. */
interface Particle {
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
interface Content {
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

/** Returns the reason why something is not supported. */
export function reasonOf(error: unknown): string {
	if (error instanceof Unsupported) return error.message;
	if (error instanceof XmlError) return error.found;
	throw error;
}

function unsupported(error: unknown): SchemaValue & Occurrence {
	return { kind: 'any', unsupported: reasonOf(error) };
}

function nextLevel(level: number): number {
	if (level >= MAX_LEVELS) {
		throw new Unsupported(`a type of over ${MAX_LEVELS} levels, or of itself`);
	}
	return level + 1;
}

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

/** Values by their component: a node may be read for several namespaces. */
class ComponentMap<T> {
	readonly #byNode = new Map<XmlElement, Map<string, T>>();

	get({ node, schema }: Component): T | undefined {
		return this.#byNode.get(node)?.get(schema.namespace);
	}

	/** Returns the value. */
	set<V extends T>({ node, schema }: Component, value: V): V {
		const values = this.#byNode.get(node) ?? new Map<string, T>();
		this.#byNode.set(node, values.set(schema.namespace, value));
		return value;
	}
}

/** Reads types of XML Schema as field kinds; each one once, so that a recursive type is one object. */
export class Types {
	readonly #values = new ComponentMap<SchemaValue & Occurrence>();
	readonly #contents = new ComponentMap<Content>();
	/** Records and lists whose fields are not read yet: types may be nested without end. */
	readonly #unfinished: Array<() => void> = [];
	/** How many parts can still be read, and what must remain of that after the current element. */
	#parts = MAX_ALL_PARTS;
	#reserve = 0;

	/** @param namespace of fields that name none */
	constructor(
		private readonly schemas: Schemas,
		private readonly namespace: string,
	) {}

	/**
	 * Returns what is inside a global element that wraps the values of a call.
	 *
	 * @throws {Unsupported} if it is not a sequence of elements
	 */
	wrapped(name: QName): SchemaFields {
		this.#begin();
		const element = this.#definition('element', name);
		const type = this.#typeOf(element);
		if (type?.node.name !== 'complexType') {
			throw new Unsupported('content other than a sequence of elements');
		}
		const content = this.#contentOf(type, 0);
		if (content.text !== undefined || content.attributes.size > 0) {
			throw new Unsupported('attributes');
		}
		const fields = {};
		this.#fill(fields, content);
		this.#finish();
		return fields;
	}

	/** Returns the value of a global element. */
	ofElement(element: Definition): SchemaValue & Occurrence {
		this.#begin();
		const value = this.#valueOf(element);
		this.#finish();
		return value;
	}

	#begin(): void {
		this.#reserve = Math.max(0, this.#parts - MAX_PARTS);
	}

	#finish(): void {
		for (let next = this.#unfinished.pop(); next; next = this.#unfinished.pop()) next();
	}

	/** Counts parts of types, so that a small description cannot become large by references. */
	#count(parts: number): void {
		this.#parts -= parts;
		if (this.#parts < this.#reserve) throw new Unsupported('a type, as there are too many');
	}

	#definition(space: Space, name: QName): Definition {
		const found = this.schemas.find(space, name);
		if (found === undefined) {
			throw new Unsupported(`an undefined ${space} (${truncate(name.local)})`);
		}
		if (found.isRedefined) throw new Unsupported('a redefined type');
		return found;
	}

	/** Returns the type of an element or attribute of which the description defines the type. */
	#typeOf(component: Component): Component | undefined {
		const name = referenceOf(component, 'type');
		if (name !== undefined) {
			return name.namespace === XSD || name.namespace === SOAP_ENCODING
				? undefined
				: this.#definition('type', name);
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
					: this.#builtIn(name);
			}
			const head = referenceOf(element, 'substitutionGroup');
			if (head === undefined) return { kind: 'any' };
			return this.#valueOf(this.#definition('element', head), level);
		} catch (error) {
			return unsupported(error);
		}
	}

	#builtIn({ namespace, local }: QName): SchemaScalar {
		if (namespace === SOAP_ENCODING && local === 'Array') {
			throw new Unsupported('a SOAP-encoded array');
		}
		const type = builtInType(local);
		if (type === undefined) throw new Unsupported(`an undefined type (${truncate(local)})`);
		return type;
	}

	#valueOfType(type: Component): SchemaValue & Occurrence {
		const known = this.#values.get(type);
		if (known !== undefined) return known;
		try {
			return type.node.name === 'simpleType' ? this.#simpleType(type, 0) : this.#complexType(type);
		} catch (error) {
			return this.#values.set(type, unsupported(error));
		}
	}

	/** Returns a simple type by its name. */
	#scalarNamed(
		component: Component,
		attribute: string,
		level: number,
		text?: string,
	): SchemaScalar {
		const name = referenceOf(
			component,
			attribute,
			text ?? component.node.attributes.get(attribute),
		);
		if (name === undefined) return { kind: 'string' };
		if (name.namespace === XSD || name.namespace === SOAP_ENCODING) return this.#builtIn(name);
		const type = this.#definition('type', name);
		return type.node.name === 'simpleType'
			? this.#simpleType(type, level)
			: (this.#contentOf(type, level).text ?? { kind: 'string' });
	}

	#simpleType(type: Component, outer: number): SchemaScalar {
		const known = this.#values.get(type);
		if (known !== undefined && isScalar(known)) return known;
		return this.#values.set(type, this.#definedSimpleType(type, nextLevel(outer)));
	}

	#definedSimpleType({ node, schema }: Component, level: number): SchemaScalar {
		this.#count(1);
		const [definition] = childrenOf(node, XSD, 'restriction', 'list', 'union');
		if (definition === undefined) return { kind: 'string' };
		const component = { node: definition, schema };
		const inner = childrenOf(definition, XSD, 'simpleType').map((type) =>
			this.#simpleType({ node: type, schema }, level),
		);
		if (definition.name === 'restriction') {
			const base = inner[0] ?? this.#scalarNamed(component, 'base', level);
			const restricted = restrictedType(base, definition);
			if (restricted.kind === 'enumeration') this.#count(definition.children.length);
			return restricted;
		}
		if (definition.name === 'list') {
			const of = inner[0] ?? this.#scalarNamed(component, 'itemType', level);
			return { kind: 'tokens', of };
		}
		const names = definition.attributes.get('memberTypes')?.trim().split(/\s+/) ?? [];
		const members = [
			...names.map((name) => this.#scalarNamed(component, 'memberTypes', level, name)),
			...inner,
		];
		const values = members.flatMap((member) =>
			member.kind === 'enumeration' ? member.values : [],
		);
		this.#count(values.length);
		const isEnumeration = members.every(({ kind }) => kind === 'enumeration');
		return isEnumeration
			? { kind: 'enumeration', values: [...new Set(values)] }
			: { kind: 'string' };
	}

	#complexType(type: Component): SchemaValue & Occurrence {
		const { node, schema } = type;
		const content = this.#contentOf(type, 0);
		const isAbstract = isTrue(node, 'abstract');
		const name = node.attributes.get('name')?.trim() ?? '';
		const definition = this.schemas.find('type', { namespace: schema.namespace, local: name });
		const descendants = definition?.node === node ? this.schemas.derivedFrom(definition) : [];
		this.#count(descendants.length);

		if (descendants.length === 0 && !isAbstract) {
			if (content.text !== undefined && content.attributes.size === 0) {
				return this.#values.set(type, content.text);
			}
			const list = derivationOf(node) === undefined ? this.#list(content) : undefined;
			if (list !== undefined) return this.#values.set(type, list);
		}
		const derived: SchemaRecord[] = [];
		const record: SchemaRecord = {
			kind: 'record',
			type: name,
			...(name !== '' &&
				schema.namespace !== this.namespace && { typeNamespace: schema.namespace }),
			fields: {},
			...(isAbstract && { isAbstract }),
			...(descendants.length > 0 && { derived }),
		};
		this.#values.set(type, record);
		for (const descendant of descendants) {
			const value = this.#valueOfType(descendant);
			if (value.kind === 'record' && value.isAbstract !== true) derived.push(value);
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

	/** Returns the content of a complex type, with that of its base. */
	#contentOf(type: Component, outer: number): Content {
		const { node, schema } = type;
		const known = this.#contents.get(type);
		if (known !== undefined) return known;
		const level = nextLevel(outer);
		this.#count(1);
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
				const base =
					inner === undefined ? content.text : this.#simpleType({ node: inner, schema }, level);
				content.text = restrictedType(base, own);
			}
		}
		this.#addAttributes(content, { node: own, schema }, level);
		this.#addGroups(
			content,
			{ node: own, schema },
			{
				isOptional: false,
				max: 1,
				alternative: undefined,
				branches: undefined,
				level,
			},
		);
		return this.#contents.set(type, content);
	}

	/** Returns a copy of the content of the type that a type is derived from. */
	#baseContent(derivation: XmlElement, { schema }: Component, level: number): Content {
		const component = { node: derivation, schema };
		const base = referenceOf(component, 'base');
		if (base === undefined || (base.namespace === XSD && base.local === 'anyType')) {
			return emptyContent();
		}
		if (base.namespace !== XSD && base.namespace !== SOAP_ENCODING) {
			const type = this.#definition('type', base);
			if (type.node.name === 'complexType') {
				const { text, attributes, elements, choices } = this.#contentOf(type, level);
				this.#count(attributes.size + elements.size);
				return { text, attributes: new Map(attributes), elements: new Map(elements), choices };
			}
		}
		return { ...emptyContent(), text: this.#scalarNamed(component, 'base', level) };
	}

	#addAttributes(content: Content, { node, schema }: Component, outer: number): void {
		const level = nextLevel(outer);
		for (const child of childrenOf(node, XSD, 'attribute', 'attributeGroup')) {
			this.#count(1);
			const component = { node: child, schema };
			const name = referenceOf(component, 'ref');
			if (child.name === 'attribute') {
				this.#addAttribute(content.attributes, component, name);
			} else if (name !== undefined) {
				this.#addAttributes(content, this.#definition('attributeGroup', name), level);
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
			const isForeign = namespace === XML || namespace === SOAP_ENCODING;
			const definition =
				reference === undefined || isForeign ? place : this.#definition('attribute', reference);
			const [inner] = childrenOf(definition.node, XSD, 'simpleType');
			value =
				inner === undefined
					? this.#scalarNamed(definition, 'type', 0)
					: this.#simpleType({ node: inner, schema: definition.schema }, 0);
			value = fixedValue(node, definition.node) ?? value;
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
		this.#count(1);
		if (max === 0) return;
		const inner: GroupPlace = {
			...place,
			isOptional: place.isOptional || min === 0,
			max: place.max * max,
			level,
		};
		if (node.name === 'group') {
			const name = referenceOf(group, 'ref');
			if (name !== undefined) this.#addGroups(content, this.#definition('group', name), inner);
			return;
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
					alternative: isRepeated ? undefined : alternative,
					branches: isRepeated || alternative === place.alternative ? undefined : branches,
				},
			);
			if (isRepeated) checkSingle(content, before);
		}
	}

	#addParticle(content: Content, particle: Component, place: GroupPlace): void {
		const { node, schema } = particle;
		if (node.namespace !== XSD) return;
		if (node.name === 'any') {
			this.#addWildcard(content, particle, place);
		} else if (node.name === 'element') {
			this.#addElement(content, particle, place);
		} else if (/^(?:sequence|all|choice|group)$/.test(node.name)) {
			this.#addGroup(content, { node, schema }, place);
		}
	}

	#addWildcard({ elements }: Content, element: Component, place: GroupPlace): void {
		const { node } = element;
		this.#count(1);
		if (node.attributes.get('namespace')?.trim() === DIFFGRAM) throw new Unsupported(DATA_SET);
		if (occurrences(node).max === 0 || elements.has(WILDCARD)) return;
		elements.set(WILDCARD, {
			element,
			place: node,
			namespace: this.namespace,
			min: 0,
			max: 1,
			alternative: place.alternative,
			isSubstituted: false,
		});
	}

	#addElement({ elements }: Content, component: Component, place: GroupPlace): void {
		const { node, schema } = component;
		const { min, max } = occurrences(node);
		this.#count(1);
		if (max === 0) return;
		const reference = referenceOf(component, 'ref');
		if (reference?.namespace === XSD) throw new Unsupported(DATA_SET);
		const global = reference && this.#definition('element', reference);
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
			isSubstituted: global !== undefined && this.schemas.isSubstituted(global),
		});
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

function emptyContent(): Content {
	return { text: undefined, attributes: new Map(), elements: new Map(), choices: 0 };
}

/** The bounds of a repeated element's rows. */
function rowsOf({ min, max }: Particle): { minRows?: number; maxRows?: number } {
	return { ...(min > 0 && { minRows: min }), ...(max < Infinity && { maxRows: max }) };
}

/** Checks that at most one element is added: how several alternate cannot be said in a record. */
function checkSingle({ elements }: Content, before: number): void {
	if (elements.size - before > 1) throw new Unsupported('a repeated group of elements');
}

/** Returns the only value of an element or attribute whose value is fixed. */
function fixedValue(...nodes: readonly XmlElement[]): SchemaScalar | undefined {
	const fixed = nodes.map(({ attributes }) => attributes.get('fixed')).find((text) => text);
	return fixed === undefined ? undefined : { kind: 'enumeration', values: [fixed] };
}

/** Returns what the description says about an element. */
function describedBy(...nodes: readonly XmlElement[]): { description?: string } {
	const [text] = nodes.flatMap((node) => documentationOf(node, MAX_DESCRIPTION) ?? []);
	return text === undefined ? {} : { description: text.replace(/(?<!\.)\.$/, '') };
}
