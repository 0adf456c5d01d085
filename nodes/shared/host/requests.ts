/** n8n's credential store and request helpers. Lines of sources are those of n8n-core 2.41.1. */
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	RequestHelperFunctions,
} from 'n8n-workflow';

/**
 * The part of n8n's context that sending requests needs. The context of a run has all of it, and so
 * has that of the editor's lists.
 */
export interface RequestContext
	extends Pick<IExecuteFunctions, 'getCredentials' | 'getNode' | 'logger'> {
	/** Their `this` needs no more than a {@link RequestContext}. */
	readonly helpers: {
		readonly [Name in
			| 'httpRequest'
			| 'httpRequestWithAuthentication'
			| 'refreshOAuth2Token']: OmitThisParameter<RequestHelperFunctions[Name]>;
	};
}

/** An answer as n8n returns it. */
export interface HostAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?(): void };
}

/** What reads a credential. */
export type ReadCredential = () => Promise<ICredentialDataDecryptedObject>;

/**
 * Derives a context that reads the credential in another way, and has another cancel signal, to call
 * n8n's helpers with as their `this`. From it, they (1.123 and 2.41)
 *
 * - read the credential for each request and each renewal, and may mutate it: `oauth.ts`, lines 405
 *   and 674;
 * - take the signal of each signed request: `authentication.ts`, line 36. It must also abort at a
 *   deadline, since n8n's `timeout` measures silence only, and an occasional byte ends a silence.
 */
export function derived(
	context: RequestContext,
	read: ReadCredential,
	signal: AbortSignal | undefined,
): RequestContext {
	return Object.create(context, {
		getCredentials: { value: async () => ({ ...(await read()) }) },
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
}
