import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { notConnected, tokensOf, type AccountTokens } from '../credential/connection';
import { derive, type RequestContext } from '../host/context';
import { BoundedMap } from '../http/boundedMap';
import { reconnectError } from './renewalErrors';

/**
 * Spends a refresh token; resolves to the new access token and whether the refresh token changed.
 */
export type Spend = () => Promise<{ readonly accessToken: string; readonly isReplaced: boolean }>;

/** Refresh tokens that are being spent, with the access token that each brings. */
const inProgress = new Map<string, Promise<string>>();

/** The most recently spent refresh tokens. */
const spent = new BoundedMap<string, true>(1000);

/**
 * The last renewal in progress of each credential. n8n 2 joins every renewal of a credential to the
 * one in progress, even for another account, so the accounts of a credential take turns.
 */
const lastRenewals = new Map<string, Promise<unknown>>();

async function takeTurn<T>(credentialId: string, work: () => Promise<T>): Promise<T> {
	const done = (lastRenewals.get(credentialId) ?? Promise.resolve()).then(work);
	const renewal: Promise<unknown> = done
		.catch(() => undefined)
		.finally(() => {
			if (lastRenewals.get(credentialId) === renewal) lastRenewals.delete(credentialId);
		});
	lastRenewals.set(credentialId, renewal);
	return await done;
}

/**
 * Spends a refresh token at most once in this process, even if two sessions of one account ask for
 * it: a refresh token can be used once (docs/interface.md, section 5.3).
 *
 * @returns the new access token
 * @throws {ServiceError} if the refresh token was spent before; otherwise what `spend` throws
 */
export async function spendOnce(
	credentialId: string,
	clientId: string,
	refreshToken: string,
	spend: Spend,
): Promise<string> {
	const key = JSON.stringify([credentialId, clientId, refreshToken]);
	if (spent.get(key) === true) throw reconnectError();
	const begin = async (): Promise<string> => {
		const { accessToken, isReplaced } = await takeTurn(credentialId, spend);
		// Some identity servers allow a refresh token to be used again.
		if (isReplaced) spent.set(key, true);
		return accessToken;
	};
	const spending = inProgress.get(key) ?? begin().finally(() => inProgress.delete(key));
	inProgress.set(key, spending);
	return await spending;
}

/**
 * Derives a context that renews these tokens only if they are still stored. n8n reads the
 * credential again before it renews; tokens that another process stored meanwhile must not be
 * renewed again.
 */
export function renewOnlyIfStill(
	context: RequestContext,
	{ accessToken, refreshToken }: AccountTokens,
): RequestContext {
	const getCredentials: RequestContext['getCredentials'] = async (...args) => {
		const data = await context.getCredentials<ICredentialDataDecryptedObject>(...args);
		const stored = tokensOf(data);
		if (stored.accessToken === undefined) throw notConnected();
		if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
			throw new Error('Renewed already');
		}
		return data as never;
	};
	return derive(context, { getCredentials });
}
