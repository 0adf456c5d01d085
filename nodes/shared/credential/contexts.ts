/** n8n's context, with another way to read the credential: n8n reads it there to sign and to renew. */
import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { derive, type RequestContext } from '../host/context';
import {
	CREDENTIAL,
	notConnected,
	readCredential,
	tokensOf,
	type AccountTokens,
} from './connection';

/** Overrides how a context reads the node's credential, the only one that n8n asks for. */
function reading<C extends RequestContext>(
	context: C,
	read: () => Promise<ICredentialDataDecryptedObject>,
): C {
	return derive(context, { getCredentials: read as C['getCredentials'] });
}

/**
 * Derives a context that evaluates the credential's expressions for one input item.
 *
 * @param item index of the input item
 */
export function evaluatedForItem(context: IExecuteFunctions, item: number): IExecuteFunctions {
	return reading(context, async () => await context.getCredentials(CREDENTIAL, item));
}

/**
 * Derives the context that a run signs its requests with. n8n reads the credential for every
 * request; decrypting it and resolving its expressions takes more time than anything else in a
 * call. This context caches the credential until the session's token changes.
 *
 * @param currentToken returns the session's current access token
 */
export function signingContext(
	context: RequestContext,
	currentToken: () => string | undefined,
): RequestContext {
	let token: string | undefined;
	let cached: Promise<ICredentialDataDecryptedObject> | undefined;
	return reading(context, async () => {
		if (cached === undefined || token !== currentToken()) {
			const data = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
			[token, cached] = [currentToken(), data];
			// Do not cache a failed read.
			data.catch(() => (cached = cached === data ? undefined : cached));
		}
		// n8n may mutate what it receives.
		return { ...(await cached) };
	});
}

/** What a session needs of the run that uses it. */
export interface SessionRun {
	/** The cancel signal of the run. */
	readonly cancel: AbortSignal | undefined;
	/** Reads the stored tokens. The result is never cached: each call reads the credential again. */
	readTokens(): Promise<AccountTokens>;
	/**
	 * Has n8n renew these tokens and store the new ones. n8n reads the credential again before; tokens
	 * that another process stored meanwhile must not be renewed again.
	 *
	 * @throws {Error} if others are stored, or what n8n throws
	 */
	renewTokens(tokens: AccountTokens): Promise<void>;
	/** Writes to n8n's log. */
	debug(message: string, details: IDataObject): void;
}

/** Returns what a session needs of the run with this context. */
export function sessionRunOf(context: RequestContext): SessionRun {
	return {
		cancel: context.getExecutionCancelSignal(),
		readTokens: async () => tokensOf(await readCredential(context)),
		async renewTokens({ accessToken, refreshToken }) {
			const onlyThese = reading(context, async () => {
				const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
				const stored = tokensOf(data);
				if (stored.accessToken === undefined) throw notConnected();
				if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
					throw new Error('Renewed already');
				}
				return data;
			});
			await context.helpers.refreshOAuth2Token.call(onlyThese, CREDENTIAL);
		},
		debug: (message, details) => context.logger.debug(message, details),
	};
}
