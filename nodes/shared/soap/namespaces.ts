import { unescapeXml, XmlError, type QName, type Scope, type XmlElement } from './xml';

/** Namespace of XML Schema instance. */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/** Namespace of the prefix `xml`. */
export const XML = 'http://www.w3.org/XML/1998/namespace';

/** Names that would reach an object's prototype. */
const POLLUTING: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Returns the scope around a document's root element. */
export function documentScope(): Scope {
	return { bound: new Map([['xml', XML]]), outer: undefined, names: new Map() };
}

/** An attribute as it stands in the document. */
export type Attribute = readonly [qualified: string, value: string];

function split(qualified: string): readonly [prefix: string, local: string] {
	const colon = qualified.indexOf(':');
	if (colon === -1) return ['', qualified];
	const isLast = colon === qualified.length - 1;
	if (colon === 0 || isLast || qualified.includes(':', colon + 1)) {
		throw new XmlError(`the name "${qualified}", whose colon is out of place`);
	}
	return [qualified.slice(0, colon), qualified.slice(colon + 1)];
}

/**
 * Returns a local name.
 *
 * @throws {XmlError} at a name that must not become a property
 */
export function safeName(kind: 'attribute' | 'element', local: string): string {
	if (POLLUTING.includes(local)) {
		throw new XmlError(`the ${kind} name "${local}", which is refused`);
	}
	return local;
}

function namespaceOf(prefix: string, scope: Scope): string {
	let here: Scope | undefined = scope;
	while (here !== undefined && !here.bound.has(prefix)) here = here.outer;
	const namespace = here?.bound.get(prefix) ?? '';
	// Only the empty prefix can be without a namespace.
	if (namespace === '' && prefix !== '') throw new XmlError(`the unbound prefix "${prefix}"`);
	return namespace;
}

/**
 * Resolves the name of an element.
 *
 * @throws {XmlError} at a name that is malformed or refused, or whose prefix is not bound
 */
export function nameOf(qualified: string, scope: Scope): QName {
	const known = scope.names.get(qualified);
	if (known !== undefined) return known;
	const [prefix, local] = split(qualified);
	const name = { local: safeName('element', local), namespace: namespaceOf(prefix, scope) };
	scope.names.set(qualified, name);
	return name;
}

/**
 * Resolves a name in the value of an attribute, such as `type="s:int"` or `xsi:type`. Without a
 * prefix, it is a name of the default namespace.
 *
 * @throws {XmlError} at a name that is malformed, or whose prefix is not bound
 */
export function qualifiedName({ scope }: Pick<XmlElement, 'scope'>, text: string): QName {
	const [prefix, local] = split(text.trim());
	return { local, namespace: namespaceOf(prefix, scope) };
}

/**
 * Returns the scope of an element: the outer one, if the element binds no prefix.
 *
 * @throws {XmlError} at a prefix that must not be bound like that
 */
export function scopeOf(attributes: readonly Attribute[], outer: Scope): Scope {
	const bound = new Map<string, string>();
	for (const [qualified, value] of attributes) {
		if (qualified !== 'xmlns' && !qualified.startsWith('xmlns:')) continue;
		// `xmlns` alone binds the empty prefix.
		const prefix = qualified.slice('xmlns:'.length);
		const namespace = unescapeXml(value);
		if (prefix === 'xmlns' || (prefix === 'xml') !== (namespace === XML)) {
			throw new XmlError(`the prefix "${prefix}" bound to "${namespace}"`);
		}
		bound.set(prefix, namespace);
	}
	return bound.size === 0 ? outer : { bound, outer, names: new Map() };
}

/**
 * Returns attributes by local name, those of XML Schema instance as `xsi:…`, without those that
 * bind prefixes.
 *
 * @throws {XmlError} as {@link nameOf}, and at a reference that means no character
 */
export function resolveAttributes(
	attributes: readonly Attribute[],
	scope: Scope,
): ReadonlyMap<string, string> {
	const byName = new Map<string, string>();
	for (const [qualified, value] of attributes) {
		const [prefix, local] = split(qualified);
		if (prefix === 'xmlns' || qualified === 'xmlns') continue;
		const isXsi = prefix !== '' && namespaceOf(prefix, scope) === XSI;
		byName.set((isXsi ? 'xsi:' : '') + safeName('attribute', local), unescapeXml(value));
	}
	return byName;
}
