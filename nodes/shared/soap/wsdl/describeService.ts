import type { AddressField } from '../../credential/connection';
import {
	CancelledError,
	failure,
	ServiceError,
	texts,
	type ServiceErrorFields,
} from '../../errors/ServiceError';
import type { Reader, ServiceAccess } from '../../exchange/exchange';
import { BoundedMap } from '../../http/boundedMap';
import { decodeText } from '../../http/charset';
import { untilCancelled } from '../../http/deadline';
import type { ExchangeRequest, ExchangeResponse } from '../../http/send';
import { statusError } from '../../http/statusErrors';
import { exchangeUnsigned } from '../../http/unsigned';
import { serviceNamespace } from '../envelope';
import { DescriptionError, type ServiceDescription } from './description';
import { readDocument, type DescriptionDocument } from './documents';
import { readDescription } from './readDescription';

const SOAP_ADDRESS: AddressField = 'SOAP Address';

/** How long a description is kept, in milliseconds. */
const LIFETIME_MS = 3_600_000;

/** Maximum number of documents of one description. */
const MAX_DOCUMENTS = 20;

/** Maximum size of all documents of one description, in bytes. */
const MAX_BYTES = 8 * 2 ** 20;

/** A description that is kept, or being read. */
interface KeptDescription {
	/** Monotonic time in milliseconds. */
	readonly until: number;
	/** The exchange of the run that read it. */
	readonly reader: WeakRef<Reader>;
	readonly description: Promise<ServiceDescription>;
}

/** Descriptions by SOAP address and service. */
const kept = new BoundedMap<string, KeptDescription>(10);

/** Failures by the exchange of a run, so that the items of a batch do not repeat them. */
const failures = new WeakMap<Reader, Map<string, Error>>();

/** Requests a document: without any secret first, and with the token if that is refused. */
async function request(
	{ context, exchange, connection, limits }: ServiceAccess,
	url: string,
): Promise<ExchangeResponse> {
	const unsigned: ExchangeRequest<'read'> = {
		method: 'GET',
		url,
		address: SOAP_ADDRESS,
		headers: { Accept: 'text/xml, application/xml' },
		effect: 'read',
	};
	const response = await exchangeUnsigned(context, unsigned, limits);
	if (response.status !== 401 && response.status !== 403) return response;
	const headers = { ...unsigned.headers, 'X-Subscription-Key': connection.subscriptionKey };
	return await exchange({ ...unsigned, headers }, (answer) => ({
		value: answer,
		tokenRejected: false,
	}));
}

/**
 * Returns where to read a document. A service behind a proxy may give its own address differently,
 * for example with `http`.
 */
function sourceOf(address: string, service: URL): URL {
	const { pathname, search } = new URL(address);
	return new URL(pathname === service.pathname ? `${pathname}${search}` : address, service);
}

/** Reads a description with the documents that it imports from the same origin. */
async function read(access: ServiceAccess, service: string): Promise<ServiceDescription> {
	const first = new URL(`${access.connection.soapUrl}/soap/v3/${service}.asmx?WSDL`);
	const addresses = [first.href];
	const documents: DescriptionDocument[] = [];
	let left = Math.min(access.limits.maxBytes, MAX_BYTES);
	for (const address of addresses) {
		const limits = { ...access.limits, maxBytes: left };
		const { href } = sourceOf(address, first);
		const response = await request({ ...access, limits }, href);
		if (response.status !== 200) throw statusError(response, SOAP_ADDRESS);
		left -= response.body.length;
		const text = decodeText(response.body, response.headers['content-type']);
		const document = readDocument(address, text);
		documents.push(document);
		for (const imported of document.imports) {
			const isAllowed = sourceOf(imported, first).origin === first.origin;
			if (!isAllowed || addresses.includes(imported)) continue;
			if (addresses.length >= MAX_DOCUMENTS) {
				throw new DescriptionError(texts.descriptions.documents, { count: MAX_DOCUMENTS });
			}
			addresses.push(imported);
		}
	}
	return readDescription(service, documents);
}

/** The error for a description that cannot be used. */
function unusable(service: string, error: unknown): ServiceError {
	const isKnown = error instanceof ServiceError || error instanceof DescriptionError;
	const known = isKnown ? error.message : texts.descriptions.charset;
	const {
		httpStatus,
		details,
		isTransient = false,
	} = error instanceof ServiceError ? error : ({} as ServiceErrorFields);
	return failure(
		texts.descriptions.unreadable,
		{ service, reason: known.replace(/\.$/, '') },
		{ httpStatus, details, isTransient },
	);
}

/** Keeps an error for the other items of a run, and returns it. */
function remembered(exchange: Reader, key: string, error: Error): Error {
	const known = failures.get(exchange) ?? new Map<string, Error>();
	failures.set(exchange, known.set(key, error));
	return error;
}

/** Returns the kept description, or begins to read it. */
function keptOrBegun(
	access: ServiceAccess,
	service: string,
	key: string,
	isAnew: boolean,
): KeptDescription {
	const now = performance.now();
	const { exchange } = access;
	const known = kept.get(key);
	const isOwn = known?.reader.deref() === exchange;
	if (known !== undefined && known.until > now && (isOwn || !isAnew)) return known;
	const begun: KeptDescription = {
		until: now + LIFETIME_MS,
		reader: new WeakRef(exchange),
		description: read(access, service),
	};
	kept.set(key, begun);
	begun.description.catch(() => {
		if (kept.get(key) === begun) kept.delete(key);
	});
	return begun;
}

/**
 * Returns the description that a service gives of itself. The address, `?WSDL` after the one of the
 * service, is a convention of ASP.NET and not part of the specified interface. A description is kept
 * for an hour in this process; callers that ask at the same time share one request.
 *
 * @param isAnew whether to read it even if another run has read it within the hour
 * @throws {ServiceError} if there is no description that can be read, or it is not of the
 * credential's SOAP namespace
 * @throws {CancelledError} if the user cancelled the run
 */
export async function describeService(
	access: ServiceAccess,
	service: string,
	isAnew = false,
): Promise<ServiceDescription> {
	const { context, exchange, connection } = access;
	const key = JSON.stringify([connection.soapUrl, service]);
	const failed = failures.get(exchange)?.get(key);
	if (failed !== undefined) throw failed;
	for (;;) {
		try {
			const { description } = keptOrBegun(access, service, key, isAnew);
			const described = await untilCancelled(context, description);
			const expected = serviceNamespace(connection.soapNamespace, service);
			if (described.namespace === expected) return described;
			const { namespace } = described;
			throw new DescriptionError(texts.descriptions.namespace, { namespace, expected });
		} catch (error) {
			const isCancelled = error instanceof CancelledError;
			// Another run had begun to read it, and was cancelled.
			if (isCancelled && context.getExecutionCancelSignal()?.aborted !== true) continue;
			throw remembered(exchange, key, isCancelled ? error : unusable(service, error));
		}
	}
}
