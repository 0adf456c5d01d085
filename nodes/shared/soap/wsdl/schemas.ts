import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName } from '../namespaces';
import { childrenOf, XmlError, type QName, type XmlElement } from '../xml';
import { Definitions, schemasOf, type WsdlDocument } from './documents';

/** Levels of types that are made of each other. */
const MAX_LEVELS = 64;

/** Fields and derived types of one description: a bound of the memory. */
const MAX_PARTS = 100_000;

/** A type that has no kind of field, named by a noun phrase. */
export class Unsupported extends Error {
	override readonly name = 'Unsupported';
	/** A description may have tens of thousands of these, each with a stack trace. */
	override readonly stack = '';
}

/** Returns the reason why something is not supported. */
export function reasonOf(error: unknown): string {
	if (error instanceof Unsupported) return error.message;
	if (error instanceof XmlError) return error.found;
	throw error;
}

/** Returns what is read, or why it is not supported. */
export function attempt<T>(read: () => T): T | Unsupported {
	try {
		return read();
	} catch (error) {
		return error instanceof Unsupported ? error : new Unsupported(reasonOf(error));
	}
}

/** @throws {Unsupported} if that is what {@link attempt} found */
export function supported<T>(found: T | Unsupported): T {
	if (found instanceof Unsupported) throw found;
	return found;
}

/** A definition, or anything within one. */
export interface Component {
	readonly node: XmlElement;
	/** The `xs:schema` around it. */
	readonly schema: XmlElement;
}

/** The symbol spaces of XML Schema: definitions of two of them may have the same name. */
type Space = 'attribute' | 'element' | 'type';

const SPACES: Readonly<Record<string, Space>> = {
	attribute: 'attribute',
	element: 'element',
	simpleType: 'type',
	complexType: 'type',
};

/**
 * Resolves a name in an attribute.
 *
 * @returns `undefined` if there is no such attribute
 * @throws {XmlError} if its prefix is not bound
 */
export function referenceOf(node: XmlElement, attribute: string): QName | undefined {
	const text = node.attributes.get(attribute);
	return text === undefined ? undefined : qualifiedName(node, text);
}

/** Returns the name of a definition; its local part is empty for an anonymous type. */
export function nameOf({ node, schema }: Component): QName {
	const namespace = schema.attributes.get('targetNamespace') ?? '';
	return { namespace, local: node.attributes.get('name')?.trim() ?? '' };
}

/** Whether an attribute of the schema language is set. */
export function isTrue(node: XmlElement, attribute: string): boolean {
	return /^\s*(?:true|1)\s*$/.test(node.attributes.get(attribute) ?? '');
}

/** Returns the `xs:extension` or `xs:restriction` of a complex type; `undefined` if it has none. */
export function derivationOf(type: XmlElement): XmlElement | undefined {
	const [content] = childrenOf(type, XSD, 'complexContent', 'simpleContent');
	return content && childrenOf(content, XSD, 'extension', 'restriction')[0];
}

/** The definitions of all schemas of a description. */
export class Schemas {
	readonly #definitions = {
		attribute: new Definitions<Component>(),
		element: new Definitions<Component>(),
		type: new Definitions<Component>(),
	} satisfies Record<Space, unknown>;
	#derived: ReadonlyMap<XmlElement, readonly Component[]> | undefined;
	#partsLeft = MAX_PARTS;
	#level = 0;

	constructor(documents: readonly WsdlDocument[]) {
		for (const schema of documents.flatMap(({ root }) => schemasOf(root))) {
			for (const node of childrenOf(schema, XSD, ...Object.keys(SPACES))) {
				const space = SPACES[node.name];
				const name = nameOf({ node, schema });
				if (space === undefined || !isXmlName(name.local)) continue;
				this.#definitions[space].add(name, { node, schema });
			}
		}
	}

	/** @throws {Unsupported} if there is no such definition */
	find(space: Space, name: QName): Component {
		const found = this.#definitions[space].get(name);
		if (found !== undefined) return found;
		throw new Unsupported(`an undefined ${space} (${truncate(name.local)})`);
	}

	/** Returns the types that extend or restrict a type, without those derived from them. */
	derivedFrom(type: Component): readonly Component[] {
		this.#derived ??= this.#findDerived();
		return this.#derived.get(type.node) ?? [];
	}

	/**
	 * Charges parts of types before they are made, so that a small description cannot become large by
	 * references.
	 *
	 * @throws {Unsupported} if there are too many
	 */
	charge(parts: number): void {
		if (parts > this.#partsLeft) throw new Unsupported('a type, as there are too many');
		this.#partsLeft -= parts;
	}

	/**
	 * Returns a function that reads definitions, each one once, even if that fails. It reads a bounded
	 * number of them within each other, so that a type that is made of itself ends.
	 */
	once<T>(read: (definition: Component) => T): (definition: Component) => T {
		const known = new Map<XmlElement, T | Unsupported>();
		return (definition) => {
			const earlier = known.get(definition.node);
			if (earlier !== undefined) return supported(earlier);
			if (this.#level >= MAX_LEVELS) {
				throw new Unsupported(`a type of over ${MAX_LEVELS} levels, or of itself`);
			}
			this.#level += 1;
			const found = attempt(() => read(definition));
			this.#level -= 1;
			known.set(definition.node, found);
			return supported(found);
		};
	}

	#findDerived(): ReadonlyMap<XmlElement, readonly Component[]> {
		const byBase = new Map<XmlElement, Component[]>();
		for (const type of this.#definitions.type.values()) {
			const base = attempt(() => {
				const derivation = derivationOf(type.node);
				const name = derivation && referenceOf(derivation, 'base');
				return name && name.namespace !== XSD ? this.find('type', name) : undefined;
			});
			// Whatever uses a type with an unknown base reports it.
			if (base === undefined || base instanceof Unsupported) continue;
			const types = byBase.get(base.node) ?? [];
			types.push(type);
			byBase.set(base.node, types);
		}
		return byBase;
	}
}
