import type { Operation } from '../../contract/operation';
import { truncate } from '../../errors/words';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName, safeName } from '../namespaces';
import { childrenOf, type XmlElement } from '../xml';
import { checkRoot, documentationOf, keyOf, WSDL, WsdlError, type WsdlDocument } from './documents';
import { reasonOf, referenceOf, Schemas, Unsupported } from './schemas';
import { Types } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

const MAX_DOCUMENTATION = 500;

/** An operation in the list of a service's operations. */
export interface ListedOperation extends Pick<Operation, 'name' | 'documentation'> {
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

function localName({ attributes }: XmlElement): string {
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

/** Returns how a binding, or an operation of one, uses SOAP; `undefined` if it does not. */
function soapIn({ name, children }: XmlElement): XmlElement | undefined {
	return children.find((child) => child.name === name && SOAP_BINDINGS.includes(child.namespace));
}

/** Returns the definitions of one kind in all documents, by their qualified names. */
function definitions(roots: readonly XmlElement[], kind: string): Map<string, XmlElement> {
	const found = new Map<string, XmlElement>();
	for (const root of roots) {
		const namespace = root.attributes.get('targetNamespace') ?? '';
		for (const node of childrenOf(root, WSDL, kind)) {
			const key = keyOf({ namespace, local: localName(node) });
			if (!found.has(key)) found.set(key, node);
		}
	}
	return found;
}

function notTyped(name: string, reason: string): WsdlError {
	const title = `${truncate(name)} cannot be called with typed parameters`;
	return new WsdlError(`${title}. ${reason}`);
}

/**
 * What a service says about itself: WSDL 1.1 with XML Schema, as operations that can be called
 * (document/literal wrapped).
 */
export class Wsdl {
	/** The target namespace. */
	readonly namespace: string;
	/** All operations, in alphabetical order; of several of one name, the first that is supported. */
	readonly operations: readonly ListedOperation[];
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
		if (first === undefined) throw new WsdlError('There is no description of the service');
		checkRoot(first.root, 'definitions');
		const roots = documents.map(({ root }) => root).filter(({ namespace }) => namespace === WSDL);
		this.namespace = first.root.attributes.get('targetNamespace') ?? '';
		this.#types = new Types(new Schemas(documents), this.namespace);
		this.#messages = definitions(roots, 'message');
		for (const [portType, node] of definitions(roots, 'portType')) {
			for (const operation of childrenOf(node, WSDL, 'operation')) {
				const key = `${portType} ${localName(operation)}`;
				const overloads = this.#defined.get(key) ?? [];
				overloads.push(operation);
				this.#defined.set(key, overloads);
			}
		}
		const found = new Map<string, ListedOperation>();
		for (const binding of roots.flatMap((root) => childrenOf(root, WSDL, 'binding'))) {
			if (soapIn(binding) === undefined) continue;
			for (const bound of childrenOf(binding, WSDL, 'operation')) {
				const listed = this.#listed(binding, bound);
				const isBetter = found.get(listed.name)?.unsupported !== undefined;
				if (isBetter || !found.has(listed.name)) found.set(listed.name, listed);
			}
		}
		const { compare } = new Intl.Collator('en');
		this.operations = [...found.values()].sort((one, other) => compare(one.name, other.name));
	}

	/**
	 * Returns an operation with its types, which are read on first use.
	 *
	 * @throws {WsdlError} if there is no such operation, or it cannot be called with typed parameters
	 */
	operation(name: string): Operation {
		const listed = this.operations.find((one) => one.name === name);
		if (listed === undefined) throw new WsdlError(`The service has no operation ${truncate(name)}`);
		const { unsupported, ...described } = listed;
		if (unsupported !== undefined) throw notTyped(name, unsupported);
		const { namespace, service } = this;
		try {
			const request = this.#types.wrapped({ namespace, local: name });
			const response = this.#types.wrapped({ namespace, local: `${name}Response` });
			return { service, ...described, effect: 'write', request, response };
		} catch (error) {
			throw notTyped(name, `It has ${reasonOf(error)}`);
		}
	}

	/** @param bound the operation of the binding */
	#listed(binding: XmlElement, bound: XmlElement): ListedOperation {
		const listed: { -readonly [P in keyof ListedOperation]: ListedOperation[P] } = {
			name: localName(bound),
		};
		try {
			const all = this.#defined.get(`${referredKey(binding, 'type')} ${listed.name}`) ?? [];
			const input = inputName(bound);
			if (all.length > 1) listed.name = input ?? listed.name;
			const [operation, other] =
				all.length > 1 ? all.filter((one) => inputName(one) === input) : all;
			if (operation === undefined) throw new Unsupported('no definition in the port type');
			const documentation = documentationOf(operation, MAX_DOCUMENTATION);
			if (documentation !== undefined) listed.documentation = documentation;
			if (other !== undefined) throw new Unsupported('several definitions of the same name');
			const [style] = [bound, binding].flatMap((one) => soapIn(one)?.attributes.get('style') ?? []);
			if (style === 'rpc') throw new Unsupported('the RPC style');
			const own = inputName(operation) ?? '';
			if (this.#isMessage(operation, 'input', own)) listed.name = own;
			this.#checkMessages(operation, listed.name);
		} catch (error) {
			listed.unsupported = `It has ${reasonOf(error)}`;
		}
		return listed;
	}

	/** Checks that the messages of an operation are the elements that wrap its values. */
	#checkMessages(operation: XmlElement, name: string): void {
		if (!isXmlName(name)) throw new Unsupported('a name that XML does not allow');
		if (!this.#isMessage(operation, 'input', safeName('element', name))) {
			throw new Unsupported(`no element ${truncate(name)} as its request`);
		}
		if (!this.#isMessage(operation, 'output', `${name}Response`)) {
			throw new Unsupported(`no element ${truncate(`${name}Response`)} as its answer`);
		}
	}

	/** Whether a message of an operation is an element of the service; it may have headers, too. */
	#isMessage(operation: XmlElement, kind: 'input' | 'output', local: string): boolean {
		const [named] = childrenOf(operation, WSDL, kind);
		const message = named && this.#messages.get(referredKey(named, 'message'));
		const parts = message === undefined ? [] : childrenOf(message, WSDL, 'part');
		return parts.some((part) => {
			const element = referenceOf(part, 'element');
			return element?.local === local && element.namespace === this.namespace;
		});
	}
}
