import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { hourCodesGet } from '../contract/operations';
import { ServiceError } from '../errors/ServiceError';
import { FIRST_PAGE } from '../form/options';
import type { OutputSchema } from '../form/outputSchema';
import { readList } from '../rest/list';
import { readAccount, type Account } from '../transport/account';
import { notConnected, type Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import { readDiscovery } from '../transport/identity';
import { awaitRenewal } from '../transport/renewal';
import type { Limits } from '../transport/send';
import { sessionOf } from '../transport/session';
import { endOf, isEnding } from '../transport/token';
import { failureData } from './errors';
import { presentable } from './redact';

/** What a check is to do. */
export interface CheckRequest {
	/** The company to try the REST API with. */
	readonly companyId: string | undefined;
	/** Whether the tokens are renewed however fresh they are. */
	readonly renews: boolean;
	readonly limits: Limits;
}

/** The longest text of the identity server that is shown, in characters. */
const MAX_TEXT = 300;

/** One hour code: the least that a call of the REST API can ask for. */
const ONE_RECORD = { limit: 1, pageSize: 1, firstPage: FIRST_PAGE, checkForChanges: false };

const object = (properties: IDataObject): OutputSchema => ({ type: 'object', properties });
const list = { type: 'array', items: { type: 'string' } };
const [boolean, integer, string] = ['boolean', 'integer', 'string'].map((type) => ({ type }));

/** The schema of a check's item where all is well and a company was given. */
export const checkSchema: OutputSchema = {
	...object({
		companyId: string,
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
	}),
	version: 1,
};

function noRefreshToken(): ServiceError {
	return new ServiceError('reading', 'No refresh token is stored', {
		description:
			'The connection ends with the access token, an hour after it was issued. Open the credential and connect the account again.',
	});
}

function endedOnArrival(): ServiceError {
	return new ServiceError('reading', 'The access token has ended', {
		description:
			'It was renewed, and has ended all the same by the clock of this machine. Set that clock right; if it is right, the clock of the identity server is wrong.',
	});
}

function scopesMissing(missing: readonly string[]): ServiceError {
	return new ServiceError('reading', 'Not all scopes asked for were granted', {
		description: `Missing: ${missing.join(', ')}. Open the credential, connect the account again and give consent to them, or ask for fewer under "Scopes".`,
	});
}

/** What came of one part of a check. */
type Attempted<T> = { readonly value: T; readonly failure?: never } | Failed;
interface Failed {
	readonly value?: never;
	readonly failure: ServiceError;
}

/** What a check looks for, a failure of the service or the identity server; others end it. */
function expected(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

async function attempted<T>(work: () => Promise<T>): Promise<Attempted<T>> {
	try {
		return { value: await work() };
	} catch (error) {
		return { failure: expected(error) };
	}
}

/**
 * Sees to it that the refresh token has been exchanged within the last hour, at most once in a run:
 * the access token of an hour (interface.md 5.3) was issued with it, unless it is ending.
 */
async function renew(
	context: IExecuteFunctions,
	connection: Connection,
	{ renews, limits }: CheckRequest,
): Promise<void> {
	const { accessToken } = connection;
	const isFresh = endOf(accessToken) !== undefined && !isEnding(accessToken, Date.now());
	if (isFresh && !renews) return;
	await awaitRenewal(context, limits, sessionOf(context, connection).replace(context, accessToken));
}

function tokenProblem(account: Account, secondsLeft: number | null): ServiceError | undefined {
	if (account.accessToken === undefined) return notConnected();
	return secondsLeft === 0 ? endedOnArrival() : undefined;
}

/**
 * Tries what a connection consists of. A part that does not work is told with the reason and what
 * to do, and the others are tried all the same.
 *
 * @throws {CancelledError} where the user cancelled the run
 */
export async function checkConnection(
	context: IExecuteFunctions,
	exchange: Exchange,
	connection: Connection,
	request: CheckRequest,
): Promise<IDataObject> {
	const { companyId, limits } = request;
	const renewal = await attempted(async () => await renew(context, connection, request));
	const discovery = await attempted(async () => await readDiscovery(context, connection, limits));
	const rest =
		companyId === undefined
			? undefined
			: await attempted(
					async () => await readList(exchange, connection, hourCodesGet, { companyId }, ONE_RECORD),
				);

	// Last, since each of them may have brought new tokens.
	const account = await readAccount(context);
	const secrets = [...connection.secrets, ...account.secrets];
	const clean = (text: string): string => presentable(text, secrets, MAX_TEXT);
	const part = (failure: ServiceError | undefined, values: IDataObject): IDataObject => ({
		ok: failure === undefined,
		...values,
		...(failure && failureData(failure, secrets)),
	});

	const { issuer, issuerMatches, tokenEndpoint, tokenEndpointMatches } = discovery.value ?? {};
	const end = account.accessToken === undefined ? undefined : endOf(account.accessToken);
	const secondsLeft = end ? Math.max(0, Math.floor((end.getTime() - Date.now()) / 1000)) : null;
	const stored = account.refreshToken !== undefined;
	const granted = account.grantedScopes;
	const missing = granted && account.askedScopes.filter((scope) => !granted.includes(scope));
	const parts = {
		identityServer: part(discovery.failure, {
			issuer: issuer === undefined ? null : clean(issuer),
			issuerMatches: issuerMatches ?? null,
			tokenEndpoint: tokenEndpoint === undefined ? null : clean(tokenEndpoint),
			tokenEndpointMatches: tokenEndpointMatches ?? null,
		}),
		accessToken: part(renewal.failure ?? tokenProblem(account, secondsLeft), {
			expiresAt: end?.toISOString() ?? null,
			secondsLeft,
		}),
		refreshToken: part(stored ? undefined : noRefreshToken(), { stored }),
		scopes: part(missing?.length ? scopesMissing(missing) : undefined, {
			granted: granted?.map(clean) ?? null,
			missing: missing?.map(clean) ?? null,
		}),
		// No other status is read as a page.
		restApi: rest ? part(rest.failure, { httpStatus: rest.failure ? null : 200 }) : null,
	};
	return {
		ok: Object.values(parts).every((one) => one?.ok ?? true),
		renewed: account.accessToken !== connection.accessToken,
		...parts,
	};
}
