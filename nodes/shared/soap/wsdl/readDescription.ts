import type { DescribedOperation } from '../../contract/schemaFields';
import { texts } from '../../errors/catalogue';
import { truncate } from '../../errors/words';
import { isXmlName } from '../../values/xmlRules';
import { qualifiedName, safeName } from '../namespaces';
import type { QName, XmlElement } from '../xml';
import { DescriptionError, type OperationSummary, type ServiceDescription } from './description';
import {
	checkRoot,
	childrenOf,
	documentationOf,
	keyOf,
	WSDL,
	type DescriptionDocument,
} from './documents';
import { reasonOf, Schemas, Unsupported } from './schemas';
import { Types } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

const MAX_DOCUMENTATION = 500;

/** An operation whose types are not read yet. */
interface Entry {
	readonly summary: OperationSummary;
	/** The elements that a call sends and receives; `undefined` if the operation is not supported. */
	readonly elements: { readonly request: QName; readonly response: QName } | undefined;
}

/** The definitions of one kind in all documents, by their qualified name. */
type Definitions = ReadonlyMap<string, XmlElement>;

/** The operations of a port type by name: overloads share one. */
type Operations = ReadonlyMap<string, readonly XmlElement[]>;

function definitions(roots: readonly XmlElement[], kind: 'message' | 'portType'): Definitions {
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

function nameOf({ attributes }: XmlElement): string {
	return attributes.get('name') ?? '';
}

/** Returns the name of an operation's input, which ASP.NET gives each overload (`MessageName`). */
function inputName(operation: XmlElement): string | undefined {
	return childrenOf(operation, WSDL, 'input')[0]?.attributes.get('name');
}

/** Returns what an attribute refers to; `undefined` if it refers to nothing that is defined. */
function referred(node: XmlElement, attribute: string, among: Definitions): XmlElement | undefined {
	return among.get(keyOf(qualifiedName(node, node.attributes.get(attribute) ?? '')));
}

/** Returns the first child of a binding or of a part of one that says how SOAP is used. */
function soapChild(node: XmlElement | undefined, name: string): XmlElement | undefined {
	return node?.children.find(
		(child) => child.name === name && SOAP_BINDINGS.includes(child.namespace),
	);
}

/** Returns the element of the body of a message. */
function bodyElement(
	role: 'answer' | 'request',
	operation: XmlElement,
	bound: XmlElement | undefined,
	messages: Definitions,
): QName {
	const kind = role === 'request' ? 'input' : 'output';
	const [abstract] = childrenOf(operation, WSDL, kind);
	if (abstract === undefined) throw new Unsupported(`no ${role}`);
	const message = referred(abstract, 'message', messages);
	if (message === undefined) throw new Unsupported(`an undefined message as its ${role}`);

	const [binding] = bound === undefined ? [] : childrenOf(bound, WSDL, kind);
	const body = soapChild(binding, 'body')?.attributes;
	if (body?.get('use') === 'encoded') throw new Unsupported(`a SOAP-encoded ${role}`);
	const named = body?.get('parts')?.trim().split(/\s+/);
	const headers = (binding?.children ?? [])
		.filter((node) => node.name === 'header' && referred(node, 'message', messages) === message)
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

/** A WSDL as operations that can be called (document/literal wrapped). */
class Wsdl {
	readonly namespace: string;
	/** The operations by name; of several of one name, the first that is supported. */
	readonly entries = new Map<string, Entry>();
	readonly #messages: Definitions;

	constructor(documents: readonly DescriptionDocument[]) {
		const roots = documents.map(({ root }) => root).filter(({ namespace }) => namespace === WSDL);
		this.namespace = roots[0]?.attributes.get('targetNamespace') ?? '';
		this.#messages = definitions(roots, 'message');
		const portTypes = definitions(roots, 'portType');
		const operations = new Map([...portTypes.values()].map((type) => [type, operationsOf(type)]));
		for (const binding of roots.flatMap((root) => childrenOf(root, WSDL, 'binding'))) {
			const soap = soapChild(binding, 'binding');
			if (soap === undefined) continue;
			const portType = portTypeOf(binding, portTypes);
			const defined = (portType && operations.get(portType)) ?? new Map();
			for (const bound of childrenOf(binding, WSDL, 'operation')) {
				const entry = this.#entry(bound, defined, soap.attributes.get('style') ?? 'document');
				const { name } = entry.summary;
				if (this.entries.get(name)?.elements === undefined) this.entries.set(name, entry);
			}
		}
	}

	/**
	 * @param bound the operation of the binding
	 * @param defined the operations of the port type
	 */
	#entry(bound: XmlElement, defined: Operations, bindingStyle: string): Entry {
		let name = nameOf(bound);
		const input = inputName(bound);
		const all = defined.get(name) ?? [];
		const same = all.length > 1 ? all.filter((one) => inputName(one) === input) : all;
		const [operation] = same;
		if (all.length > 1) name = input ?? name;
		const documentation = operation && documentationOf(operation, MAX_DOCUMENTATION);
		const documented = documentation === undefined ? {} : { documentation };
		try {
			if (operation === undefined) throw new Unsupported('no definition in the port type');
			if (same.length > 1) throw new Unsupported('several definitions of the same name');
			const style = soapChild(bound, 'operation')?.attributes.get('style') ?? bindingStyle;
			if (style !== 'document') throw new Unsupported('the RPC style');
			const request = bodyElement('request', operation, bound, this.#messages);
			const response = bodyElement('answer', operation, bound, this.#messages);
			if (request.local === inputName(operation)) name = request.local;
			this.#checkElements(name, request, response);
			return { summary: { name, ...documented }, elements: { request, response } };
		} catch (error) {
			const unsupported = `It has ${reasonOf(error)}`;
			return { summary: { name, ...documented, unsupported }, elements: undefined };
		}
	}

	#checkElements(name: string, request: QName, response: QName): void {
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

function portTypeOf(binding: XmlElement, portTypes: Definitions): XmlElement | undefined {
	try {
		return referred(binding, 'type', portTypes);
	} catch {
		// Its prefix is not bound: then its operations have no definition, which each of them reports.
		return undefined;
	}
}

function operationsOf(portType: XmlElement): Operations {
	const found = new Map<string, XmlElement[]>();
	for (const operation of childrenOf(portType, WSDL, 'operation')) {
		const same = found.get(nameOf(operation));
		if (same === undefined) found.set(nameOf(operation), [operation]);
		else same.push(operation);
	}
	return found;
}

/**
 * Reads the description of a service: WSDL 1.1 with XML Schema. Only the list of operations is read
 * at once; their types follow when they are used.
 *
 * @param service the name of the service
 * @param documents the WSDL first, then those that it imports, also by way of others; of one that is
 * absent, only the types are undefined
 * @throws {DescriptionError} if the first document is no WSDL
 */
export function readDescription(
	service: string,
	documents: readonly DescriptionDocument[],
): ServiceDescription {
	const [wsdl] = documents;
	if (wsdl === undefined) throw new DescriptionError(texts.descriptions.none);
	checkRoot(wsdl.root, 'definitions');
	const { namespace, entries } = new Wsdl(documents);

	let types: Types | undefined;
	const described = new Map<string, DescribedOperation>();

	const describe = (name: string): DescribedOperation => {
		const entry = entries.get(name);
		if (entry === undefined) {
			throw new DescriptionError(texts.descriptions.noOperation.title, { name: truncate(name) });
		}
		const { summary, elements } = entry;
		const { documentation, unsupported } = summary;
		if (elements === undefined) throw notTyped(name, unsupported ?? '');
		types ??= new Types(new Schemas(documents), namespace);
		try {
			return {
				service,
				name,
				...(documentation !== undefined && { documentation }),
				request: types.wrapped(elements.request),
				response: types.wrapped(elements.response),
			};
		} catch (error) {
			throw notTyped(name, `It has ${reasonOf(error)}`);
		}
	};

	const { compare } = new Intl.Collator('en');
	return {
		namespace,
		operations: [...entries.values()]
			.map(({ summary }) => summary)
			.sort((one, other) => compare(one.name, other.name)),
		operation(name) {
			const operation = described.get(name) ?? describe(name);
			described.set(name, operation);
			return operation;
		},
	};
}

function notTyped(name: string, reason: string): DescriptionError {
	const values = { name: truncate(name), reason };
	return new DescriptionError(texts.descriptions.untyped.title, values);
}
