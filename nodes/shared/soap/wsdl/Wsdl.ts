import { onceFor } from '../../contract/onceFor';
import type { Operation } from '../../contract/operation';
import { truncate } from '../../errors/words';
import { groupedBy } from '../../values/values';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName, safeName } from '../namespaces';
import { childrenOf, type XmlElement } from '../xml';
import {
	checkRoot,
	Definitions,
	documentationOf,
	WSDL,
	WsdlError,
	type WsdlDocument,
} from './documents';
import { attempt, reasonOf, referenceOf, Schemas, supported, Unsupported } from './schemas';
import { Types } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

/** An operation in the list of a service's operations. */
export interface ListedOperation extends Pick<Operation, 'name' | 'documentation'> {
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

function localName({ attributes }: XmlElement): string {
	return attributes.get('name') ?? '';
}

/** Returns the name of an operation's input, which ASP.NET gives each overload (`MessageName`). */
function inputName(operation: XmlElement): string {
	return childrenOf(operation, WSDL, 'input')[0]?.attributes.get('name') ?? '';
}

/** Returns how a binding, or an operation of one, uses SOAP; `undefined` if it does not. */
function soapIn({ name, children }: XmlElement): XmlElement | undefined {
	return children.find((child) => child.name === name && SOAP_BINDINGS.includes(child.namespace));
}

/** The elements of a message; of the service, and by local name. */
type Message = ReadonlySet<string> | Unsupported;

/** Reads the definitions of one kind in all documents, each one once: others may refer to it often. */
function definitions<T>(
	roots: readonly XmlElement[],
	kind: string,
	read: (node: XmlElement) => T,
): Definitions<T> {
	const found = new Definitions<T>();
	for (const root of roots) {
		const namespace = root.attributes.get('targetNamespace') ?? '';
		for (const node of childrenOf(root, WSDL, kind)) {
			found.add({ namespace, local: localName(node) }, () => read(node));
		}
	}
	return found;
}

/** @throws {XmlError} if the prefix of the name is not bound */
function referred<T>(found: Definitions<T>, node: XmlElement, attribute: string): T | undefined {
	return found.get(qualifiedName(node, node.attributes.get(attribute) ?? ''));
}

/** Returns what a port type says of its operations. */
function operationsIn(portType: XmlElement, messages: Definitions<Message>) {
	return childrenOf(portType, WSDL, 'operation').map((operation) => {
		const messageOf = (kind: string): Message =>
			attempt(() => {
				const [named] = childrenOf(operation, WSDL, kind);
				const message = named && referred(messages, named, 'message');
				return supported(message ?? new Set<string>());
			});
		return {
			name: localName(operation),
			input: inputName(operation),
			documentation: documentationOf(operation),
			request: messageOf('input'),
			response: messageOf('output'),
		};
	});
}

type Definition = ReturnType<typeof operationsIn>[number];

/** The operations of a port type, by name: overloads share it. */
type PortType = ReadonlyMap<string, readonly Definition[]>;

const byInput = onceFor((all: readonly Definition[]) => groupedBy(all, ({ input }) => input));

/** Checks that the messages of an operation are the elements that wrap its values; they may have headers, too. */
function checkMessages({ request, response }: Definition, name: string): void {
	if (!isXmlName(name)) throw new Unsupported('a name that XML does not allow');
	if (!supported(request).has(safeName('element', name))) {
		throw new Unsupported(`no element ${truncate(name)} as its request`);
	}
	if (!supported(response).has(`${name}Response`)) {
		throw new Unsupported(`no element ${truncate(`${name}Response`)} as its answer`);
	}
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
	readonly #byName: ReadonlyMap<string, ListedOperation>;
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
		const messages = definitions(roots, 'message', (node) => this.#message(node));
		const portTypes = definitions(roots, 'portType', (node) =>
			groupedBy(operationsIn(node, messages), ({ name }) => name),
		);
		const found = new Map<string, ListedOperation>();
		for (const binding of roots.flatMap((root) => childrenOf(root, WSDL, 'binding'))) {
			for (const listed of this.#bound(binding, portTypes)) {
				const isBetter = found.get(listed.name)?.unsupported !== undefined;
				if (isBetter || !found.has(listed.name)) found.set(listed.name, listed);
			}
		}
		this.#byName = found;
		const { compare } = new Intl.Collator('en');
		this.operations = [...found.values()].sort((one, other) => compare(one.name, other.name));
	}

	/**
	 * Returns an operation with its types, which are read on first use.
	 *
	 * @throws {WsdlError} if there is no such operation, or it cannot be called with typed parameters
	 */
	operation(name: string): Operation {
		const listed = this.#byName.get(name);
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

	#message(node: XmlElement): Message {
		return attempt(() => {
			const elements = childrenOf(node, WSDL, 'part').flatMap(
				(part) => referenceOf(part, 'element') ?? [],
			);
			const own = elements.filter(({ namespace }) => namespace === this.namespace);
			return new Set(own.map(({ local }) => local));
		});
	}

	/** Returns the operations of a binding; none if it does not use SOAP. */
	#bound(binding: XmlElement, portTypes: Definitions<PortType>): ListedOperation[] {
		const soap = soapIn(binding);
		if (soap === undefined) return [];
		const portType = attempt(() => referred(portTypes, binding, 'type'));
		const style = soap.attributes.get('style');
		return childrenOf(binding, WSDL, 'operation').map((bound) =>
			this.#listed(bound, portType, soapIn(bound)?.attributes.get('style') ?? style),
		);
	}

	/** @param bound the operation of the binding */
	#listed(
		bound: XmlElement,
		portType: PortType | Unsupported | undefined,
		style: string | undefined,
	): ListedOperation {
		const listed: { -readonly [P in keyof ListedOperation]: ListedOperation[P] } = {
			name: localName(bound),
		};
		try {
			const all = supported(portType)?.get(listed.name) ?? [];
			const input = inputName(bound);
			if (all.length > 1 && input !== '') listed.name = input;
			const [operation, other] = all.length > 1 ? (byInput(all).get(input) ?? []) : all;
			if (operation === undefined) throw new Unsupported('no definition in the port type');
			const { documentation, input: own, request } = operation;
			if (documentation !== undefined) listed.documentation = documentation;
			if (other !== undefined) throw new Unsupported('several definitions of the same name');
			if (style === 'rpc') throw new Unsupported('the RPC style');
			if (supported(request).has(own)) listed.name = own;
			checkMessages(operation, listed.name);
		} catch (error) {
			listed.unsupported = `It has ${reasonOf(error)}`;
		}
		return listed;
	}
}
