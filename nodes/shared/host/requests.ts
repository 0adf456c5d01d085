/**
 * n8n's credential store, request helpers and OAuth client (1.123 and 2.41). Lines of sources are those of
 * n8n-core 2.41.1. The OAuth client follows redirects of the token endpoint: HTTP 307 and 308 with the
 * refresh token, and with the client secret only to the same host or its subdomains.
 */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { messageOf, serviceError } from '../errors/ServiceError';
import { formatValue } from '../errors/words';
import { isOfHost } from './nodes';

const CREDENTIAL = 'payrollOAuth2Api';

/** n8n's context of a run, or of the editor's lists. */
type RequestContext = IExecuteFunctions | ILoadOptionsFunctions;

/** An answer as n8n returns it. */
interface HostAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?(): void };
}

/** A longer text is no token: no server takes a header of this length. A process remembers many tokens. */
const MAX_TOKEN = 2 ** 16;

/** Returns the tokens of the connected account in a credential's data. */
export function tokensOf(data: ICredentialDataDecryptedObject) {
	// The token response (docs/dev/interface.md, section 2), and its end: `addExpiresAt` in `oauth.ts`, line 83.
	const { access_token, refresh_token, n8n_expires_at } = Object(
		data.oauthTokenData,
	) as IDataObject;
	const given = (value: unknown): string | undefined =>
		typeof value === 'string' && value !== '' && value.length <= MAX_TOKEN ? value : undefined;
	const refreshToken = given(refresh_token);
	const { accessTokenUrl, clientId, clientSecret } = data;
	return {
		accessToken: given(access_token),
		refreshToken,
		/** When the access token expires, in milliseconds since 1970. n8n 1 does not store it. */
		expiresAt: Number(n8n_expires_at) || undefined,
		/** What the token endpoint is asked with to renew them, to compare. */
		asked: JSON.stringify([accessTokenUrl, clientId, clientSecret, refreshToken]),
	};
}

export type StoredTokens = Readonly<ReturnType<typeof tokensOf>>;

/** n8n with the credential of this package. */
export class RequestHost {
	private cachedKey: string | undefined;
	private cached: Promise<ICredentialDataDecryptedObject> | undefined;

	constructor(
		private readonly context: RequestContext,
		/** The cancel signal of the run. */
		readonly cancel: AbortSignal | undefined,
	) {}

	/** The id of the credential; empty if the node has none. */
	get credentialId(): string {
		return this.context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	}

	/** The time zone of the workflow, such as Europe/Amsterdam. */
	get timeZone(): string {
		return this.context.getTimezone();
	}

	/** @throws {ServiceError} if n8n's database fails, for instance: nothing is sent then */
	async readCredential(): Promise<ICredentialDataDecryptedObject> {
		const reading = this.context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		return await reading.catch((thrown: unknown) => {
			if (isOfHost(thrown)) throw thrown;
			throw serviceError('RENEWAL_FAILED/credential', { reason: messageOf(thrown) });
		});
	}

	debug(message: string, details: IDataObject): void {
		this.context.logger.debug(message, details);
	}

