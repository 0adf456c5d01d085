/** Connection: Check, which asks whether the connection works, and Revoke, which ends it. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields, RecordField } from '../../contract/fields';
import {
	addressGetListCurrent,
	hourCodesGet,
	identityServer,
	services,
	soapOperations,
} from '../../contract/operations';
import type { Effect } from '../../contract/operation';
import { at, collectAll, InputError } from '../../values/InputError';
import { ServiceError, serviceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { optionsProperty, responseLimitsProperty } from '../../form/options';
import { itemSchema } from '../../form/output';
import { requestProperties } from '../../form/requestForm';
import { readScalarParameter } from '../../form/requestValues';
import { tokensOf } from '../../host/requests';
import { isWebPage } from '../../http/answer';
import { asksToRetry, statusError } from '../../http/failures';
import { exchangeUnsigned } from '../../http/send';
import { FIRST_PAGE, readList } from '../../rest/list';
import type { ReadAction, WriteAction } from '../../run/action';
import { describeError } from '../../messages/describe';
import { drift } from '../../messages/drift';
import { redactorOf, serviceErrorData } from '../../run/redact';
import { callForRecords } from '../../soap/call';
import { fetchWsdl } from '../../soap/wsdl/fetch';
import { checkSentName } from '../../values/scalars';
import { isEmpty } from '../../values/values';
import { hourCodes } from '../builtIn/rest';

/** What to try the services with. All may be empty. */
const tried = {
	companyId: {
		...hourCodesGet.pathParameters.companyId,
		description:
			'Company to read one hour code of, to try the REST API. If empty, the REST API is not tried.',
	},
	EmployeeId: {
		...addressGetListCurrent.request.fields.EmployeeId,
		isKey: false,
		description:
			'Employee to read the addresses of, to try the SOAP service. If empty, the check asks for employee 0; a fault may then be about that employee.',
	},
	service: {
		kind: 'string',
		description:
			'Another web service that your workflows call. The node reads its description, too.',
		example: 'DebtorService',
	},
} as const;

/** The questions, each with its answer if all is well. */
const QUESTIONS = {
	token: 'The tokens were renewed, and no service refuses the access token.',
	soapApi: 'The SOAP service answers.',
	restApi: 'The REST API answers.',
	descriptions: 'The services describe the operations as this package calls them.',
	tokenEndpoint: 'The token endpoint does not redirect.',
};

/** The codes of failures of a call that are about the tokens; so is any with HTTP 401. */
const ABOUT_TOKENS = /^(?:CREDENTIAL|IDENTITY|RENEWAL|TOKEN)_/;

/** The codes of errors that leave a question open. */
const OPEN: readonly string[] = ['DESCRIPTION_UNREADABLE', 'UNDECIDED'];

function failureOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

async function errorOf(call: Promise<unknown>): Promise<ServiceError | undefined> {
	return await call.then(() => undefined, failureOf);
}

function readTried(item: InputItem) {
	const isGiven = (parameter: string) => !isEmpty(item.read(parameter, ''));
	const readService = () => checkSentName(item.read('service'), 'a service, such as DebtorService');
	const readEmployee = () => Number(readScalarParameter(item, 'EmployeeId', tried.EmployeeId));
	const [company, employeeId, service] = collectAll(
		() => (isGiven('companyId') ? hourCodes.read(item) : undefined),
		() => (isGiven('employeeId') ? at('EmployeeId', readEmployee) : undefined),
		() => (isGiven('service') ? at('service', readService) : undefined),
	);
	return { company, employeeId, service };
}

