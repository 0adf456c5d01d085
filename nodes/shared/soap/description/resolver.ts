import type { SchemaScalar } from '../../contract/schemaFields';
import { truncate } from '../../errors/words';
import { XmlError, type QName, type XmlElement } from '../xml';
import { XSD } from './documents';
import { builtInType } from './scalarTypes';
import type { Component, Definition, Schemas, Space } from './schemas';

const SOAP_ENCODING = 'http://schemas.xmlsoap.org/soap/encoding/';

/** Levels of extension, of groups, and of simple types. */
const MAX_LEVELS = 64;

/** Parts of types that are read for one element, and of a whole description: bounds of the memory. */
const MAX_PARTS = 100_000;
const MAX_ALL_PARTS = 500_000;

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

/** Returns the next level of a definition within a definition. */
export function nextLevel(level: number): number {
	if (level >= MAX_LEVELS) {
		throw new Unsupported(`a type of over ${MAX_LEVELS} levels, or of itself`);
	}
	return level + 1;
}

/** Values by their component: a node may be read for several namespaces. */
export class ComponentMap<T> {
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

/** Whether a type is not one of the description, but of XML Schema or of SOAP's encoding. */
export function isBuiltIn({ namespace }: QName): boolean {
	return namespace === XSD || namespace === SOAP_ENCODING;
}

/** Finds what the types of a description refer to, and bounds what is read of it. */
export class Resolver {
	/** How many parts can still be read, and what must remain of that after the current element. */
	#parts = MAX_ALL_PARTS;
	#reserve = 0;

	constructor(readonly schemas: Schemas) {}

	/** Begins to read an element: its types have their own bound. */
	begin(): void {
		this.#reserve = Math.max(0, this.#parts - MAX_PARTS);
	}

	/** Counts parts of types, so that a small description cannot become large by references. */
	count(parts: number): void {
		this.#parts -= parts;
		if (this.#parts < this.#reserve) throw new Unsupported('a type, as there are too many');
	}

	/** Returns a definition of the description. */
	definition(space: Space, name: QName): Definition {
		const found = this.schemas.find(space, name);
		if (found === undefined) {
			throw new Unsupported(`an undefined ${space} (${truncate(name.local)})`);
		}
		if (found.isRedefined) throw new Unsupported('a redefined type');
		return found;
	}

	/** Returns a simple type that XML Schema defines, or SOAP's encoding by the same name. */
	builtIn({ namespace, local }: QName): SchemaScalar {
		if (namespace === SOAP_ENCODING && local === 'Array') {
			throw new Unsupported('a SOAP-encoded array');
		}
		const type = builtInType(local);
		if (type === undefined) throw new Unsupported(`an undefined type (${truncate(local)})`);
		return type;
	}
}
