import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	RequestHelperFunctions,
} from 'n8n-workflow';
import type { HostAnswer } from '../host/workarounds';
import { CREDENTIAL, notConnected, tokensOf, type AccountTokens } from './connection';

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

/** Sends requests of a run through n8n. */
export interface Sender {
	/** The cancel signal of the run. */
	readonly cancel: AbortSignal | undefined;
	/**
	 * @param signal aborts the request
	 * @returns n8n's answer, and the access token that the request carried, if any
	 * @throws what n8n throws if there is no answer
	 */
	send(
		options: IHttpRequestOptions,
		signal: AbortSignal,
	): Promise<{ readonly answer: HostAnswer; readonly token: string }>;
}

type ReadCredential = () => Promise<ICredentialDataDecryptedObject>;

/**
 * n8n, as the requests of a run need it: it stores the node's credential, renews its tokens and
 * sends requests. By itself, it sends them without the access token.
 */
export class RequestHost implements Sender {
	/** @param cancel the cancel signal of the run */
	constructor(
		private readonly context: RequestContext,
		readonly cancel: AbortSignal | undefined,
	) {}

	/** The id of the credential; empty if the node has none. */
	get credentialId(): string {
		return this.context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	}

	/**
	 * Reads the node's credential. The result is never cached: each call reads the credential again.
	 */
	async readCredential(): Promise<ICredentialDataDecryptedObject> {
		return await this.context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	}

	/**
	 * Has n8n renew these tokens and store the new ones. n8n reads the credential again before; tokens
	 * that another process stored meanwhile must not be renewed again.
	 *
	 * @throws {Error} if others are stored, or what n8n throws
	 */
	async renewTokens({ accessToken, refreshToken }: AccountTokens): Promise<void> {
		const onlyThese = this.reading(async () => {
			const data = await this.readCredential();
			const stored = tokensOf(data);
			if (stored.accessToken === undefined) throw notConnected();
			if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
				throw new Error('Renewed already');
			}
			return data;
		});
		await this.context.helpers.refreshOAuth2Token.call(onlyThese, CREDENTIAL);
	}

	async send(options: IHttpRequestOptions, abortSignal: AbortSignal): ReturnType<Sender['send']> {
		const { httpRequest } = this.context.helpers;
		return { answer: (await httpRequest({ ...options, abortSignal })) as HostAnswer, token: '' };
	}

	/**
	 * Returns what sends requests with the access token. n8n reads the credential for every request;
	 * decrypting it and resolving its expressions takes more time than anything else in a call. So it
	 * is cached here until the session's token changes.
	 *
	 * @param currentToken returns the session's current access token
	 */
	signed(currentToken: () => string | undefined): Sender {
		let cachedFor: string | undefined;
		let cached: Promise<ICredentialDataDecryptedObject> | undefined;
		const read: ReadCredential = async () => {
			if (cached === undefined || cachedFor !== currentToken()) {
				const data = this.readCredential();
				[cachedFor, cached] = [currentToken(), data];
				// Do not cache a failed read.
				data.catch(() => (cached = cached === data ? undefined : cached));
			}
			// n8n may mutate what it receives.
			return { ...(await cached) };
		};
		return {
			cancel: this.cancel,
			send: async (options, signal) => {
				// The token that signs the request is the one in the credential that n8n receives for it.
				let token = '';
				const noting: ReadCredential = async () => {
					const data = await read();
					token = tokensOf(data).accessToken ?? '';
					return data;
				};
				// n8n puts the cancel signal of `this` on every request. The signal of this request also
				// aborts at its deadline, since n8n's `timeout` measures silence only, and an occasional
				// byte ends a silence.
				const bounded = this.reading(noting, signal);
				const { httpRequestWithAuthentication } = this.context.helpers;
				const answer = await httpRequestWithAuthentication.call(bounded, CREDENTIAL, options);
				return { answer: answer as HostAnswer, token };
			},
		};
	}

	/** Writes to n8n's log. */
	debug(message: string, details: IDataObject): void {
		this.context.logger.debug(message, details);
	}

	/**
	 * Derives a context that reads the credential in another way, for n8n's helpers: they read it to
	 * sign and to renew, if they are called with that context as `this`.
	 */
	private reading(read: ReadCredential, signal = this.cancel): RequestContext {
		return Object.create(this.context, {
			getCredentials: { value: read },
			getExecutionCancelSignal: { value: () => signal },
		}) as RequestContext;
	}
}
