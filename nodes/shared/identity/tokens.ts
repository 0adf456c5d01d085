/** What a connection check examines: the stored tokens and the granted scopes. */
import { notConnected, type Connection } from '../credential/connection';
import { failure, texts, type ServiceError } from '../errors/ServiceError';
import type { RequestContext } from '../host/context';
import type { Limits } from '../http/send';
import { awaitRenewal } from '../session/renewal';
import { sessionOf } from '../session/sessions';
import { expiryOf, isAboutToExpire } from '../session/token';
import type { Account } from './account';

/** State of an account's tokens and scopes, with the problem of each, if any. */
export interface TokenState {
	readonly accessToken: {
		readonly problem: ServiceError | undefined;
		readonly expiresAt: Date | undefined;
		/** Never below 0; `undefined` if the expiry cannot be read. */
		readonly secondsLeft: number | undefined;
	};
	readonly refreshToken: {
		readonly problem: ServiceError | undefined;
		readonly isStored: boolean;
	};
	readonly scopes: {
		readonly problem: ServiceError | undefined;
		/** `undefined` if no token response named the granted scopes. */
		readonly granted: readonly string[] | undefined;
		readonly missing: readonly string[] | undefined;
	};
}

function accessTokenProblem(
	{ accessToken }: Account,
	secondsLeft: number | undefined,
): ServiceError | undefined {
	if (accessToken === undefined) return notConnected();
	return secondsLeft === 0 ? failure(texts.check.expired) : undefined;
}

/**
 * Ensures that the refresh token was exchanged within the last hour, at most once per run. An
 * access token that is not about to expire proves an exchange: it is valid for an hour
 * (docs/interface.md, section 5.3) and was issued in that exchange.
 *
 * @param isForced whether to renew the tokens however fresh they are
 * @throws {ServiceError} if they cannot be renewed
 * @throws {CancelledError} if the user cancelled the run
 */
export async function ensureFreshTokens(
	context: RequestContext,
	connection: Connection,
	limits: Limits,
	isForced: boolean,
): Promise<void> {
	const { accessToken } = connection;
	const isFresh = expiryOf(accessToken) !== undefined && !isAboutToExpire(accessToken, Date.now());
	if (isFresh && !isForced) return;
	const renewal = sessionOf(context, connection).replace(context, accessToken);
	await awaitRenewal(context.getExecutionCancelSignal(), limits, renewal);
}

/** Returns the current state of an account's tokens and scopes. */
export function tokenState(account: Account): TokenState {
	const { accessToken, refreshToken, askedScopes, grantedScopes: granted } = account;
	const expiresAt = accessToken === undefined ? undefined : expiryOf(accessToken);
	const secondsLeft =
		expiresAt && Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
	const isStored = refreshToken !== undefined;
	const missing = granted && askedScopes.filter((scope) => !granted.includes(scope));
	return {
		accessToken: { problem: accessTokenProblem(account, secondsLeft), expiresAt, secondsLeft },
		refreshToken: {
			problem: isStored ? undefined : failure(texts.check.noRefreshToken),
			isStored,
		},
		scopes: {
			problem: missing?.length
				? failure(texts.check.scopes, { scopes: missing.join(', ') })
				: undefined,
			granted,
			missing,
		},
	};
}
