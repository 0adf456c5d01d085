/**
 * How n8n renews tokens. Lines of sources are those of n8n 2.41.1. Its OAuth client (1.123 and 2.41)
 * follows redirects of the token endpoint, with the refresh token and the client secret.
 *
 * n8n 2.41 joins a renewal to one of the same credential that is in progress (`oauth.ts` of n8n-core,
 * line 296), even if that one is for another account: a credential may be resolved for each user. So
 * `Sessions` lets the renewals of a credential take turns.
 */

/** An error of n8n or of its OAuth client. */
interface RenewalError {
	/** JSON of the answer, if it names an OAuth error. */
	readonly body?: { readonly error?: unknown };
	/** HTTP status of the answer, if it names no OAuth error. */
	readonly status?: unknown;
	readonly failure?: { readonly cause?: unknown };
}

/**
 * Returns why n8n could not renew tokens: the OAuth error of the answer (RFC 6749, section 5.2),
 * `otherServer` if the answer is not that of a token endpoint, or `undefined`.
 *
 * n8n 1.123 throws the error of its OAuth client, `AuthError` or `ResponseError` (`client-oauth2.ts` of
 * `@n8n/client-oauth2`, lines 183 to 211). n8n 2.41 throws another one for `invalid_grant` (`oauth.ts` of
 * n8n-core, line 134).
 */
export function refusalOf(thrown: unknown): string | undefined {
	const { body, failure, status } = Object(thrown) as RenewalError;
	if (failure?.cause === 'credential-invalid') return 'invalid_grant';
	if (typeof body?.error === 'string') return body.error;
	return typeof status === 'number' && status < 500 ? 'otherServer' : undefined;
}
