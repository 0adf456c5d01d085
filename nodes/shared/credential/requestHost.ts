import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import {
	HostRequests,
	type HostAnswer,
	type ReadCredential,
	type RequestContext,
} from '../host/requests';
import { notConnected } from '../errors/credentialErrors';
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
export class RequestHost extends HostRequests implements Sender {
	/** @param cancel the cancel signal of the run */
	constructor(context: RequestContext, cancel: AbortSignal | undefined) {
		super(context, CREDENTIAL, cancel);
	}

	/**
	 * Has n8n renew these tokens and store the new ones. Tokens that another process stored meanwhile
	 * must not be renewed again.
	 *
	 * @throws {Error} if others are stored, or what n8n throws
	 */
	async renewTokens({ accessToken, refreshToken }: AccountTokens): Promise<void> {
		await this.refreshTokens(async () => {
			const data = await this.readCredential();
			const stored = tokensOf(data);
			if (stored.accessToken === undefined) throw notConnected();
			if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
				throw new Error('Renewed already');
			}
			return data;
		});
	}

	async send(options: IHttpRequestOptions, signal: AbortSignal): ReturnType<Sender['send']> {
		return { answer: await this.request(options, signal), token: '' };
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
				const answer = await this.signedRequest(options, signal, async () => {
					const data = await read();
					token = tokensOf(data).accessToken ?? '';
					return data;
				});
				return { answer, token };
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
