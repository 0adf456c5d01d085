import { serviceError } from '../../errors/catalog';
import { LIMITS } from '../../contract/limits';
import { CancelledError, ServiceError } from '../../errors/ServiceError';
import { truncate } from '../../errors/words';
import { isBelow, type Reader, type ServiceAccess } from '../../exchange/exchange';
import { decodeText } from '../../http/charset';
import { BoundedMap } from '../../http/boundedMap';
import { untilCancelled } from '../../http/wait';
import type { ExchangeRequest } from '../../http/send';
import { statusError } from '../../http/failures';
import { exchangeUnsigned } from '../../http/retry';
import type { Session } from '../../session/session';
import { serviceNamespace } from '../write';
import { readDocument, type WsdlDocument, WsdlError } from './documents';
import { Wsdl } from './Wsdl';

/** How long a WSDL is kept, in milliseconds. */
const LIFETIME_MS = 3_600_000;

/** Maximum number of WSDLs that are kept, and of services that a run remembers: each item may name another one. */
const [MAX_COPIES, MAX_ASKED] = [10, 100];

interface Reading {
	readonly wsdl: Wsdl;
	/** Whether no document needed a token. */
	readonly isPublic: boolean;
	/** What it takes of {@link LIMITS}.descriptionBytes, also by its elements. */
	readonly size: number;
}

/** A WSDL that is kept, or being read. */
interface Copy {
	/** The SOAP address and the service. */
	readonly key: string;
	/** Monotonic time in milliseconds. */
	readonly until: number;
	/** The session of the account that read it. */
	readonly session: Session;
	readonly reading: Promise<Reading>;
	/** Its result. */
	read?: Reading;
}

/** Copies of this process, the newest first. */
let copies: readonly Copy[] = [];

/**
 * The services whose WSDLs a run asked for, by its exchange. Those that are being read, and failures, are there for
 * its other items; any other is kept for all runs or not at all.
 */
const ofRuns = new WeakMap<Reader, BoundedMap<string, { wsdl?: Promise<Wsdl> }>>();

/**
 * Returns where to read a document. A service behind a proxy may give its own address differently,
 * for example with `http`.
 */
function sourceOf(address: string, service: URL): URL {
	const { pathname, search } = new URL(address);
	return new URL(pathname === service.pathname ? `${pathname}${search}` : address, service);
}

/** Reads a WSDL with the documents that it imports from the same origin. */
async function read(access: ServiceAccess, service: string): Promise<Reading> {
	const { host, exchange, connection, limits } = access;
	const first = new URL(`${connection.soapUrl}/soap/v3/${service}.asmx?WSDL`);
	const addresses = [first.href];
	const documents: WsdlDocument[] = [];
	let maxBytes: number = LIMITS.descriptionBytes;
	let elements = 0;
	let isPublic = true;
	for (const address of addresses) {
		const request: ExchangeRequest<'read'> = {
			method: 'GET',
			url: sourceOf(address, first).href,
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
			response = await exchange({ ...request, headers }, (value) => ({ value }));
		}
		if (response.status !== 200) throw statusError(response, request.address);
		maxBytes -= response.body.length;
		let text: string | undefined;
		try {
			text = decodeText(response.body, response.headers['content-type']);
		} catch {
			// Malformed in its character set, or in an unknown one.
		}
		if (text === undefined) throw new WsdlError('It cannot be decoded');
		const document = readDocument(address, text);
		documents.push(document);
		elements += text.match(/<[^/]/g)?.length ?? 0;
		if (elements > LIMITS.descriptionElements) {
			throw new WsdlError(`It has more than ${LIMITS.descriptionElements} elements`);
		}
		for (const imported of document.imports) {
			const isAllowed = sourceOf(imported, first).origin === first.origin;
			if (isAllowed && !addresses.includes(imported)) addresses.push(imported);
			if (addresses.length > LIMITS.descriptionDocuments) {
				throw new WsdlError(`It has more than ${LIMITS.descriptionDocuments} documents`);
			}
		}
	}
	const { descriptionBytes, descriptionElements } = LIMITS;
	const share = Math.max(1 - maxBytes / descriptionBytes, elements / descriptionElements);
	return { wsdl: new Wsdl(service, documents), isPublic, size: share * descriptionBytes };
}

