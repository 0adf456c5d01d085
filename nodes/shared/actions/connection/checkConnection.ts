import type { IDataObject } from 'n8n-workflow';
import { hourCodesGet } from '../../contract/operations';
import { fill, texts, type ServiceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { OutputSchema } from '../../form/outputSchema';
import { readAccount } from '../../identity/account';
import { readDiscovery } from '../../identity/server';
import { ensureFreshTokens, tokenState } from '../../identity/tokens';
import { FIRST_PAGE, readList } from '../../rest/list';
import type { Notice } from '../../run/action';
import { failureData } from '../../run/errors';
import { Redactor } from '../../run/redact';
import { attempted } from './attempted';
import {
	checkDescriptions,
	describedServices,
	descriptionsPart,
	NOT_COMPARED,
} from './checkDescriptions';
import { trySoap, type SoapTrial } from './checkSoap';

/** The parameters of a connection check. */
export interface CheckRequest {
	/** The company to call the REST API with; `undefined` to skip the REST API. */
	readonly companyId: string | undefined;
	/** The employee to call the SOAP services with; `undefined` to use employee 0. */
	readonly employeeId: number | undefined;
	/** Whether to renew the tokens even if the access token is not about to expire. */
	readonly renews: boolean;
}

/** Maximum length of a server's text in the item, in characters. */
const MAX_TEXT = 300;

/** Reads one hour code: the smallest request that the REST API supports. */
const ONE_RECORD = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE, checkForChanges: false };

const object = (properties: IDataObject): OutputSchema => ({ type: 'object', properties });
const list = { type: 'array', items: { type: 'string' } };
const [boolean, integer, string] = ['boolean', 'integer', 'string'].map((type) => ({ type }));

/** The schema of a check's item if all parts work and a company and an employee were given. */
export const checkSchema: OutputSchema = {
	...object({
		CompanyId: integer,
		EmployeeId: integer,
		ok: boolean,
		renewed: boolean,
		identityServer: object({
			ok: boolean,
			issuer: string,
			issuerMatches: boolean,
			tokenEndpoint: string,
			tokenEndpointMatches: boolean,
		}),
		accessToken: object({ ok: boolean, expiresAt: string, secondsLeft: integer }),
		refreshToken: object({ ok: boolean, stored: boolean }),
		scopes: object({ ok: boolean, granted: list, missing: list }),
		restApi: object({ ok: boolean, httpStatus: integer }),
		soapApi: object({ ok: boolean, httpStatus: integer }),
		descriptions: object({
			ok: boolean,
			...Object.fromEntries(
				describedServices.map((service) => [service, object({ read: boolean, differences: list })]),
			),
		}),
	}),
	version: 1,
};

/** Labels of the parts of a check. */
const PARTS: Readonly<Record<string, string>> = {
	identityServer: 'Identity server',
	accessToken: 'Access token',
	refreshToken: 'Refresh token',
	scopes: 'Scopes',
	restApi: 'REST API',
	soapApi: 'SOAP services',
	descriptions: 'Descriptions',
};

/**
 * Returns a notice for each part of a check that does not work, was not tried or is undecided.
 *
 * @param record the item that {@link checkConnection} returns
 */
export function noticesOf(record: IDataObject): Notice[] {
	return Object.entries(PARTS).flatMap(([name, label]) => {
		const { ok, message, description } = record[name] as IDataObject;
		if (ok === true || message === undefined) return [];
		const sentences = [message, description].filter((text) => typeof text === 'string');
		const text = sentences.map((sentence) => `${sentence.replace(/\.$/, '')}.`).join(' ');
		return [{ isProblem: ok === false, text: `${label}: ${text}` }];
	});
}

/**
 * `false` if a part failed; `null` if none failed but one was not tried or is undecided. No service
 * has to describe itself.
 */
function overall(parts: readonly IDataObject[]): boolean | null {
	if (parts.some(({ ok }) => ok === false)) return false;
	return parts.every(({ ok }) => ok === true) ? true : null;
}

/**
 * Checks each part of a connection: identity server, tokens, scopes, REST API and SOAP services. A
 * part that fails is reported with its reason and advice, and the other parts are still checked.
 *
 * @returns the output item, with secrets masked
 * @throws {CancelledError} if the user cancelled the run
 */
export async function checkConnection(
	access: ServiceAccess,
	{ companyId, employeeId, renews }: CheckRequest,
): Promise<IDataObject> {
	const { context, exchange, connection, limits } = access;
	const renewal = await attempted(async () => {
		await ensureFreshTokens(context, connection, limits, renews);
	});
	const discovery = await attempted(async () => await readDiscovery(access));
	const rest =
		companyId === undefined
			? undefined
			: await attempted(
					async () => await readList(exchange, connection, hourCodesGet, { companyId }, ONE_RECORD),
				);
	const soap = await trySoap(exchange, connection, employeeId);
	const descriptions = soap.ok === false ? NOT_COMPARED : await checkDescriptions(access);

	// Read the account last: each call may have renewed the tokens.
	const account = await readAccount(context);
	const redactor = new Redactor([...connection.secrets, ...account.secrets]);
	const clean = (text: string): string => redactor.clean(text, MAX_TEXT);
	const part = (failure: ServiceError | undefined, values: IDataObject): IDataObject => ({
		ok: failure === undefined,
		...values,
		...(failure && failureData(failure, redactor)),
	});

	const soapPart = (trial: SoapTrial): IDataObject => {
		if (!trial.ok) return { ...part(trial.failure, { httpStatus: null }), ok: trial.ok };
		const { ok, httpStatus, refusal } = trial;
		if (refusal === undefined) return { ok, httpStatus };
		const values = { fault: clean(refusal.message) };
		const message = fill(texts.check.noEmployee, values);
		return { ok, httpStatus, message };
	};

	const { issuer, issuerMatches, tokenEndpoint, tokenEndpointMatches } = discovery.value ?? {};
	const { accessToken, refreshToken, scopes } = tokenState(account);
	const parts = {
		identityServer: part(discovery.failure, {
			issuer: issuer === undefined ? null : clean(issuer),
			issuerMatches: issuerMatches ?? null,
			tokenEndpoint: tokenEndpoint === undefined ? null : clean(tokenEndpoint),
			tokenEndpointMatches: tokenEndpointMatches ?? null,
		}),
		accessToken: part(renewal.failure ?? accessToken.problem, {
			expiresAt: accessToken.expiresAt?.toISOString() ?? null,
			secondsLeft: accessToken.secondsLeft ?? null,
		}),
		refreshToken: part(refreshToken.problem, { stored: refreshToken.isStored }),
		scopes: part(scopes.problem, {
			granted: scopes.granted?.map(clean) ?? null,
			missing: scopes.missing?.map(clean) ?? null,
		}),
		restApi: rest
			? // Only status 200 is parsed as a page.
				part(rest.failure, { httpStatus: rest.failure ? null : 200 })
			: { ok: null, message: texts.check.noCompany },
		soapApi: soapPart(soap),
	};
	const described = descriptionsPart(descriptions, clean);
	return {
		ok: described.ok === false ? false : overall(Object.values(parts)),
		renewed: account.accessToken !== connection.accessToken,
		...parts,
		descriptions: described,
	};
}