/**
 * Asks each question about a connection (docs/dev/interface.md, sections 4.1, 4.2 and 4.3). It always
 * exchanges the refresh token, which proves that the tokens can be renewed.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
async function askAll(
	access: ServiceAccess,
	{ company, employeeId, service }: ReturnType<typeof readTried>,
): Promise<IDataObject> {
	const { exchange, connection, session, host, limits } = access;
	const renewal = await errorOf(session.renew(access, connection.accessToken, false));
	// 0 is the default of a number in .NET, so probably nobody's Id: a fault may be about that.
	const employee = { EmployeeId: employeeId ?? 0 };
	let soapApi = await errorOf(
		callForRecords(exchange, connection, addressGetListCurrent, employee),
	);
	if (soapApi?.code.startsWith('FAULT_') && employeeId === undefined) {
		const { httpStatus, serviceCode, details } = soapApi.facts;
		const [fault] = describeError(soapApi);
		soapApi = serviceError('UNDECIDED/fault', { fault, httpStatus, serviceCode, details });
	}
	let restApi: ServiceError | undefined = serviceError('UNDECIDED/noCompany');
	if (company !== undefined) {
		// The smallest request that the REST API supports.
		const readOne = async (firstPage: number) =>
			await errorOf(readList(exchange, connection, company, { limit: 1, pageSize: 1, firstPage }));
		restApi = await readOne(FIRST_PAGE);
		// A service that counts its pages from 0 may have no page 1.
		const isNone = restApi?.code === 'NOT_FOUND' || restApi?.code === 'LIST_INCOMPLETE';
		if (isNone && (await readOne(0)) === undefined) restApi = undefined;
	}
	let descriptions: ServiceError | undefined = serviceError('UNDECIDED/soapFailed');
	if (soapApi === undefined || soapApi.code === 'UNDECIDED') {
		const described = [...new Set([...services, ...(service ? [service] : [])])];
		const read = async (name: string) => await fetchWsdl(access, name, true).catch(failureOf);
		const found = await Promise.all(described.map(read));
		const differences = found.flatMap((wsdl, i) => {
			if (wsdl instanceof ServiceError) return [];
			const known = soapOperations.filter((operation) => operation.service === described[i]);
			return known.flatMap((operation) => drift(wsdl, operation));
		});
		descriptions =
			differences.length > 0
				? serviceError('DESCRIPTIONS_DIFFER', { differences: differences.join('. ') })
				: found.find((error) => error instanceof ServiceError);
	}
	const askTokenEndpoint = async () => {
		if (renewal?.code === 'IDENTITY_SERVER_BUSY') throw serviceError('UNDECIDED/busy');
		// Asked without any secret, which it refuses. n8n's OAuth client would follow a redirect, with the refresh
		// token (`host/requests`).
		const url = `${connection.identityUrl}${identityServer.token}`;
		const address = 'Identity Address';
		const request = { method: 'GET', url, address, headers: {}, effect: 'read' } as const;
		const response = await exchangeUnsigned(host, request, limits);
		if (asksToRetry(response)) throw serviceError('UNDECIDED/busy');
		const { status: httpStatus } = response;
		if (httpStatus < 300 || httpStatus >= 400) return;
		throw serviceError('REDIRECTED/tokenEndpoint', { httpStatus });
	};
	const tokenEndpoint = await errorOf(askTokenEndpoint());
	const isOfToken = (error?: ServiceError) =>
		error && (ABOUT_TOKENS.test(error.code) || error.facts.httpStatus === 401);
	const token = renewal ?? [soapApi, restApi].find(isOfToken);
	const errors = { token, soapApi, restApi, descriptions, tokenEndpoint };
	const redactor = redactorOf(access);
	const answers = Object.entries(QUESTIONS).map(([name, message]) => {
		const error = errors[name as keyof typeof QUESTIONS];
		if (error === undefined) return [name, { ok: true, message }] as const;
		const isOpen = OPEN.includes(error.code) ? null : false;
		return [name, { ok: isOpen, ...serviceErrorData(error, redactor) }] as const;
	});
	const oks = answers.map(([, { ok }]) => ok);
	const ok = oks.includes(false) ? false : oks.every(Boolean) || null;
	return { ok, ...Object.fromEntries(answers) };
}

/** Makes one item, with the answers to the questions. */
const check: ReadAction = {
	name: 'Check',
	action: 'Check connection',
	description:
		'Check which parts of the connection work; run once a week, it also keeps the connection alive',
	kind: 'read',
	effect: 'read',
	takesDomain: false,
	operation: `GET ${identityServer.token}`,
	request: { ...tried, CompanyId: tried.companyId },
	properties: [
		...requestProperties(tried).map((property) => ({ ...property, required: false })),
		optionsProperty(),
	],
	outputSchema() {
		const ok = { kind: 'boolean' } as const;
		const fields: Fields = { ok, message: { kind: 'string' } };
		const answer: RecordField = { kind: 'record', type: '', fields };
		const answers = Object.fromEntries(Object.keys(QUESTIONS).map((name) => [name, answer]));
		return itemSchema({ CompanyId: { kind: 'int' }, EmployeeId: { kind: 'int' }, ok, ...answers });
	},
	prepare([item]) {
		const given = readTried(item);
		const { company, employeeId } = given;
		const employee = employeeId === undefined ? {} : { EmployeeId: employeeId };
		return {
			subject: JSON.stringify(['connection', given]),
			keys: { ...company?.keys, ...employee },
			effect: 'read',
			read: async (access) => ({ records: [await askAll(access, given)], notices: [] }),
		};
	},
};

