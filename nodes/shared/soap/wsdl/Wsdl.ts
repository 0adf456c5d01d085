import type { Operation } from '../../contract/operation';
import { serviceError } from '../../errors/catalog';
import { truncate } from '../../errors/words';
import { groupedBy } from '../../values/values';
import { childrenOf, isXmlName, safeName, type XmlElement } from '../xml';
import { checkRoot, documentationOf, WSDL, type WsdlDocument, WsdlError } from './documents';
import { attempt, Types, Unsupported } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

/** An operation in the list of a service's operations. */
interface ListedOperation extends Pick<Operation, 'name' | 'documentation' | 'canBeSilent'> {
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

/** Identifies an operation in all parts of a description: overloads share its name. */
function keyOf(operation: XmlElement): string {
	return JSON.stringify([localName(operation), inputName(operation)]);
}

/**
 * What a service says about itself: WSDL 1.1 with XML Schema, as operations that can be called: elements
 * with the name of the operation wrap the values (document/literal wrapped). Its messages say nothing else.
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
		this.#types = new Types(documents, this.namespace);
		const portTypes = roots.flatMap((root) => childrenOf(root, WSDL, 'portType'));
		const ported = groupedBy(
			portTypes.flatMap((portType) => childrenOf(portType, WSDL, 'operation')),
			keyOf,
		);
		const found = new Map<string, ListedOperation>();
		for (const binding of roots.flatMap((root) => childrenOf(root, WSDL, 'binding'))) {
			for (const listed of this.#bound(binding, ported)) {
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
	 * @throws {ServiceError} if there is no such operation, or it cannot be called with typed parameters
	 */
	operation(name: string): Operation {
		const listed = this.#byName.get(name);
		const shown = truncate(name);
		if (listed === undefined) throw serviceError('OPERATION_UNUSABLE', { name: shown });
		const { unsupported, ...described } = listed;
		if (unsupported !== undefined) {
			throw serviceError('OPERATION_UNUSABLE/untyped', { name: shown, reason: unsupported });
		}
		const { namespace, service } = this;
		const [request, answer] = [name, `${name}Response`].map((local) =>
			attempt(() => this.#types.wrapped({ namespace, local })),
		);
		if (request === undefined || request instanceof Unsupported) {
			const reason = `It has ${request?.message}`;
			throw serviceError('OPERATION_UNUSABLE/untyped', { name: shown, reason });
		}
		// Whatever it has is read as it is.
		const isOpen = answer === undefined || answer instanceof Unsupported;
		const response = isOpen ? ({ fields: {}, isOpen } as const) : answer;
		return { service, ...described, effect: 'write', request, response };
	}

	/** Returns the operations of a binding; none if it does not use SOAP. */
	#bound(
		binding: XmlElement,
		ported: ReadonlyMap<string, readonly XmlElement[]>,
	): ListedOperation[] {
		const soap = soapIn(binding);
		if (soap === undefined) return [];
		const all = childrenOf(binding, WSDL, 'operation');
		const byName = groupedBy(all, localName);
		return all.flatMap((bound) => {
			const style = (soapIn(bound) ?? soap).attributes.get('style') ?? soap.attributes.get('style');
			const [own, input] = [localName(bound), inputName(bound)];
			const isOverload = input !== '' && (byName.get(own) ?? []).length > 1;
			// Nothing else can be called, and n8n would evaluate a name such as `={{ $json.a }}`.
			const names = (isOverload ? [input] : [own, input]).filter(isXmlName);
			const [first] = names;
			if (first === undefined) return [];
			const known = ported.get(keyOf(bound)) ?? [bound];
			const isOneWay = known.every((one) => childrenOf(one, WSDL, 'output').length === 0);
			const checked = names.map((name) => attempt(() => this.#checked(name, style, isOneWay)));
			const name = checked.find((one) => typeof one === 'string');
			const reason = checked.find((one) => one instanceof Unsupported)?.message;
			const text = known.map(documentationOf).find((one) => one !== undefined);
			return {
				name: name ?? first,
				...(text !== undefined && { documentation: text }),
				...(isOneWay && { canBeSilent: true }),
				...(name === undefined && { unsupported: `It has ${reason}` }),
			};
		});
	}

	/** Ensures that elements of this name wrap the values of a call and of its answer, if there is one. */
	#checked(name: string, style: string | undefined, isOneWay: boolean): string {
		if (style === 'rpc') throw new Unsupported('the RPC style');
		const answers = isOneWay ? [] : [`${name}Response`];
		for (const local of [safeName('element', name), ...answers]) {
			this.#types.find('element', { namespace: this.namespace, local });
		}
		return name;
	}
}
