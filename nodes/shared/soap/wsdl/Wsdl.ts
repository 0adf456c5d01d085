/** The description that a service gives of itself: WSDL 1.1 with XML Schema, as operations that can be called. */
import { LIMITS } from '../../contract/limits';
import type { Operation } from '../../contract/operation';
import { serviceError } from '../../errors/catalog';
import { UnreadableError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { groupedBy } from '../../values/values';
import { childrenOf, isXmlName, parseXml, safeName, type XmlElement, XmlError, XSD } from '../xml';
import { attempt, documentationOf, nameOf, schemasOf, Types, Unsupported, WSDL } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

/** A WSDL that cannot be read. */
export class WsdlError extends UnreadableError {}

/** A document of a description, `wsdl:definitions` or `xs:schema`, and the addresses of those that it imports. */
export interface WsdlDocument {
	readonly root: XmlElement;
	readonly imports: readonly string[];
}

const notWsdl = (found: string) =>
	new WsdlError(`The address answers with ${found} instead of a description of the service (WSDL)`);

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @throws {WsdlError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string): WsdlDocument {
	let root: XmlElement;
	try {
		root = parseXml(text, LIMITS.descriptionElements);
	} catch (error) {
		if (text.trim() === '') throw notWsdl('an empty text');
		if (/^\s*<(?:!doctype\s+)?html\b/i.test(text)) throw notWsdl('a web page');
		throw error instanceof XmlError
			? new WsdlError(`The description of the service holds ${error.found}`)
			: error;
	}
	const { namespace, name } = root;
	if (name.toLowerCase() === 'html') throw notWsdl('a web page');
	if (namespace !== (name === 'schema' ? XSD : WSDL) || !/^(?:definitions|schema)$/.test(name)) {
		throw notWsdl(`the XML element ${truncate(name)}`);
	}
	const locations = [
		...childrenOf(root, WSDL, 'import').map((node) => node.attributes.get('location')),
		...schemasOf(root)
			.flatMap((schema) => childrenOf(schema, XSD, 'import', 'include'))
			.map((node) => node.attributes.get('schemaLocation')),
	];
	const imports = locations.flatMap((location) =>
		location !== undefined && URL.canParse(location, address)
			? [new URL(location, address).href.replace(/#.*/s, '')]
			: [],
	);
	return { root, imports: [...new Set(imports)] };
}

/** An operation in the list of a service's operations. */
interface ListedOperation extends Pick<Operation, 'name' | 'documentation' | 'canBeSilent'> {
	/** Why the operation cannot be called with typed parameters, as a sentence. */
	readonly unsupported?: string;
}

/** Returns the name of an operation's input, which ASP.NET gives each overload (`MessageName`). */
function inputName(operation: XmlElement): string {
	return nameOf(childrenOf(operation, WSDL, 'input')[0]);
}

/** Returns how a binding, or an operation of one, uses SOAP; `undefined` if it does not. */
function soapIn({ name, children }: XmlElement): XmlElement | undefined {
	return children.find((child) => child.name === name && SOAP_BINDINGS.includes(child.namespace));
}

/** Identifies an operation in all parts of a description: overloads share its name. */
function keyOf(operation: XmlElement): string {
	return JSON.stringify([nameOf(operation), inputName(operation)]);
}

/**
 * The operations of a description: elements with the name of the operation wrap the values (document/literal
 * wrapped). Its messages say nothing else.
 */
export class Wsdl {
	/** The target namespace. */
	readonly namespace: string;
	/** All operations, in alphabetical order; of several of one name, the first that is supported. */
	readonly operations: readonly ListedOperation[];
	readonly #byName = new Map<string, ListedOperation>();
	readonly #types: Types;

	/** @param documents the WSDL first, then those that it imports @throws {WsdlError} if the first is no WSDL */
	constructor(
		private readonly service: string,
		documents: readonly WsdlDocument[],
	) {
		const roots = documents.map(({ root }) => root);
		if (roots[0]?.namespace !== WSDL) throw notWsdl('the XML element schema');
		this.namespace = roots[0].attributes.get('targetNamespace') ?? '';
		this.#types = new Types(roots, this.namespace);
		const parts = (name: string) => roots.flatMap((root) => childrenOf(root, WSDL, name));
		const ported = groupedBy(
			parts('portType').flatMap((portType) => childrenOf(portType, WSDL, 'operation')),
			keyOf,
		);
		for (const listed of parts('binding').flatMap((binding) => this.#listed(binding, ported))) {
			const known = this.#byName.get(listed.name);
			if (known === undefined || known.unsupported !== undefined) {
				this.#byName.set(listed.name, listed);
			}
		}
		const { compare } = new Intl.Collator('en');
		this.operations = [...this.#byName.values()].sort((a, b) => compare(a.name, b.name));
	}

	/** Returns an operation with its types. @throws {ServiceError} if it cannot be called with typed parameters */
	operation(name: string): Operation {
		const listed = this.#byName.get(name);
		if (listed === undefined) throw serviceError('OPERATION_UNUSABLE', { name: truncate(name) });
		const { unsupported, ...described } = listed;
		const untyped = (reason: string) =>
			serviceError('OPERATION_UNUSABLE/untyped', { name: truncate(name), reason });
		if (unsupported !== undefined) throw untyped(unsupported);
		const { namespace, service } = this;
		const request = attempt(() => this.#types.wrapped({ namespace, local: name }));
		if (request instanceof Unsupported) throw untyped(`It has ${request.message}`);
		const answer = attempt(() => this.#types.wrapped({ namespace, local: `${name}Response` }));
		// Whatever it has is read as it is.
		const isOpen = answer instanceof Unsupported;
		const response = isOpen ? ({ fields: {}, isOpen } as const) : answer;
		return { service, ...described, effect: 'write', request, response };
	}

	/** Returns the operations of a binding; none if it does not use SOAP. */
	#listed(
		binding: XmlElement,
		ported: ReadonlyMap<string, readonly XmlElement[]>,
	): ListedOperation[] {
		const soap = soapIn(binding);
		if (soap === undefined) return [];
		const all = childrenOf(binding, WSDL, 'operation');
		const byName = groupedBy(all, nameOf);
		return all.flatMap((bound) => {
			const style = soapIn(bound)?.attributes.get('style') ?? soap.attributes.get('style');
			const [own, input] = [nameOf(bound), inputName(bound)];
			const isOverload = input !== '' && (byName.get(own) ?? []).length > 1;
			const known = ported.get(keyOf(bound)) ?? [bound];
			const isOneWay = known.every((port) => childrenOf(port, WSDL, 'output').length === 0);
			const documentation = known.map(documentationOf).find((text) => text !== undefined);
			// Nothing else can be called, and n8n would evaluate a name such as `={{ $json.a }}`.
			const names = (isOverload ? [input] : [own, input]).filter(isXmlName);
			const tried = names.map((name) => {
				// Elements of this name must wrap the values of a call and of its answer, if there is one.
				const found = attempt(() => {
					if (style === 'rpc') throw new Unsupported('the RPC style');
					safeName('element', name);
					for (const local of isOneWay ? [name] : [name, `${name}Response`]) {
						this.#types.find('element', { namespace: this.namespace, local });
					}
				});
				const isUnsupported = found instanceof Unsupported;
				return { name, ...(isUnsupported && { unsupported: `It has ${found.message}` }) };
			});
			const chosen = tried.find(({ unsupported }) => unsupported === undefined) ?? tried[0];
			if (chosen === undefined) return [];
			return {
				...chosen,
				...(documentation !== undefined && { documentation }),
				...(isOneWay && { canBeSilent: true }),
			};
		});
	}
}
