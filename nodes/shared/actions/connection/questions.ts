import { tokenPath } from '../../contract/identity';
import { addressGetListCurrent, services, soapOperations } from '../../contract/operations';
import {
	descriptionsDiffer,
	notTried,
	tokenEndpointBusy,
	tokenEndpointRedirects,
	undecidedFault,
} from '../../errors/connectionErrors';
import { faultKinds } from '../../errors/outcomes';
import { ServiceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import { asksToRetry, exchangeUnsigned } from '../../http/retry';
import { FIRST_PAGE, readList } from '../../rest/list';
import { callSoap } from '../../soap/call';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import type { ListRequest } from '../builtIn/rest';
import { drift } from './drift';

/** Why not all is well, or why that is not known; `undefined` if all is well. */
type Finding = ServiceError | undefined;

/** What the services are tried with. */
export interface Tried {
	/** The hour codes of a company. */
	readonly company: ListRequest | undefined;
	readonly employeeId: number | undefined;
	/** A service whose description is read, too. */
	readonly service: string | undefined;
}

export type Findings = Awaited<ReturnType<typeof askAll>>;

/** The failures of a call that are about the tokens. */
const ABOUT_TOKENS = ['credential', 'renewal', 'tokenRejected'];

/** The value of a call, or the error that it failed with. Any other error is thrown. */
export async function attempt<T>(call: Promise<T>): Promise<T | ServiceError> {
	return await call.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
}

async function errorOf(call: Promise<unknown>): Promise<Finding> {
	return await attempt(call.then(() => undefined));
}

/** Does the SOAP service answer? Reads the addresses of an employee. */
async function askSoap(
	{ exchange, connection }: ServiceAccess,
	employeeId: number | undefined,
): Promise<Finding> {
	// 0 is the default of a number in .NET, so probably nobody's Id: a fault may be about that.
	const request = { EmployeeId: employeeId ?? 0 };
	const error = await errorOf(callSoap(exchange, connection, addressGetListCurrent, request));
	const isFault = error !== undefined && faultKinds.has(error.kind);
	return isFault && employeeId === undefined ? undecidedFault(error) : error;
}

/** Does the REST API answer? Reads one hour code, the smallest request that it supports. */
async function askRest(
	{ exchange, connection }: ServiceAccess,
	hourCodes: ListRequest | undefined,
): Promise<Finding> {
	if (hourCodes === undefined) return notTried("Enter a 'Company ID' to try the REST API.");
	const oneRecord = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE };
	return await errorOf(readList(exchange, connection, hourCodes, oneRecord));
}

/**
 * Do the services describe the operations as this package calls them?
 *
 * @param other a further service, of which no operation is known
 */
async function askDescriptions(access: ServiceAccess, other: string | undefined): Promise<Finding> {
	const all = [...services, ...(other === undefined || services.includes(other) ? [] : [other])];
	const reading = all.map(async (service) => await attempt(fetchWsdl(access, service, true)));
	const wsdls = await Promise.all(reading);
	const differences = soapOperations.flatMap((operation) => {
		const wsdl = wsdls[all.indexOf(operation.service)];
		return wsdl === undefined || wsdl instanceof ServiceError ? [] : drift(wsdl, operation);
	});
	if (differences.length > 0) return descriptionsDiffer(differences);
	return wsdls.find((wsdl) => wsdl instanceof ServiceError);
}

/**
 * Does the token endpoint redirect? It is asked without any secret, which it refuses. n8n's OAuth
 * client would follow a redirect, with the refresh token (`host/renewals`).
 */
async function askTokenEndpoint({ host, connection, limits }: ServiceAccess): Promise<Finding> {
	const url = `${connection.identityUrl}${tokenPath}`;
	const address = 'Identity Address';
	const request = { method: 'GET', url, address, headers: {}, effect: 'read' } as const;
	const response = await attempt(exchangeUnsigned(host, request, limits));
	if (response instanceof ServiceError) return response;
	const { status } = response;
	if (asksToRetry(response)) return tokenEndpointBusy();
	return status >= 300 && status < 400 ? tokenEndpointRedirects(status) : undefined;
}

/**
 * Asks each question about a connection (docs/dev/interface.md, sections 4.1, 4.2 and 4.3). It always
 * exchanges the refresh token, which proves that the tokens can be renewed.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function askAll(access: ServiceAccess, { company, employeeId, service }: Tried) {
	const exchanged = access.session.renew(access, access.connection.accessToken, false);
	const renewal = await errorOf(exchanged);
	const soapApi = await askSoap(access, employeeId);
	const restApi = await askRest(access, company);
	const isTried = soapApi === undefined || soapApi.code === 'FAULT_UNDECIDED';
	return {
		token: renewal ?? [soapApi, restApi].find((one) => ABOUT_TOKENS.includes(one?.kind ?? '')),
		soapApi,
		restApi,
		descriptions: isTried
			? await askDescriptions(access, service)
			: notTried('Correct the SOAP calls first.'),
		tokenEndpoint:
			renewal?.code === 'IDENTITY_SERVER_BUSY'
				? tokenEndpointBusy()
				: await askTokenEndpoint(access),
	};
}
