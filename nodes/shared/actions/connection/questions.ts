import { tokenPath } from '../../contract/identity';
import { addressGetListCurrent, hourCodesGet, soapOperations } from '../../contract/operations';
import type { FailureKind } from '../../errors/outcomes';
import {
	descriptionsDiffer,
	tokenEndpointRedirects,
	undecidedFault,
} from '../../errors/connectionErrors';
import { ServiceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import { exchangeUnsigned } from '../../http/retry';
import { FIRST_PAGE, readList } from '../../rest/list';
import { callSoap } from '../../soap/call';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import { drift } from './drift';

/** The answer to a question about the connection, in a sentence or as the error that it met. */
export interface Answer {
	/** Whether all is well; `null` if that was not asked or is not known. */
	readonly ok: boolean | null;
	readonly reason: ServiceError | string;
}

/** The parameters of the REST call, and the employee of the SOAP call. */
export interface CheckRequest {
	/** `undefined` to skip the REST API. */
	readonly company: Readonly<Record<string, string>> | undefined;
	/** `undefined` for an employee who should not exist. */
	readonly employeeId: number | undefined;
}

/** 0 is the default of a number in .NET, so probably nobody's Id. */
const NO_EMPLOYEE = 0;

/** The failures of a call that are about the tokens. */
const ABOUT_TOKENS: readonly FailureKind[] = ['credential', 'renewal', 'tokenRejected'];

/** The value of a call, or the error that it failed with. Any other error is thrown. */
export async function attempt<T>(call: Promise<T>): Promise<T | ServiceError> {
	return await call.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
}

/** The answer that a call gives: all is well if it succeeds. */
async function answerOf(call: Promise<unknown>, success: string): Promise<Answer> {
	const result = await attempt(call);
	return result instanceof ServiceError
		? { ok: false, reason: result }
		: { ok: true, reason: success };
}

/**
 * Does the SOAP service answer? Reads the addresses of an employee, a call whose only parameter is
 * the employee. Without one, a fault may be about the employee who should not exist, or about the
 * credential.
 */
async function askSoap(
	{ exchange, connection }: ServiceAccess,
	employeeId: number | undefined,
): Promise<Answer> {
	const request = { EmployeeId: employeeId ?? NO_EMPLOYEE };
	const call = callSoap(exchange, connection, addressGetListCurrent, request);
	const answer = await answerOf(call, 'The SOAP service answers.');
	if (employeeId !== undefined || !(answer.reason instanceof ServiceError)) return answer;
	const { reason: error } = answer;
	if (error.kind !== 'faultRefused' && error.kind !== 'faultUnclear') return answer;
	return { ok: null, reason: undecidedFault(error) };
}

/** Does the REST API answer? Reads one hour code, the smallest request that it supports. */
async function askRest(
	{ exchange, connection }: ServiceAccess,
	company: CheckRequest['company'],
): Promise<Answer> {
	if (company === undefined) {
		return { ok: null, reason: "Not tried: enter a 'Company ID' to try the REST API." };
	}
	const oneRecord = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE };
	const call = readList(exchange, connection, hourCodesGet, company, oneRecord);
	return await answerOf(call, 'The REST API answers.');
}

/**
 * Do the services describe the operations as this package calls them? They need not describe
 * themselves, so `ok` is `null` without a description.
 */
async function askDescriptions(access: ServiceAccess): Promise<Answer> {
	const services = [...new Set(soapOperations.map(({ service }) => service))];
	const reading = services.map(async (service) => await attempt(fetchWsdl(access, service, true)));
	const wsdls = await Promise.all(reading);
	const unread = wsdls.find((wsdl) => wsdl instanceof ServiceError);
	const differences = soapOperations.flatMap((operation) => {
		const wsdl = wsdls[services.indexOf(operation.service)];
		return wsdl === undefined || wsdl instanceof ServiceError ? [] : drift(wsdl, operation);
	});
	if (differences.length > 0) return { ok: false, reason: descriptionsDiffer(differences) };
	const same = 'The services describe the operations as this package calls them.';
	return { ok: unread === undefined || null, reason: unread ?? same };
}

/**
 * Does the token endpoint redirect? It is asked without any secret, which it refuses. n8n's OAuth
 * client would follow a redirect, with the refresh token and the client secret (`host/renewals`).
 */
async function askTokenEndpoint(access: ServiceAccess): Promise<Answer> {
	const url = `${access.connection.identityUrl}${tokenPath}`;
	const address = 'Identity Address';
	const request = { method: 'GET', url, address, headers: {}, effect: 'read' } as const;
	const call = exchangeUnsigned(access.host, request, access.limits).then(({ status }) => {
		if (status >= 300 && status < 400) throw tokenEndpointRedirects(status);
	});
	return await answerOf(call, 'The token endpoint does not redirect.');
}

/** Are the tokens renewed, and is the access token accepted? A fault is an answer, too. */
function judgeToken(renewal: Answer, calls: readonly Answer[]): Answer {
	const rejection = [renewal, ...calls].find(
		({ reason }) => reason instanceof ServiceError && ABOUT_TOKENS.includes(reason.kind),
	);
	if (rejection !== undefined) return { ok: false, reason: rejection.reason };
	if (!renewal.ok) return renewal;
	const isAccepted = calls.some(({ ok, reason }) => ok ?? reason instanceof ServiceError);
	if (isAccepted) return renewal;
	const reason =
		'The tokens were renewed, but no service answered that could accept the access token.';
	return { ok: null, reason };
}

/**
 * Asks each question about a connection (docs/dev/interface.md, sections 4.1, 4.2 and 4.3). It always
 * exchanges the refresh token, which proves that the tokens can be renewed.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function askAll(access: ServiceAccess, { company, employeeId }: CheckRequest) {
	const exchanged = access.session.renew(access, access.connection.accessToken, false);
	const success = 'The tokens were renewed, and the access token is accepted.';
	const renewal = await answerOf(exchanged, success);
	const soapApi = await askSoap(access, employeeId);
	const restApi = await askRest(access, company);
	const reason = 'Not tried, since the SOAP service does not work.';
	return {
		token: judgeToken(renewal, [soapApi, restApi]),
		soapApi,
		restApi,
		descriptions: soapApi.ok === false ? { ok: null, reason } : await askDescriptions(access),
		tokenEndpoint: await askTokenEndpoint(access),
	};
}
