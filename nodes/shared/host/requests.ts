/** n8n's credential store and request helpers. Lines of sources are those of n8n-core 2.41.1. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
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

/** What a request helper of n8n receives when it reads the credential. */
export type ReadCredential = () => Promise<ICredentialDataDecryptedObject>;

/** n8n, as the requests of a run with a node's credential need it. */
export class HostRequests {
	/**
	 * @param type the credential's type
	 * @param cancel the cancel signal of the run
	 */
	constructor(
		private readonly context: RequestContext,
		private readonly type: string,
		readonly cancel: AbortSignal | undefined,
	) {}

	/** The id of the credential; empty if the node has none. */
	get credentialId(): string {
		return this.context.getNode().credentials?.[this.type]?.id ?? '';
	}

	/** Reads the node's credential as it is stored now. */
	async readCredential(): Promise<ICredentialDataDecryptedObject> {
		return await this.context.getCredentials<ICredentialDataDecryptedObject>(this.type);
	}

	/** Writes to n8n's log. */
	debug(message: string, details: IDataObject): void {
		this.context.logger.debug(message, details);
	}

	/**
	 * Sends a request without the access token.
	 *
	 * @throws what n8n throws if there is no answer
	 */
	protected async request(
		options: IHttpRequestOptions,
		abortSignal: AbortSignal,
	): Promise<HostAnswer> {
		return (await this.context.helpers.httpRequest({ ...options, abortSignal })) as HostAnswer;
	}

	/**
	 * Sends a request with the access token of the credential. n8n replaces the signal of the request by
	 * that of `this` (1.123 and 2.41; `authentication.ts`, line 36). n8n's `timeout` measures silence
	 * only, and an occasional byte ends a silence; so the signal must also abort at the deadline.
	 *
	 * @throws what n8n throws if there is no answer
	 */
	protected async signedRequest(
		options: IHttpRequestOptions,
		signal: AbortSignal,
		read: ReadCredential,
	): Promise<HostAnswer> {
		const { httpRequestWithAuthentication } = this.context.helpers;
		const context = this.reading(read, signal);
		return (await httpRequestWithAuthentication.call(context, this.type, options)) as HostAnswer;
	}

	/**
	 * Renews the tokens of the credential and stores the new ones.
	 *
	 * @throws what n8n throws if it cannot
	 */
	protected async refreshTokens(read: ReadCredential): Promise<void> {
		const { refreshOAuth2Token } = this.context.helpers;
		await refreshOAuth2Token.call(this.reading(read, this.cancel), this.type);
	}

	/**
	 * Derives a context that reads the credential in another way. n8n's helpers read it from their
	 * `this`, for each request and for each renewal (1.123 and 2.41; `oauth.ts`, lines 405 and 674), and
	 * may mutate what they receive.
	 */
	private reading(read: ReadCredential, signal: AbortSignal | undefined): RequestContext {
		return Object.create(this.context, {
			getCredentials: { value: async () => ({ ...(await read()) }) },
			getExecutionCancelSignal: { value: () => signal },
		}) as RequestContext;
	}
}