	/**
	 * Has n8n renew these tokens and store the new ones. Tokens that another process stored meanwhile
	 * must not be renewed again. n8n's client merges the answer into the old tokens: without a check, n8n would
	 * store an answer of HTTP 200 that names an error, and an empty refresh token in place of a good one. An answer with the
	 * same access token and another refresh token is stored: the old one may be spent.
	 *
	 * @throws {Error} if others are stored, or what n8n throws: see {@link answerOf}
	 */
	async renewTokens({ accessToken, refreshToken }: StoredTokens): Promise<void> {
		const onlyThese = async () => {
			const data = { ...(await this.readCredential()) };
			const stored = tokensOf(data);
			if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
				throw new Error('Renewed already');
			}
			// n8n assigns the new tokens before it stores them: `refreshOrFetchToken` in `oauth.ts`, line 165.
			let { oauthTokenData } = data;
			return Object.defineProperty(data, 'oauthTokenData', {
				get: () => oauthTokenData,
				set: (body: IDataObject) => {
					const renewed = tokensOf({ oauthTokenData: body });
					const refresh_token = renewed.refreshToken ?? refreshToken;
					const isSame = renewed.accessToken === accessToken && refresh_token === refreshToken;
					if (renewed.accessToken === undefined || isSame) {
						throw Object.assign(new Error('No new token'), { body, status: 200 });
					}
					oauthTokenData = { ...body, refresh_token };
				},
			});
		};
		const context = this.derived(onlyThese, undefined);
		await this.context.helpers.refreshOAuth2Token.call(context, CREDENTIAL);
	}

	/**
	 * Sends a request, signed if there may be an access token. To decrypt the credential and resolve its expressions
	 * takes more time than anything else in a call. So it is cached until the session's token changes.
	 *
	 * @param abortSignal aborts the request
	 * @param currentToken returns the session's current access token
	 * @returns n8n's answer, and the access token that the request carried; empty if it carried none
	 * @throws what n8n throws if there is no answer
	 */
	async send(
		options: IHttpRequestOptions,
		abortSignal: AbortSignal,
		currentToken?: () => string | undefined,
	): Promise<{ readonly answer: HostAnswer; readonly token: string }> {
		const { helpers } = this.context;
		if (currentToken === undefined) {
			const answer: unknown = await helpers.httpRequest({ ...options, abortSignal });
			return { answer: answer as HostAnswer, token: '' };
		}
		// The token that signs the request is the one in the credential that n8n receives for it.
		let token = '';
		const read = async () => {
			if (this.cached === undefined || this.cachedKey !== currentToken()) {
				const reading = this.readCredential();
				[this.cachedKey, this.cached] = [currentToken(), reading];
				// Do not cache a failed read.
				reading.catch(() => (this.cached = this.cached === reading ? undefined : this.cached));
			}
			const data = { ...(await this.cached) };
			token = tokensOf(data).accessToken ?? '';
			return data;
		};
		// Without the type, n8n's client puts a token whose `token_type` is not "bearer" into the address:
		// `sign` in `client-oauth2-token.ts` of `@n8n/client-oauth2`.
		const answer: unknown = await helpers.httpRequestWithAuthentication.call(
			this.derived(read, abortSignal),
			CREDENTIAL,
			options,
			{ oauth2: { tokenType: 'Bearer' } },
		);
		return { answer: answer as HostAnswer, token };
	}

	/**
	 * Derives a context that reads the credential in another way, and has another cancel signal, as the `this`
	 * of n8n's helpers. They read the credential for each request and each renewal, and may mutate it:
	 * `oauth.ts`, lines 405 and 674. They take the signal of each signed request: `authentication.ts`, line 36.
	 * It must also abort at a deadline, since n8n's `timeout` measures silence only.
	 */
	private derived(
		getCredentials: () => Promise<ICredentialDataDecryptedObject>,
		signal: AbortSignal | undefined,
	): RequestContext {
		return Object.create(this.context, {
			getCredentials: { value: getCredentials },
			getExecutionCancelSignal: { value: () => signal },
		}) as RequestContext;
	}
}

/** An error of n8n or of its OAuth client. */
interface RenewalError {
	/** JSON of an answer of HTTP 4xx, if it names an error; otherwise its text. */
	readonly body?: string | { readonly error?: unknown; readonly error_description?: unknown };
	/** HTTP status of any other answer. */
	readonly status?: number;
	/** An answer of HTTP 5xx. */
	readonly response?: { readonly headers?: Readonly<Record<string, unknown>> };
	readonly failure?: { readonly cause?: unknown };
}

/** How much of a text is read, in characters: no more can come before the pause that it asks for. */
const MAX_TEXT = 16_384;

/** Errors with HTTP 4xx that ask to slow down, in the words of common servers and gateways. */
const TOO_MANY = /\b429\b|too.?many|rate.?limit|slow.?down|temporarily.?unavailable/i;

/**
 * Reads what n8n threw because it could not renew tokens: the error of its OAuth client, `AuthError` or
 * `ResponseError` (`client-oauth2.ts` of `@n8n/client-oauth2`), with HTTP 5xx that of axios, and in 2.41
 * another one for `invalid_grant` (`oauth.ts`, line 134). An `AuthError` does not have the status of the
 * answer: for HTTP 429, only its words are left.
 *
 * @returns the OAuth error of the answer (RFC 6749, section 5.2), and its HTTP status, as far as they are
 * known; its headers with HTTP 5xx, and its text otherwise
 */
export function answerOf(thrown: unknown) {
	const { body = '', failure, response, status } = Object(thrown) as RenewalError;
	const { error, error_description: description } =
		typeof body === 'string' ? { error_description: body } : body;
	const [name = '', more = ''] = [error, description].map((text) =>
		typeof text === 'string' ? text.slice(0, MAX_TEXT) : formatValue(text),
	);
	const isSpent = failure?.cause === 'credential-invalid';
	const usual = error === undefined ? undefined : 400;
	return {
		error: isSpent ? 'invalid_grant' : error === undefined ? undefined : name,
		status: TOO_MANY.test(name) ? 429 : (status ?? usual),
		headers: response?.headers ?? {},
		text: `${name} ${more}`,
	};
}
