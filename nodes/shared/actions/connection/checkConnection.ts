import type { IDataObject } from 'n8n-workflow';
import { hourCodesGet } from '../../contract/operations';
import { accountOf } from '../../credential/connection';
import { texts } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { OutputSchema } from '../../form/outputSchema';
import { readDiscovery } from '../../identity/server';
import { FIRST_PAGE, readList } from '../../rest/list';
import type { CallResult, Notice } from '../../run/action';
import { failureData } from '../../run/errors';
import { Redactor } from '../../run/redact';
import { isObject } from '../../values/values';
import { checkDescriptions, describedServices } from './checkDescriptions';
import { checkSoap } from './checkSoap';
import { accessTokenPart, ensureFreshTokens, refreshTokenPart, scopesPart } from './checkTokens';
import { trial, type Part } from './part';

/** The parameters of a connection check. */
export interface CheckRequest {
	/** The company to call the REST API with; `undefined` to skip the REST API. */
	readonly companyId: string | undefined;
	/** The employee to call the SOAP services with; `undefined` to use employee 0. */
	readonly employeeId: number | undefined;
	/** Whether to renew the tokens even if the access token is not about to expire. */
	readonly renews: boolean;
}

/** Maximum length of a text in the item, in characters. */
const MAX_TEXT = 4000;

/** Reads one hour code: the smallest request that the REST API supports. */
const ONE_RECORD = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE };

const object = (properties: IDataObject): OutputSchema => ({ type: 'object', properties });
const list = { type: 'array', items: { type: 'string' } };
const [boolean, integer, string] = ['boolean', 'integer', 'string'].map((type) => ({ type }));
const description = object({ read: boolean, differences: list });

/** The label of each part of a check, and the types of its values if the part works. */
const PARTS = {
	identityServer: {
		label: 'Identity server',
		values: {
			issuer: string,
			issuerMatches: boolean,
			tokenEndpoint: string,
			tokenEndpointMatches: boolean,
		},
	},
	accessToken: { label: 'Access token', values: { expiresAt: string, secondsLeft: integer } },
	refreshToken: { label: 'Refresh token', values: { stored: boolean } },
	scopes: { label: 'Scopes', values: { granted: list, missing: list } },
	restApi: { label: 'REST API', values: { httpStatus: integer } },
	soapApi: { label: 'SOAP services', values: { httpStatus: integer } },
	descriptions: {
		label: 'Descriptions',
		values: Object.fromEntries(describedServices.map((service) => [service, description])),
	},
};
type PartName = keyof typeof PARTS;

/** The schema of a check's item if all parts work and a company and an employee were given. */
export const checkSchema: OutputSchema = {
	...object({
		...{ CompanyId: integer, EmployeeId: integer, ok: boolean, renewed: boolean },
		...Object.fromEntries(
			Object.entries(PARTS).map(([name, { values }]) => [name, object({ ok: boolean, ...values })]),
		),
	}),
	version: 1,
};

/** What is known without a discovery document. */
const NO_DISCOVERY = {
	issuer: null,
	issuerMatches: null,
	tokenEndpoint: null,
	tokenEndpointMatches: null,
};

/** Returns a notice for each part that does not work, was not tried or is undecided. */
function noticesOf(parts: Readonly<Record<PartName, IDataObject>>): Notice[] {
	return Object.entries(parts).flatMap(([name, { ok, message, description }]) => {
		if (ok === true || message === undefined) return [];
		const sentences = [message, description].filter((text) => typeof text === 'string');
		const text = sentences.map((sentence) => `${sentence.replace(/\.$/, '')}.`).join(' ');
		return [{ isProblem: ok === false, text: `${PARTS[name as PartName].label}: ${text}` }];
	});
}

/** Masks secrets in the texts of a value. */
function masked(value: unknown, redactor: Redactor): unknown {
	if (typeof value === 'string') return redactor.clean(value, MAX_TEXT);
	if (Array.isArray(value)) return value.map((one: unknown) => masked(one, redactor));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [name, masked(one, redactor)]),
	);
}

async function checkRest(
	{ exchange, connection }: ServiceAccess,
	companyId: string | undefined,
): Promise<Part> {
	if (companyId === undefined) return [{ ok: null, message: texts.check.noCompany }];
	const call = readList(exchange, connection, hourCodesGet, { companyId }, ONE_RECORD);
	const { failure } = await trial(call);
	// Only status 200 is parsed as a page.
	return [{ httpStatus: failure ? null : 200 }, failure];
}

/**
 * Checks each part of a connection: identity server, tokens, scopes, REST API and SOAP services. A
 * part that fails is reported with its reason and advice, and the other parts are still checked.
 *
 * @returns the output item, with secrets masked, and a notice for each part that does not work, or
 * that all do
 * @throws {CancelledError} if the user cancelled the run
 */
export async function checkConnection(
	access: ServiceAccess,
	{ companyId, employeeId, renews }: CheckRequest,
): Promise<CallResult> {
	const { host, connection } = access;
	const renewal = await trial(ensureFreshTokens(access, renews));
	const discovery = await trial(readDiscovery(access));
	const restApi = await checkRest(access, companyId);
	const soapApi = await checkSoap(access, employeeId);
	const isSoapWorking = soapApi[1] === undefined || soapApi[0].ok === null;
	const descriptions = await checkDescriptions(access, isSoapWorking);

	// Read the account last: each call may have renewed the tokens.
	const account = accountOf(await host.readCredential());
	const redactor = new Redactor([...connection.secrets, ...account.secrets]);
	const shown = ([values, failure]: Part): IDataObject => ({
		ok: failure === undefined,
		...(masked(values, redactor) as IDataObject),
		...(failure && failureData(failure, redactor)),
	});
	const [accessToken, tokenFailure] = accessTokenPart(account);
	const parts = {
		identityServer: shown([discovery.value ?? NO_DISCOVERY, discovery.failure]),
		accessToken: shown([accessToken, renewal.failure ?? tokenFailure]),
		refreshToken: shown(refreshTokenPart(account)),
		scopes: shown(scopesPart(account)),
		restApi: shown(restApi),
		soapApi: shown(soapApi),
		descriptions: shown(descriptions),
	};
	const oks = Object.values(parts).map(({ ok }) => ok);
	// No service has to describe itself.
	const isComplete = oks.slice(0, -1).every((ok) => ok === true);
	const record = {
		// `null` if a part was not tried or is undecided.
		ok: oks.includes(false) ? false : isComplete || null,
		renewed: account.accessToken !== connection.accessToken,
		...parts,
	};
	const works: Notice = { isProblem: false, text: 'All parts of the connection work.' };
	return { records: [record], notices: [...(record.ok ? [works] : []), ...noticesOf(parts)] };
}
