import type { TypedOperation } from '../../contract/schemaFields';
import { texts } from '../../errors/catalogue';
import { truncate } from '../../errors/words';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName, safeName } from '../namespaces';
import type { QName, XmlElement } from '../xml';
import {
	checkRoot,
	childrenOf,
	documentationOf,
	keyOf,
	WSDL,
	WsdlError,
	type WsdlDocument,
} from './documents';
import { reasonOf, Schemas, Unsupported } from './schemas';
import { Types } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

const MAX_DOCUMENTATION = 500;

/** An operation in the list of a service's operations. */
export interface OperationSummary {
	readonly name: string;
	/** What the service says about the operation. */
	readonly documentation?: string;
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

/** The elements that a call sends and receives. */
interface Wrappers {
	readonly request: QName;
	readonly response: QName;
}

/** An operation whose types are not read yet. */
interface Entry {
	readonly summary: OperationSummary;
	/** `undefined` if the operation is not supported. */
	readonly wrappers?: Wrappers;
}

function nameOf({ attributes }: XmlElement): string {
	return attributes.get('name') ?? '';
}

/** Returns the key of what an attribute refers to. */
function referredKey(node: XmlElement, attribute: string): string {
	return keyOf(qualifiedName(node, node.attributes.get(attribute) ?? ''));
}

/** Returns the name of an operation's input, which ASP.NET gives each overload (`MessageName`). */
function inputName(operation: XmlElement): string | undefined {
	return childrenOf(operation, WSDL, 'input')[0]?.attributes.get('name');
}

/** Returns the first child of a binding or of a part of one that says how SOAP is used. */
function soapChild(node: XmlElement | undefined, name: string): XmlElement | undefined {
	return node?.children.find(
		(child) => child.name === name && SOAP_BINDINGS.includes(child.namespace),
	);
}

/** Returns the definitions of one kind in all documents, by their qualified names. */
function definitions(roots: readonly XmlElement[], kind: string): Map<string, XmlElement> {
	const found = new Map<string, XmlElement>();
	for (const root of roots) {
		const namespace = root.attributes.get('targetNamespace') ?? '';
		for (const node of childrenOf(root, WSDL, kind)) {
			const key = keyOf({ namespace, local: nameOf(node) });
			if (!found.has(key)) found.set(key, node);
		}
	}
	return found;
}

/**
 * What a service says about itself: WSDL 1.1 with XML Schema, as operations that can be called
 * (document/literal wrapped).
 */
export class Wsdl {
	/** The target namespace. */
	readonly namespace: string;
	/** All operations, in alphabetical order. */
	readonly operations: readonly OperationSummary[];
	/** The operations by name; of several of one name, the first that is supported. */
	readonly #entries = new Map<string, Entry>();
	/** Operations whose types were read. */
	readonly #typed = new Map<string, TypedOperation>();
	readonly #messages: ReadonlyMap<string, XmlElement>;
	/** The operations of all port types, by port type and name: overloads share one. */
	readonly #defined = new Map<string, XmlElement[]>();
	readonly #types: Types;

