/**
 * How n8n renews tokens. Lines of sources are those of n8n 2.41.1. Its OAuth client (1.123 and 2.41)
 * follows redirects of the token endpoint: HTTP 307 and 308 with the refresh token, and with the client
 * secret only to the same host or its subdomains.
 *
 * n8n 2.41 joins a renewal to one of the same credential that is in progress (`oauth.ts` of n8n-core,
 * line 296), even if that one is for another account: a credential may be resolved for each user. So
 * `Sessions` lets the renewals of a credential take turns.
 */
import { formatValue } from '../errors/words';

/** An error of n8n or of its OAuth client. */
interface RenewalError {
	/** JSON of an answer of HTTP 4xx, if it names an error; otherwise its text. */
	readonly body?: string | { readonly error?: unknown; readonly error_description?: unknown };
	/** HTTP status of any other answer. */
	readonly status?: unknown;
	/** An answer of HTTP 5xx. */
	readonly response?: { readonly headers?: Readonly<Record<string, unknown>> };
	readonly failure?: { readonly cause?: unknown };
}

/** What n8n shows of an answer that brought no tokens. */
interface RenewalAnswer {
	/** The OAuth error of the answer (RFC 6749, section 5.2). */
	readonly error: string | undefined;
	/** Its HTTP status, if it is known. */
	readonly status: number | undefined;
	/** Only known with HTTP 5xx. */
	readonly headers: Readonly<Record<string, unknown>>;
	/** Only known below HTTP 500. */
	readonly text: string;
}

/** How much of a text is read, in characters: no more can come before the pause that it asks for. */
const MAX_TEXT = 16_384;

/** Errors with HTTP 4xx that ask to slow down, in the words of common servers and gateways. */
const TOO_MANY = /\b429\b|too.?many|rate.?limit|slow.?down|temporarily.?unavailable/i;

/**
 * Reads what n8n threw because it could not renew tokens.
 *
 * n8n 1.123 throws the error of its OAuth client, `AuthError` or `ResponseError` (`client-oauth2.ts` of
 * `@n8n/client-oauth2`, lines 183 to 211), and with HTTP 5xx that of axios. n8n 2.41 throws another one
 * for `invalid_grant` (`oauth.ts` of n8n-core, line 134). An `AuthError` does not have the status of the
 * answer: for HTTP 429, only its words are left. They decide no more than whether to wait, since every
 * HTTP 4xx that names an error refuses the request.
 */
export function answerOf(thrown: unknown): RenewalAnswer {
	const { body = '', failure, response, status } = Object(thrown) as RenewalError;
	const { error: named, error_description: description } =
		typeof body === 'string' ? { error_description: body } : body;
	const error = failure?.cause === 'credential-invalid' ? 'invalid_grant' : named;
	const [name = '', more = ''] = [named, description].map((one) =>
		typeof one === 'string' ? one.slice(0, MAX_TEXT) : formatValue(one),
	);
	const known = TOO_MANY.test(name) ? 429 : status;
	return {
		error: typeof error === 'string' ? error : undefined,
		status: typeof known === 'number' ? known : undefined,
		headers: response?.headers ?? {},
		text: `${name} ${more}`,
	};
}
