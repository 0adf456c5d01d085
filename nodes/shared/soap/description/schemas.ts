import { isXmlName } from '../../contract/xmlRules';
import { qualifiedName } from '../namespaces';
import type { QName, XmlElement } from '../xml';
import { childrenOf, importedAddress, keyOf, XSD, type DescriptionDocument } from './documents';

/** For how many namespaces a schema that has none of its own is read. */
const MAX_NAMESPACES = 20;

/** What the components of one schema have in common. */
export interface Schema {
	readonly namespace: string;
	/** Whether names without a prefix are of this schema's namespace although it binds none. */
	readonly isChameleon: boolean;
	readonly root: XmlElement;
}

/** A part of a schema: a definition, or anything within one. */
export interface Component {
	readonly node: XmlElement;
	readonly schema: Schema;
}

/** A component with a name that others refer to. */
export interface Definition extends Component {
	readonly name: string;
	/** Whether `xs:redefine` replaces it. */
	readonly isRedefined: boolean;
}

/** The symbol spaces of XML Schema: definitions of two of them may have the same name. */
export type Space = 'attribute' | 'attributeGroup' | 'element' | 'group' | 'type';

const SPACES: Readonly<Record<string, Space>> = {
	attribute: 'attribute',
	attributeGroup: 'attributeGroup',
	element: 'element',
	group: 'group',
	simpleType: 'type',
	complexType: 'type',
};

/**
 * Resolves a name in an attribute of a component.
 *
 * @returns `undefined` if there is no such attribute
 * @throws {XmlError} if its prefix is not bound
 */
export function referenceOf(
	{ node, schema }: Component,
	attribute: string,
	text = node.attributes.get(attribute),
): QName | undefined {
	if (text === undefined) return undefined;
	const name = qualifiedName(node, text);
	const isOwn = schema.isChameleon && name.namespace === '';
	return isOwn ? { ...name, namespace: schema.namespace } : name;
}

/** The definitions of all schemas of a description. */
export class Schemas {
	readonly #definitions: Readonly<Record<Space, Map<string, Definition>>> = {
		attribute: new Map(),
		attributeGroup: new Map(),
		element: new Map(),
		group: new Map(),
		type: new Map(),
	};
	readonly #documents: ReadonlyMap<string, XmlElement>;
	/** The namespaces that each root was read for. */
	readonly #read = new Map<XmlElement, Set<string>>();
	#derived: ReadonlyMap<string, readonly Definition[]> | undefined;
	#substituted: ReadonlySet<string> | undefined;

	constructor(documents: readonly DescriptionDocument[]) {
		this.#documents = new Map(documents.map(({ address, root }) => [address, root]));
		for (const { address, root, schemas } of documents) {
			// What includes a schema without a namespace of its own gives it one.
			if (root.namespace === XSD && !root.attributes.has('targetNamespace')) continue;
			for (const schema of schemas()) this.#add(schema, address);
		}
	}

	find(space: Space, name: QName): Definition | undefined {
		return this.#definitions[space].get(keyOf(name));
	}

	/** All global elements. */
	elements(): Iterable<Definition> {
		return this.#definitions.element.values();
	}

	/** The types that extend or restrict a type, also by way of others. */
	derivedFrom(type: Definition): readonly Definition[] {
		this.#derived ??= this.#findDerived();
		const found = new Set<Definition>([type]);
		for (const { name, schema } of found) {
			const key = keyOf({ namespace: schema.namespace, local: name });
			for (const derived of this.#derived.get(key) ?? []) found.add(derived);
		}
		return [...found].slice(1);
	}

	/** Whether other elements can take the place of a global element. */
	isSubstituted({ name, schema, node }: Definition): boolean {
		this.#substituted ??= new Set(
			[...this.elements()].flatMap((element) => {
				const head = referenceIfBound(element, 'substitutionGroup');
				return head === undefined ? [] : keyOf(head);
			}),
		);
		return (
			isTrue(node, 'abstract') ||
			this.#substituted.has(keyOf({ namespace: schema.namespace, local: name }))
		);
	}

	/** @param outer the schema that includes this one */
	#add(root: XmlElement, address: string, outer?: Schema): void {
		const own = root.attributes.get('targetNamespace');
		const namespace = own ?? outer?.namespace ?? '';
		const before = this.#read.get(root);
		if (before?.has(namespace) || before?.size === MAX_NAMESPACES) return;
		this.#read.set(root, (before ?? new Set()).add(namespace));

		const isChameleon = own === undefined && namespace !== '';
		const schema: Schema = { namespace, isChameleon, root };
		for (const redefine of childrenOf(root, XSD, 'redefine')) {
			this.#define(redefine.children, schema, true);
		}
		this.#define(root.children, schema, false);
		for (const node of childrenOf(root, XSD, 'import', 'include', 'redefine')) {
			const target = importedAddress(node, address);
			const found = target === undefined ? undefined : this.#documents.get(target);
			if (target === undefined || found?.namespace !== XSD) continue;
			this.#add(found, target, node.name === 'import' ? undefined : schema);
		}
	}

	/** The first definition of a name counts. */
	#define(nodes: readonly XmlElement[], schema: Schema, isRedefined: boolean): void {
		for (const node of nodes) {
			const name = node.attributes.get('name')?.trim();
			const space = Object.hasOwn(SPACES, node.name) ? SPACES[node.name] : undefined;
			if (node.namespace !== XSD || space === undefined) continue;
			if (name === undefined || !isXmlName(name)) continue;
			const key = keyOf({ namespace: schema.namespace, local: name });
			const definitions = this.#definitions[space];
			if (!definitions.has(key)) definitions.set(key, { name, node, schema, isRedefined });
		}
	}

	#findDerived(): ReadonlyMap<string, readonly Definition[]> {
		const byBase = new Map<string, Definition[]>();
		for (const type of this.#definitions.type.values()) {
			const derivation = derivationOf(type.node);
			if (derivation === undefined) continue;
			const base = referenceIfBound({ node: derivation.node, schema: type.schema }, 'base');
			if (base === undefined || base.namespace === XSD) continue;
			const key = keyOf(base);
			const types = byBase.get(key);
			if (types === undefined) byBase.set(key, [type]);
			else types.push(type);
		}
		return byBase;
	}
}

function referenceIfBound(component: Component, attribute: string): QName | undefined {
	try {
		return referenceOf(component, attribute);
	} catch {
		// Whatever uses the component reports it.
		return undefined;
	}
}

/** Whether an attribute of the schema language is set. */
export function isTrue(node: XmlElement, attribute: string): boolean {
	return /^\s*(?:true|1)\s*$/.test(node.attributes.get(attribute) ?? '');
}

/** How a complex type is derived from another type. */
export interface Derivation {
	/** `xs:extension` or `xs:restriction`. */
	readonly node: XmlElement;
	readonly isSimple: boolean;
	readonly isMixed: boolean;
}

/** Returns how a complex type is derived; `undefined` if it is defined by itself. */
export function derivationOf(type: XmlElement): Derivation | undefined {
	const [content] = childrenOf(type, XSD, 'complexContent', 'simpleContent');
	const [node] = content === undefined ? [] : childrenOf(content, XSD, 'extension', 'restriction');
	if (content === undefined || node === undefined) return undefined;
	return { node, isSimple: content.name === 'simpleContent', isMixed: isTrue(content, 'mixed') };
}