/** Keeps the newest copies: a description takes thirty times the memory of its documents. */
function keep(newest: readonly Copy[]): void {
	let size = 0;
	copies = newest
		.slice(0, MAX_COPIES)
		.filter(({ read }) => (size += read?.size ?? 0) <= LIMITS.descriptionBytes);
}

/** Returns a copy that the account may use, or begins to read one. */
function copyFor(access: ServiceAccess, service: string, isAnew: boolean): Copy {
	const key = JSON.stringify([access.connection.soapUrl, service]);
	const { session } = access;
	const now = performance.now();
	const known = copies.find(
		(copy) =>
			copy.key === key &&
			copy.until > now &&
			(copy.read?.isPublic === true || copy.session === session),
	);
	if (known !== undefined && !isAnew) return known;
	const reading = read(access, service);
	const copy: Copy = { key, until: now + LIFETIME_MS, session, reading };
	keep([copy, ...copies.filter((one) => one !== known)]);
	reading.then(
		(done) => {
			copy.read = done;
			keep(copies);
		},
		() => (copies = copies.filter((one) => one !== copy)),
	);
	return copy;
}

/** The error for a description that cannot be used; any other error as it is. */
function unusable(service: string, error: unknown): unknown {
	if (!(error instanceof ServiceError || error instanceof WsdlError)) return error;
	const about = { service: truncate(service), reason: error.message.replace(/\.$/, '') };
	if (error instanceof WsdlError) return serviceError('DESCRIPTION_UNREADABLE', about);
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

async function fetchOrReuse(
	access: ServiceAccess,
	service: string,
	isAnew: boolean,
): Promise<Wsdl> {
	try {
		const { wsdl } = await copyFor(access, service, isAnew).reading;
		const expected = serviceNamespace(access.connection.soapNamespace, service);
		const { namespace } = wsdl;
		if (namespace === expected) return wsdl;
		throw new WsdlError(
			`It is of the namespace ${namespace}, and 'SOAP Namespace' in the credential gives ${expected}`,
		);
	} catch (error) {
		const isCancelled = access.host.cancel?.aborted === true;
		// Another run had begun to read it, and was cancelled.
		if (error instanceof CancelledError && !isCancelled) {
			return await fetchOrReuse(access, service, isAnew);
		}
		throw unusable(service, error);
	}
}

/**
 * Returns the description that a service gives of itself (WSDL). Its address, `?WSDL` after the one
 * of the service, is a convention of ASP.NET and not part of the specified interface. A WSDL is kept
 * for an hour in this process: for all accounts, or for the one whose token was needed to read it.
 * Callers that ask at the same time share one request, and the items of a run a failure.
 *
 * @param isAnew whether to read it even if another run has read it within the hour
 * @throws {ServiceError} if there is no description that can be read, or it is not of the
 * credential's SOAP namespace
 * @throws {CancelledError} if the user cancelled the run
 */
export async function fetchWsdl(
	access: ServiceAccess,
	service: string,
	isAnew = false,
): Promise<Wsdl> {
	const asked = ofRuns.get(access.exchange) ?? new BoundedMap(MAX_ASKED);
	ofRuns.set(access.exchange, asked);
	let isFirst = false;
	const one = asked.getOrCreate(service, () => {
		isFirst = true;
		return {};
	});
	one.wsdl ??= fetchOrReuse(access, service, isAnew && isFirst);
	const wsdl = await untilCancelled(access.host.cancel, one.wsdl);
	delete one.wsdl;
	return wsdl;
}
