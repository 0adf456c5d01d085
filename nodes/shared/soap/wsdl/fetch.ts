/** The description that a service gives of itself (WSDL): it is read with all its documents, and kept. */
import { LIMITS } from '../../contract/limits';
import { isBelow } from '../../credential/connection';
import {
	CancelledError,
	ServiceError,
	serviceError,
	UnreadableError,
} from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import type { Reader, ServiceAccess } from '../../exchange/exchange';
import { decodeText, isWebPage } from '../../http/answer';
import { statusError } from '../../http/failures';
import { type ExchangeRequest, exchangeUnsigned } from '../../http/send';
import { untilCancelled } from '../../http/wait';
import type { Session } from '../../session/session';
import { serviceNamespace } from '../write';
import { childrenOf, parseXml, WSDL, type XmlElement, XmlError, XSD } from '../xml';
import { Wsdl, type WsdlDocument } from './Wsdl';

const notWsdl = (found: string) =>
	new UnreadableError(
		`The address answers with ${found} instead of a description of the service (WSDL)`,
	);

/**
 * Reads one document of a description.
 *
 * @param address where it was read from: the addresses of its imports are relative to it
 * @param isFirst whether it has to be the WSDL itself
 * @throws {UnreadableError} if the text is neither WSDL 1.1 nor an XML schema
 */
export function readDocument(address: string, text: string, isFirst: boolean): WsdlDocument {
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
	const isSchema = namespace === XSD && name === 'schema';
	const isWsdl = namespace === WSDL && name === 'definitions';
	if (!isWsdl && (isFirst || !isSchema)) throw notWsdl(`the XML element ${truncate(name)}`);
	const types = childrenOf(root, WSDL, 'types');
	const schemas = isSchema ? [root] : types.flatMap((node) => childrenOf(node, XSD, 'schema'));
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

const LIFETIME_MS = 3_600_000;

/** Maximum number of WSDLs that are kept: each item may name another service. */
const MAX_COPIES = 10;

/** A WSDL that is kept, or being read; or one that could not be read, for the run that asked. */
interface Copy {
	/** The SOAP address and the service. */
	readonly key: string;
	/** On the monotonic clock. */
	readonly until: number;
	/** The session of the account that asked for it, and the run. */
	readonly session: Session;
	readonly run: WeakRef<Reader>;
	readonly reading: ReturnType<typeof readWsdl>;
	read?: Awaited<ReturnType<typeof readWsdl>> | 'failed';
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
async function readWsdl(access: ServiceAccess, service: string) {
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
			// An answer that rejects the token has to be an error, so that it is renewed.
			response = await exchange({ ...request, headers }, (answer) => {
				if (answer.status !== 200) throw statusError(answer, request.address);
				if (isWebPage(answer)) throw serviceError('ANSWER_UNREADABLE/webPage');
				return answer;
			});
		}
		if (response.status !== 200) throw statusError(response, request.address);
		maxBytes -= response.body.length;
		const text = decodeText(response);
		if (text === undefined) throw new UnreadableError('It cannot be decoded');
		const document = readDocument(address, text, address === first.href);
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
	const about = { service: truncate(service) };
	if (error instanceof UnreadableError) {
		return serviceError('DESCRIPTION_UNREADABLE', { ...about, because: error.message });
	}
	if (!(error instanceof ServiceError)) return error;
	const { httpStatus, details } = error.facts;
	const known = { because: error, httpStatus, details, isTransient: error.isTransient };
	return serviceError('DESCRIPTION_UNREADABLE', { ...about, ...known });
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
