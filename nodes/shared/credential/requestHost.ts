import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import {
	derived,
	type HostAnswer,
	type ReadCredential,
	type RequestContext,
} from '../host/requests';
import { CREDENTIAL, tokensOf, type AccountTokens } from './connection';

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

/** n8n with the credential of this package. By itself, it sends requests without the access token. */
export class RequestHost implements Sender {
	private readonly begun: Array<Promise<unknown>> = [];

	constructor(
		private readonly context: RequestContext,
		/** The cancel signal of the run. */
		readonly cancel: AbortSignal | undefined,
	) {}

	/** The id of the credential; empty if the node has none. */
	get credentialId(): string {
		return this.context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	}

	/** Reads the credential as it is stored now. */
	async readCredential(): Promise<ICredentialDataDecryptedObject> {
		return await this.context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	}

	/**
	 * Has n8n renew these tokens and store the new ones. Tokens that another process stored meanwhile
	 * must not be renewed again.
	 *
	 * @returns the new access token; that of another account if n8n joined this renewal to its renewal
	 * @throws {Error} if others are stored, or what n8n throws
	 */
	async renewTokens({ accessToken, refreshToken }: AccountTokens): Promise<string | undefined> {
		const onlyThese: ReadCredential = async () => {
			const data = await this.readCredential();
			const stored = tokensOf(data);
			if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
				throw new Error('Renewed already');
			}
			return data;
		};
		const { refreshOAuth2Token } = this.context.helpers;
		const context = derived(this.context, onlyThese, this.cancel);
		const renewed: unknown = await refreshOAuth2Token.call(context, CREDENTIAL);
		return tokensOf({ oauthTokenData: renewed as ICredentialDataDecryptedObject }).accessToken;
	}

	async send(options: IHttpRequestOptions, abortSignal: AbortSignal): ReturnType<Sender['send']> {
		const answer: unknown = await this.context.helpers.httpRequest({ ...options, abortSignal });
		return { answer: answer as HostAnswer, token: '' };
	}

	/** Keeps track of work that the run started without waiting for it; its failure is ignored. */
	track(work: Promise<unknown>): void {
		this.begun.push(work.catch(() => undefined));
	}

	/**
	 * Waits until the tracked work has ended. The process may end with the run, and the successor of a
	 * spent refresh token must be stored before.
	 */
	async settled(): Promise<void> {
		await Promise.all(this.begun);
	}

	/** Writes to n8n's log. */
	debug(message: string, details: IDataObject): void {
		this.context.logger.debug(message, details);
	}

	/**
	 * Returns what sends requests with the access token. To decrypt the credential and resolve its
	 * expressions takes more time than anything else in a call. So it is cached until the session's
	 * token changes.
	 *
	 * @param currentToken returns the session's current access token
	 */
	signed(currentToken: () => string | undefined): Sender {
		const read = this.cachedFor(currentToken);
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
				const context = derived(this.context, noting, signal);
				const { httpRequestWithAuthentication } = this.context.helpers;
				const answer: unknown = await httpRequestWithAuthentication.call(
					context,
					CREDENTIAL,
					options,
				);
				return { answer: answer as HostAnswer, token };
			},
		};
	}

	/** Returns a function that reads the credential once for each value of `key`. */
	private cachedFor(key: () => string | undefined): ReadCredential {
		let cachedKey: string | undefined;
		let cached: Promise<ICredentialDataDecryptedObject> | undefined;
		return async () => {
			if (cached === undefined || cachedKey !== key()) {
				const data = this.readCredential();
				[cachedKey, cached] = [key(), data];
				// Do not cache a failed read.
				data.catch(() => (cached = cached === data ? undefined : cached));
			}
			return await cached;
		};
	}
}
