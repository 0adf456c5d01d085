import type { IExecuteFunctions, RequestHelperFunctions } from 'n8n-workflow';

/** n8n's helpers that send requests. Of their `this` they need no more than a {@link TransportContext}. */
type RequestHelpers = {
	readonly [Name in
		| 'httpRequest'
		| 'httpRequestWithAuthentication'
		| 'refreshOAuth2Token']: OmitThisParameter<RequestHelperFunctions[Name]>;
};

/**
 * What the transport needs of n8n. The context of a run has all of it; the context of the editor's
 * lists has no cancel signal, see `actions/designTime`.
 */
export interface TransportContext
	extends Pick<
		IExecuteFunctions,
		'getCredentials' | 'getNode' | 'getExecutionCancelSignal' | 'logger'
	> {
	readonly helpers: RequestHelpers;
}

/** The same context with members of its own, also for n8n's helpers that are called with it. */
export function derive<C extends object, Own extends Partial<TransportContext>>(
	context: C,
	own: Own,
): C & Own {
	return Object.create(context, Object.getOwnPropertyDescriptors(own)) as C & Own;
}
