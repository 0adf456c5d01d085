import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL } from '../credential/connection';
import { derive, type RequestContext } from '../host/context';

/** A credential, and the session's token at the time of reading. */
interface CachedCredential {
	readonly token: string | undefined;
	readonly data: Promise<ICredentialDataDecryptedObject>;
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
	let cached: CachedCredential | undefined;
	function read(): CachedCredential {
		const data = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		const begun = { token: currentToken(), data };
		// Do not cache a failed read.
		data.catch(() => (cached = cached === begun ? undefined : cached));
		return begun;
	}

	// n8n asks for the node's credential only, and may mutate what it receives.
	const getCredentials: RequestContext['getCredentials'] = async () => {
		if (cached === undefined || cached.token !== currentToken()) cached = read();
		return { ...(await cached.data) } as never;
	};
	return derive(context, { getCredentials });
}
