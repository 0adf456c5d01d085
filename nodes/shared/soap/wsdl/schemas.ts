import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName } from '../namespaces';
import { childrenOf, XmlError, type QName, type XmlElement } from '../xml';
import { keyOf, schemasOf, type WsdlDocument } from './documents';

/** Levels of types that are made of each other. */
const MAX_LEVELS = 64;

/** Fields, derived types and enumerated values of one description: a bound of the memory. */
const MAX_PARTS = 100_000;

/** A type that has no kind of field, named by a noun phrase. */
export class Unsupported extends Error {
	override readonly name = 'Unsupported';
}

/** Returns the reason why something is not supported. */
export function reasonOf(error: unknown): string {
	if (error instanceof Unsupported) return error.message;
	if (error instanceof XmlError) return error.found;
	throw error;
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
	readonly #definitions = new Map<string, Component>();
	#derived: ReadonlyMap<string, readonly Component[]> | undefined;
	#partsLeft = MAX_PARTS;
	#level = 0;

	constructor(documents: readonly WsdlDocument[]) {
		for (const schema of documents.flatMap(({ root }) => schemasOf(root))) {
			for (const node of childrenOf(schema, XSD, ...Object.keys(SPACES))) {
				const name = nameOf({ node, schema });
				const key = `${SPACES[node.name]} ${keyOf(name)}`;
				if (!isXmlName(name.local) || this.#definitions.has(key)) continue;
				this.#definitions.set(key, { node, schema });
			}
		}
	}

	/** @throws {Unsupported} if there is no such definition */
	find(space: Space, name: QName): Component {
		const found = this.#definitions.get(`${space} ${keyOf(name)}`);
		if (found !== undefined) return found;
		throw new Unsupported(`an undefined ${space} (${truncate(name.local)})`);
	}

	/** Returns the types that extend or restrict a type, without those derived from them. */
	derivedFrom(type: Component): readonly Component[] {
		this.#derived ??= this.#findDerived();
		return this.#derived.get(keyOf(nameOf(type))) ?? [];
	}

	/**
	 * Returns a function that reads types, each one once, even if that fails. It reads a bounded number of
	 * types within each other, so that a type that is made of itself ends, and a bounded number of parts
	 * in all, so that a small description cannot become large by references.
	 *
	 * @param partsOf counts the parts of what was read
	 */
	once<T extends object>(
		read: (type: Component) => T,
		partsOf: (found: T) => number,
	): (type: Component) => T {
		const known = new Map<XmlElement, T | Unsupported>();
		return (type) => {
			const found = known.get(type.node) ?? this.#bounded(() => read(type), partsOf);
			known.set(type.node, found);
			if (found instanceof Unsupported) throw found;
			return found;
		};
	}

	#bounded<T>(read: () => T, partsOf: (found: T) => number): T | Unsupported {
		if (this.#level >= MAX_LEVELS) {
			throw new Unsupported(`a type of over ${MAX_LEVELS} levels, or of itself`);
		}
		this.#level += 1;
		try {
			const found = read();
			const parts = partsOf(found);
			if (parts > this.#partsLeft) throw new Unsupported('a type, as there are too many');
			this.#partsLeft -= parts;
			return found;
		} catch (error) {
			return new Unsupported(reasonOf(error));
		} finally {
			this.#level -= 1;
		}
	}

	#findDerived(): ReadonlyMap<string, readonly Component[]> {
		const byBase = new Map<string, Component[]>();
		for (const type of this.#definitions.values()) {
			try {
				const derivation = derivationOf(type.node);
				const base = derivation && referenceOf(derivation, 'base');
				if (base === undefined || base.namespace === XSD) continue;
				const types = byBase.get(keyOf(base)) ?? [];
				types.push(type);
				byBase.set(keyOf(base), types);
			} catch (error) {
				// Whatever uses the type reports it.
				reasonOf(error);
			}
		}
		return byBase;
	}
}
