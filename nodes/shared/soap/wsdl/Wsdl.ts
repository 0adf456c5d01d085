/**
 * The description that a service gives of itself: WSDL 1.1 with XML Schema, as operations that can be called. It is
 * read with all its documents, and kept.
 */
import { LIMITS } from '../../contract/limits';
import type { Operation } from '../../contract/operation';
import { serviceError } from '../../errors/catalog';
import { CancelledError, ServiceError, UnreadableError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { isBelow, type Reader, type ServiceAccess } from '../../exchange/exchange';
import { decodeText } from '../../http/answer';
import { statusError } from '../../http/failures';
import { type ExchangeRequest, exchangeUnsigned } from '../../http/send';
import { untilCancelled } from '../../http/wait';
import type { Session } from '../../session/session';
import { groupedBy } from '../../values/values';
import { serviceNamespace } from '../write';
import { childrenOf, isXmlName, parseXml, WSDL, type XmlElement, XmlError, XSD } from '../xml';
import { documentationOf, nameOf, Types } from './types';

const SOAP_BINDINGS: readonly string[] = [
	'http://schemas.xmlsoap.org/wsdl/soap/',
	'http://schemas.xmlsoap.org/wsdl/soap12/',
];

/** A document of a description, `wsdl:definitions` or `xs:schema`. */
interface WsdlDocument {
	readonly root: XmlElement;
	readonly schemas: readonly XmlElement[];
	/** The addresses of the documents that it imports. */
	readonly imports: readonly string[];
}

const notWsdl = (found: string) =>
	new UnreadableError(
		`The address answers with ${found} instead of a description of the service (WSDL)`,
	);

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @throws {UnreadableError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string): WsdlDocument {
	let root: XmlElement;
	try {
		root = parseXml(text, LIMITS.descriptionElements);
	} catch (error) {
		if (text.trim() === '') throw notWsdl('an empty text');
		if (/^\s*<(?:!doctype\s+)?html\b/i.test(text)) throw notWsdl('a web page');
		throw error instanceof XmlError
			? new UnreadableError(`The description of the service holds ${error.found}`)
			: error;
	}
	const { namespace, name } = root;
	if (name.toLowerCase() === 'html') throw notWsdl('a web page');
	if (namespace !== (name === 'schema' ? XSD : WSDL) || !/^(?:definitions|schema)$/.test(name)) {
		throw notWsdl(`the XML element ${truncate(name)}`);
	}
	const types = childrenOf(root, WSDL, 'types');
	const schemas =
		name === 'schema' ? [root] : types.flatMap((node) => childrenOf(node, XSD, 'schema'));
	const locations = [
		...childrenOf(root, WSDL, 'import').map((node) => node.attributes.get('location')),
		...schemas
			.flatMap((schema) => childrenOf(schema, XSD, 'import', 'include'))
			.map((node) => node.attributes.get('schemaLocation')),
	];
	const imports = locations.flatMap((location) =>
		location !== undefined && URL.canParse(location, address)
			? [new URL(location, address).href.replace(/#.*/s, '')]
			: [],
	);
	return { root, schemas, imports: [...new Set(imports)] };
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

	/** @param documents the WSDL first, then those that it imports @throws {UnreadableError} if the first is no WSDL */
	constructor(
		private readonly service: string,
		documents: readonly WsdlDocument[],
	) {
		const roots = documents.map(({ root }) => root);
		if (roots[0]?.namespace !== WSDL) throw notWsdl('the XML element schema');
		this.namespace = roots[0].attributes.get('targetNamespace') ?? '';
		const schemas = documents.flatMap((document) => document.schemas);
		this.#types = new Types(schemas, this.namespace);
		const parts = (name: string) => roots.flatMap((root) => childrenOf(root, WSDL, name));
		const ported = groupedBy(
			parts('portType').flatMap((portType) => childrenOf(portType, WSDL, 'operation')),
			keyOf,
		);
		const bound = parts('binding').flatMap((binding) => {
			const soap = soapIn(binding);
			const all = soap === undefined ? [] : childrenOf(binding, WSDL, 'operation');
			const byName = groupedBy(all, nameOf);
			return all.map((node) => ({
				node,
				style: soapIn(node)?.attributes.get('style') ?? soap?.attributes.get('style'),
				isOverloaded: (byName.get(nameOf(node)) ?? []).length > 1,
			}));
		});
		for (const { node, style, isOverloaded } of bound) {
			const [own, input] = [nameOf(node), inputName(node)];
			const ports = ported.get(keyOf(node)) ?? [node];
			const isOneWay = ports.every((port) => childrenOf(port, WSDL, 'output').length === 0);
			const documentation = ports.map(documentationOf).find((text) => text !== undefined);
			// Nothing else can be called, and n8n would evaluate a name such as `={{ $json.a }}`.
			const names = (isOverloaded && input !== '' ? [input] : [own, input]).filter(isXmlName);
			const tried = names.map((name) => {
				// Elements of this name must wrap the values of a call and of its answer, if there is one.
				const wrappers = isOneWay ? [name] : [name, `${name}Response`];
				const lacking = style === 'rpc' ? 'the RPC style' : this.#types.lacking(wrappers);
				return { name, ...(lacking !== undefined && { unsupported: `It has ${lacking}` }) };
			});
			const chosen = tried.find(({ unsupported }) => unsupported === undefined) ?? tried[0];
			const known = chosen && this.#byName.get(chosen.name);
			if (chosen === undefined || (known && known.unsupported === undefined)) continue;
			this.#byName.set(chosen.name, {
				...chosen,
				...(documentation !== undefined && { documentation }),
				...(isOneWay && { canBeSilent: true }),
			});
		}
		const { compare } = new Intl.Collator('en');
		this.operations = [...this.#byName.values()].sort((a, b) => compare(a.name, b.name));
	}

	/** Returns an operation with its types. @throws {ServiceError} if it cannot be called with typed parameters */
	operation(name: string): Operation {
		const listed = this.#byName.get(name);
		if (listed === undefined) throw serviceError('OPERATION_UNUSABLE', { name: truncate(name) });
		const { unsupported, ...described } = listed;
		const request = this.#types.wrapped(name);
		if (unsupported !== undefined || typeof request === 'string') {
			const reason = unsupported ?? `It has ${String(request)}`;
			throw serviceError('OPERATION_UNUSABLE/untyped', { name: truncate(name), reason });
		}
		const answer = this.#types.wrapped(`${name}Response`);
		// Whatever it has is read as it is.
		const response = typeof answer === 'string' ? ({ fields: {}, isOpen: true } as const) : answer;
		return { service: this.service, ...described, effect: 'write', request, response };
	}
}

/** How long a WSDL is kept, in milliseconds. */
const LIFETIME_MS = 3_600_000;

/** Maximum number of WSDLs that are kept: each item may name another service. */
const MAX_COPIES = 10;

interface Reading {
	readonly wsdl: Wsdl;
	/** Whether no document needed a token. */
	readonly isPublic: boolean;
	/** Bytes of its documents. */
	readonly size: number;
}

/** A WSDL that is kept, or being read; or one that could not be read, for the run that asked. */
interface Copy {
	/** The SOAP address and the service. */
	readonly key: string;
	/** Monotonic time in milliseconds. */
	readonly until: number;
	/** The session of the account that asked for it, and the run. */
	readonly session: Session;
	readonly run: WeakRef<Reader>;
	readonly reading: Promise<Reading>;
	read?: Reading | 'failed';
}

/** Copies of this process, the newest first. */
let copies: readonly Copy[] = [];

/** Keeps the newest copies: a description takes thirty times the memory of its documents. */
function keep(newest: readonly Copy[]): void {
	let size = 0;
	copies = newest
		.slice(0, MAX_COPIES)
		.filter(
			({ read }) => (size += typeof read === 'object' ? read.size : 0) <= LIMITS.descriptionBytes,
		);
}

/** Reads a WSDL with the documents that it imports from the same origin. */
async function readWsdl(access: ServiceAccess, service: string): Promise<Reading> {
	const { host, exchange, connection, limits } = access;
	const { descriptionBytes, descriptionElements, descriptionDocuments } = LIMITS;
	const first = new URL(`${connection.soapUrl}/soap/v3/${service}.asmx?WSDL`);
	/** Where to read a document: a service behind a proxy may give its own address differently, such as with `http`. */
	const sourceOf = (address: string): URL => {
		const { pathname, search } = new URL(address);
		return new URL(pathname === first.pathname ? `${pathname}${search}` : address, first);
	};
	const addresses = [first.href];
	const documents: WsdlDocument[] = [];
	let maxBytes: number = descriptionBytes;
	let elements = 0;
	let isPublic = true;
	for (const address of addresses) {
		const request: ExchangeRequest<'read'> = {
			method: 'GET',
			url: sourceOf(address).href,
			address: 'SOAP Address',
			headers: { Accept: 'text/xml, application/xml' },
			effect: 'read',
			maxBytes,
		};
		// Without any secret, and with the token if that is refused.
		let response = await exchangeUnsigned(host, request, limits);
		const isRefused = response.status === 401 || response.status === 403;
		if (isRefused && isBelow(request.url, connection.soapUrl)) {
			isPublic = false;
			const headers = { ...request.headers, 'X-Subscription-Key': connection.subscriptionKey };
			response = await exchange({ ...request, headers }, (answer) => answer);
		}
		if (response.status !== 200) throw statusError(response, request.address);
		maxBytes -= response.body.length;
		const text = decodeText(response);
		if (text === undefined) throw new UnreadableError('It cannot be decoded');
		const document = readDocument(address, text);
		documents.push(document);
		elements += text.match(/<[^/]/g)?.length ?? 0;
		if (elements > descriptionElements) {
			throw new UnreadableError(`It has more than ${descriptionElements} elements`);
		}
		for (const imported of document.imports) {
			const isAllowed = sourceOf(imported).origin === first.origin;
			if (isAllowed && !addresses.includes(imported)) addresses.push(imported);
			if (addresses.length > descriptionDocuments) {
				throw new UnreadableError(`It has more than ${descriptionDocuments} documents`);
			}
		}
	}
	return { wsdl: new Wsdl(service, documents), isPublic, size: descriptionBytes - maxBytes };
}

/** The error for a description that cannot be used; any other error as it is. */
function unusable(service: string, error: unknown): unknown {
	if (!(error instanceof ServiceError || error instanceof UnreadableError)) return error;
	const about = { service: truncate(service), reason: error.message.replace(/\.$/, '') };
	if (error instanceof UnreadableError) return serviceError('DESCRIPTION_UNREADABLE', about);
	const { code, httpStatus, details, isTransient, description: advice = '' } = error;
	// Only who is not there or busy does not answer a call either.
	const isAnswered = httpStatus !== undefined && code !== 'UNAVAILABLE' && code !== 'RATE_LIMITED';
	const how = isAnswered ? 'answered' : 'unanswered';
	const unreadable =
		httpStatus === 404
			? serviceError('DESCRIPTION_UNREADABLE/404', about)
			: serviceError(`DESCRIPTION_UNREADABLE/${how}`, { ...about, advice });
	return unreadable.with({ httpStatus, details, isTransient });
}

/**
 * Returns the description that a service gives of itself (WSDL). Its address, `?WSDL` after the one
 * of the service, is a convention of ASP.NET and not part of the specified interface. A WSDL is kept
 * for an hour in this process: for all accounts, or for the one whose token was needed to read it.
 * Callers that ask at the same time share one request, and the items of a run a failure.
 *
 * @param isAnew whether to read it even if another run has read it within the hour
 * @throws {ServiceError} if it cannot be read, or is not of the credential's SOAP namespace
 * @throws {CancelledError} if the user cancelled the run
 */
export async function fetchWsdl(
	access: ServiceAccess,
	service: string,
	isAnew = false,
): Promise<Wsdl> {
	const { connection, exchange, host, session } = access;
	const key = JSON.stringify([connection.soapUrl, service]);
	const now = performance.now();
	const isUsable = (copy: Copy): boolean => {
		const isPublic = typeof copy.read === 'object' && copy.read.isPublic;
		return copy.key === key && copy.until > now && (isPublic || copy.session === session);
	};
	const known = copies.find((copy) => {
		const isOfRun = copy.run.deref() === exchange;
		return isUsable(copy) && (isOfRun || (!isAnew && copy.read !== 'failed'));
	});
	const reading = known?.reading ?? readWsdl(access, service);
	if (known === undefined) {
		const run = new WeakRef(exchange);
		const copy: Copy = { key, until: now + LIFETIME_MS, session, run, reading };
		keep([copy, ...copies.filter((other) => !isUsable(other))]);
		const end = reading.catch(() => 'failed' as const);
		void end.then((result) => {
			copy.read = result;
			keep(copies);
		});
	}
	try {
		const { wsdl } = await untilCancelled(host.cancel, reading);
		const expected = serviceNamespace(connection.soapNamespace, service);
		if (wsdl.namespace === expected) return wsdl;
		throw new UnreadableError(
			`It is of the namespace ${wsdl.namespace}, and 'SOAP Namespace' in the credential gives ${expected}`,
		);
	} catch (error) {
		const isOfOther = known !== undefined && known.run.deref() !== exchange;
		// Another run had begun to read it, and was cancelled.
		if (isOfOther && error instanceof CancelledError && host.cancel?.aborted !== true) {
			return await fetchWsdl(access, service, isAnew);
		}
		throw unusable(service, error);
	}
}