	/**
	 * @param documents the WSDL first, then those that it imports, also by way of others; of one that
	 * is absent, only the types are undefined
	 * @throws {WsdlError} if the first document is no WSDL
	 */
	constructor(
		private readonly service: string,
		documents: readonly WsdlDocument[],
	) {
		const [first] = documents;
		if (first === undefined) throw new WsdlError(texts.descriptions.none);
		checkRoot(first.root, 'definitions');
		const roots = documents.map(({ root }) => root).filter(({ namespace }) => namespace === WSDL);
		this.namespace = first.root.attributes.get('targetNamespace') ?? '';
		this.#types = new Types(new Schemas(documents), this.namespace);
		this.#messages = definitions(roots, 'message');
		for (const [portType, node] of definitions(roots, 'portType')) {
			for (const operation of childrenOf(node, WSDL, 'operation')) {
				const key = `${portType} ${nameOf(operation)}`;
				const overloads = this.#defined.get(key);
				if (overloads === undefined) this.#defined.set(key, [operation]);
				else overloads.push(operation);
			}
		}
		for (const binding of roots.flatMap((root) => childrenOf(root, WSDL, 'binding'))) {
			const soap = soapChild(binding, 'binding');
			if (soap === undefined) continue;
			for (const bound of childrenOf(binding, WSDL, 'operation')) {
				const entry = this.#entry(binding, bound, soap.attributes.get('style'));
				const { name } = entry.summary;
				if (this.#entries.get(name)?.wrappers === undefined) this.#entries.set(name, entry);
			}
		}
		const { compare } = new Intl.Collator('en');
		this.operations = [...this.#entries.values()]
			.map(({ summary }) => summary)
			.sort((one, other) => compare(one.name, other.name));
	}

	/**
	 * Returns an operation with its types, which are read on first use.
	 *
	 * @throws {WsdlError} if there is no such operation, or it cannot be called with typed parameters
	 */
	operation(name: string): TypedOperation {
		const known = this.#typed.get(name);
		if (known !== undefined) return known;
		const entry = this.#entries.get(name);
		if (entry === undefined) {
			throw new WsdlError(texts.descriptions.noOperation.title, { name: truncate(name) });
		}
		const { documentation, unsupported } = entry.summary;
		if (entry.wrappers === undefined) throw notTyped(name, unsupported ?? '');
		try {
			const operation: TypedOperation = {
				service: this.service,
				name,
				...(documentation !== undefined && { documentation }),
				request: this.#types.wrapped(entry.wrappers.request),
				response: this.#types.wrapped(entry.wrappers.response),
			};
			this.#typed.set(name, operation);
			return operation;
		} catch (error) {
			throw notTyped(name, `It has ${reasonOf(error)}`);
		}
	}

	/** @param bound the operation of the binding */
	#entry(binding: XmlElement, bound: XmlElement, bindingStyle = 'document'): Entry {
		const summary: { -readonly [P in keyof OperationSummary]: OperationSummary[P] } = {
			name: nameOf(bound),
		};
		try {
			const input = inputName(bound);
			const key = `${referredKey(binding, 'type')} ${summary.name}`;
			let overloads = this.#defined.get(key) ?? [];
			if (overloads.length > 1) {
				overloads = overloads.filter((one) => inputName(one) === input);
				summary.name = input ?? summary.name;
			}
			const [operation] = overloads;
			if (operation === undefined) throw new Unsupported('no definition in the port type');
			const documentation = documentationOf(operation, MAX_DOCUMENTATION);
			if (documentation !== undefined) summary.documentation = documentation;
			if (overloads.length > 1) throw new Unsupported('several definitions of the same name');
			const style = soapChild(bound, 'operation')?.attributes.get('style') ?? bindingStyle;
			if (style !== 'document') throw new Unsupported('the RPC style');
			const request = this.#body('request', operation, bound);
			const response = this.#body('answer', operation, bound);
			if (request.local === inputName(operation)) summary.name = request.local;
			this.#checkWrappers(summary.name, { request, response });
			return { summary, wrappers: { request, response } };
		} catch (error) {
			return { summary: { ...summary, unsupported: `It has ${reasonOf(error)}` } };
		}
	}

	/** Returns the element of the body of a message. */
	#body(role: 'answer' | 'request', operation: XmlElement, bound: XmlElement): QName {
		const kind = role === 'request' ? 'input' : 'output';
		const [abstract] = childrenOf(operation, WSDL, kind);
		if (abstract === undefined) throw new Unsupported(`no ${role}`);
		const key = referredKey(abstract, 'message');
		const message = this.#messages.get(key);
		if (message === undefined) throw new Unsupported(`an undefined message as its ${role}`);

		const [binding] = childrenOf(bound, WSDL, kind);
		const body = soapChild(binding, 'body')?.attributes;
		if (body?.get('use') === 'encoded') throw new Unsupported(`a SOAP-encoded ${role}`);
		const named = body?.get('parts')?.trim().split(/\s+/);
		const headers = (binding?.children ?? [])
			.filter((node) => node.name === 'header' && referredKey(node, 'message') === key)
			.map(({ attributes }) => attributes.get('part'));
		const parts = childrenOf(message, WSDL, 'part').filter((part) => {
			const name = nameOf(part);
			return named === undefined ? !headers.includes(name) : named.includes(name);
		});
		const [part] = parts;
		if (part === undefined || parts.length > 1) {
			throw new Unsupported(`${parts.length === 0 ? 'no' : 'more than one'} part in its ${role}`);
		}
		const element = part.attributes.get('element');
		if (element === undefined) throw new Unsupported(`a type instead of an element as its ${role}`);
		return qualifiedName(part, element);
	}

	#checkWrappers(name: string, { request, response }: Wrappers): void {
		if (!isXmlName(name)) throw new Unsupported('a name that XML does not allow');
		for (const [role, { local, namespace }, expected] of [
			['request', request, safeName('element', name)],
			['answer', response, `${name}Response`],
		] as const) {
			if (local !== expected) {
				throw new Unsupported(`the element ${truncate(local)} as its ${role}, not ${expected}`);
			}
			if (namespace !== this.namespace) {
				throw new Unsupported(`the ${role} in another namespace than the service's`);
			}
		}
	}
}

function notTyped(name: string, reason: string): WsdlError {
	return new WsdlError(texts.descriptions.untyped.title, { name: truncate(name), reason });
}
