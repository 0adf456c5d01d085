import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL } from './connection';
import { derive, type TransportContext } from './context';

/** The credential as it was read while this was the session's token. */
interface CachedCredential {
	readonly token: string | undefined;
	readonly data: Promise<ICredentialDataDecryptedObject>;
}

/**
 * The context that one run signs its requests with. n8n reads the credential for every request,
 * decrypts it and resolves its expressions, which takes more time than anything else in a call; from
 * this context it gets what was read before, until the session has another token.
 *
 * @param currentToken the session's access token at this moment
 */
export function signingContext(
	context: TransportContext,
	currentToken: () => string | undefined,
): TransportContext {
	let cached: CachedCredential | undefined;
	function read(): CachedCredential {
		const data = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		const begun = { token: currentToken(), data };
		// Do not cache a failed read.
		data.catch(() => (cached = cached === begun ? undefined : cached));
		return begun;
	}

	// n8n asks for the credential of the node, and may write into what it gets.
	const getCredentials: TransportContext['getCredentials'] = async () => {
		if (cached === undefined || cached.token !== currentToken()) cached = read();
		return { ...(await cached.data) } as never;
	};
	return derive(context, { getCredentials });
}
