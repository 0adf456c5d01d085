import { XML } from '../values/untyped';
import { checkLimit } from './checkXml';
import { XmlError, type QName, type Scope, type XmlElement } from './xml';

/** Namespace of XML Schema instance. */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Names that would reach an object's prototype. */
const POLLUTING: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** An attribute as it stands in the document. */
export type Attribute = readonly [qualified: string, value: string];

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

function split(qualified: string): readonly [prefix: string, local: string] {
	checkLimit(qualified.length, 'characters of a name');
	const colon = qualified.indexOf(':');
	const prefix = qualified.slice(0, Math.max(colon, 0));
	const local = qualified.slice(colon + 1);
	if (local === '' || colon === 0 || local.includes(':')) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [prefix, local];
}

/** @throws {XmlError} at a local name that must not become a property */
export function safeName(kind: 'attribute' | 'element', local: string): string {
	// Simplify makes `__proto__` of `__Proto__`.
	const name = local.startsWith('__') ? local.toLowerCase() : local;
	if (POLLUTING.includes(name)) {
		throw new XmlError(`the ${kind} name "${local}", which is refused`);
	}
	return local;
}

function namespaceOf(prefix: string, scope: Scope): string {
	let here = scope;
	while (here.outer !== undefined && !here.bound.has(prefix)) here = here.outer;
	const namespace = here.bound.get(prefix) ?? '';
	// Only the empty prefix can be without a namespace.
	if (namespace === '' && prefix !== '') throw new XmlError(`the unbound prefix "${prefix}"`);
	// The next names in this scope need not look further out.
	if (here !== scope) scope.bound.set(prefix, namespace);
	return namespace;
}

/** Counts a name that a workflow gets: a short prefix may stand for a long namespace. */
export function counted(name: string, { names }: Scope): string {
	names.length += name.length;
	checkLimit(names.length, 'characters of names with their namespaces');
	return name;
}

/**
 * Resolves the name of an element, or one in the value of an attribute, such as `type="s:int"` or
 * `xsi:type`. Without a prefix, it is a name of the default namespace.
 *
 * @throws {XmlError} at a name that is malformed or too long, or whose prefix is not bound
 */
export function qualifiedName({ scope }: Pick<XmlElement, 'scope'>, text: string): QName {
	const [prefix, local] = split(text.trim());
	return { local, namespace: namespaceOf(prefix, scope) };
}

/** Returns the name of an attribute: `xsi:…`, `xml:…`, or `{namespace}local` if it is in another. */
export function attributeName({ namespace, local }: QName): string {
	if (namespace === '') return local;
	if (namespace === XSI) return `xsi:${local}`;
	return namespace === XML ? `xml:${local}` : `{${namespace}}${local}`;
}

/**
 * Resolves the attributes of an element.
 *
 * @returns them as {@link attributeName} names them, without those that bind prefixes; and the scope of
 * the element, which is the outer one if it binds none
 * @throws {XmlError} as {@link qualifiedName}, at a prefix that must not be bound like that, and at an
 * attribute that is there twice
 */
export function resolveAttributes(
	written: readonly Attribute[],
	outer: Scope,
): Pick<XmlElement, 'attributes' | 'scope'> {
	if (written.length === 0) return { attributes: NO_ATTRIBUTES, scope: outer };
	const attributes = new Map<string, string>();
	const bound = new Map<string, string>();
	for (const [qualified, namespace] of written) {
		if (qualified !== 'xmlns' && !qualified.startsWith('xmlns:')) continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = qualified.slice('xmlns:'.length);
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		checkLimit(namespace.length, 'characters of a name');
		bound.set(prefix, namespace);
	}
	const scope = bound.size === 0 ? outer : { ...outer, bound, outer };
	for (const [qualified, value] of written) {
		const [prefix, local] = split(qualified);
		if (prefix === 'xmlns' || qualified === 'xmlns') continue;
		const namespace = prefix === '' ? '' : namespaceOf(prefix, scope);
		const resolved = { namespace, local: safeName('attribute', local) };
		const name = counted(attributeName(resolved), scope);
		if (attributes.has(name)) throw new XmlError(`the attribute "${qualified}" twice`);
		attributes.set(name, value);
	}
	return { attributes, scope };
}
