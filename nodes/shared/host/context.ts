import type { IExecuteFunctions, RequestHelperFunctions } from 'n8n-workflow';

/** n8n's helpers that send requests. Their `this` needs no more than a {@link RequestContext}. */
type RequestHelpers = {
	readonly [Name in
		| 'httpRequest'
		| 'httpRequestWithAuthentication'
		| 'refreshOAuth2Token']: OmitThisParameter<RequestHelperFunctions[Name]>;
};

/**
 * The part of n8n's context that sending a request needs. The context of a run has all of it; the
 * context of the editor's lists has no cancel signal, see `actions/designTime`.
 */
export interface RequestContext
	extends Pick<
		IExecuteFunctions,
		'getCredentials' | 'getNode' | 'getExecutionCancelSignal' | 'logger'
	> {
	readonly helpers: RequestHelpers;
}

/**
 * Derives a context with overridden members. n8n's helpers use the overrides if they are called
 * with the derived context as `this`.
 */
export function derive<C extends object, Own extends Partial<RequestContext>>(
	context: C,
	own: Own,
): C & Own {
	return Object.create(context, Object.getOwnPropertyDescriptors(own)) as C & Own;
}