const confirmedProperty: INodeProperties = {
	displayName: 'I Understand That the Connection Ends',
	name: 'confirmed',
	type: 'boolean',
	default: false,
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on by hand: neither an expression nor an AI model can.',
	noDataExpression: true,
};

/**
 * Revokes the stored tokens, and those that another process stores meanwhile (docs/dev/interface.md, section 4.1). With
 * the refresh token, a server ends the grant, but need not revoke the access token (RFC 7009, section 2).
 */
async function endConnection({ host, connection, limits, session }: ServiceAccess<Effect>) {
	const { clientId, clientSecret, identityUrl } = connection;
	// As at the token endpoint: URL-encoded id and secret.
	const client = [clientId, clientSecret].map((text) => encodeURIComponent(text.toWellFormed()));
	const headers = {
		Authorization: `Basic ${Buffer.from(client.join(':')).toString('base64')}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	const address = 'Identity Address';
	const target = { url: identityUrl + identityServer.revocation, address } as const;
	const revokeToken = async (token: string, token_type_hint: string) => {
		const body = new URLSearchParams({ token, token_type_hint }).toString();
		const request = { method: 'POST', ...target, headers, body, effect: 'write' } as const;
		const response = await exchangeUnsigned(host, request, limits);
		// RFC 7009 tells clients to ignore the body, but a page does not come from an identity server. Gateways make HTTP 204
		// of an empty answer.
		if ([200, 204].includes(response.status) && !isWebPage(response)) return;
		const { outcome } = statusError(response, address);
		throw serviceError('REVOCATION_FAILED', { httpStatus: response.status, outcome });
	};
	for (let round = 0; round < 3; round += 1) {
		await session.settled();
		const { refreshToken, accessToken = '' } = tokensOf(await host.readCredential());
		if (refreshToken !== undefined) await revokeToken(refreshToken, 'refresh_token');
		const failure = await revokeToken(accessToken, 'access_token').catch((error: unknown) => {
			if (refreshToken === undefined || !(error instanceof ServiceError)) throw error;
			return error;
		});
		await session.settled();
		if (tokensOf(await host.readCredential()).refreshToken !== refreshToken) continue;
		return {
			success: true,
			refreshTokenRevoked: refreshToken !== undefined,
			accessTokenRevoked: failure === undefined,
			note: 'The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it. An access token that was not revoked may be accepted until it expires, an hour after it was issued.',
		};
	}
	throw serviceError('REVOCATION_FAILED/renewed');
}

const flag = { kind: 'boolean' } as const;
const flags = { success: flag, refreshTokenRevoked: flag, accessTokenRevoked: flag };

/** Makes one call for all input items. */
const revoke: WriteAction = {
	name: 'Revoke',
	action: 'Revoke connection',
	description:
		'End the connection for every workflow that uses the credential; the account has to be connected again',
	...{ kind: 'once', effect: 'write', takesDomain: false, switches: {}, request: {} },
	operation: `POST ${identityServer.revocation}`,
	properties: [confirmedProperty, responseLimitsProperty],
	outputSchema: () => itemSchema({ ...flags, note: { kind: 'string' } }),
	prepare([item], options) {
		// The stored parameter: the value of an expression may come from an item or an AI model.
		const isConfirmed = item.stored('confirmed') === true;
		const text = "Turn on the switch 'I Understand That the Connection Ends' by hand.";
		if (!isConfirmed) throw new InputError([{ code: 'VALUE_REQUIRED', path: [], text }]);
		return {
			...{ subject: '', keys: {}, effect: 'write', options },
			content: () => 'revocation',
			resends: 'always',
			records: { resendsRefused: false },
			plan: () => ({
				...{ notices: [], item: {}, preview: () => ({}) },
				send: async (access) => ({ records: [await endConnection(access)], notices: [] }),
			}),
		};
	},
};

export const connectionOperations = { check, revoke };
