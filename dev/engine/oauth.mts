import type { ClientOAuth2Options, OAuth2CredentialData } from '@n8n/client-oauth2';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';

import { additionalData, workflowRecord } from './additional.mts';
import type { EngineCredentials } from './credentials.mts';
import { oauth2, workflow } from './n8n.mts';

/** Where a local n8n receives the authorization code. */
const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';

/** What n8n packs into the `state` parameter. */
interface State {
	token: string;
	cid: string;
}

/** A stored credential resolved outside any workflow run, as n8n's editor routes do it. */
async function resolve(
	credentials: EngineCredentials,
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<ICredentialDataDecryptedObject> {
	const workflowData = workflowRecord({ id: 'none', nodes: [], connections: {} });
	const execution = { executionId: 'none', mode: 'internal' as const, workflowData };
	const surroundings = additionalData(credentials, execution);
	return await credentials.applyDefaultsAndOverwrites(surroundings, data, type, 'internal');
}

/** The OAuth2 client's options out of a resolved credential. */
function clientOptions(data: OAuth2CredentialData): ClientOAuth2Options {
	return {
		clientId: data.clientId,
		clientSecret: data.clientSecret ?? '',
		accessTokenUri: data.accessTokenUrl,
		authorizationUri: data.authUrl ?? '',
		authentication: data.authentication ?? 'header',
		redirectUri,
		scopes: (data.scope ?? 'openid').split(','),
		scopesSeparator: data.scope?.includes(',') ? ',' : ' ',
		ignoreSSLIssues: data.ignoreSSLIssues ?? false,
	};
}

/** Checks that an address may be opened, as n8n does before it sends anybody there. */
function assertWebAddress(address: string | undefined): void {
	if (!address || !/^https?:$/.test(new URL(address).protocol)) {
		throw new workflow.UserError(`OAuth url must use HTTP or HTTPS: ${address}`);
	}
}

/**
 * "Connect my account", first half: the address of the consent page. Remembers in the credential
 * which authorization is under way.
 *
 * @throws UserError when the credential's addresses are not http(s)
 */
export async function authorizationUri(
	credentials: EngineCredentials,
	id: string,
): Promise<string> {
	const { type } = await credentials.storage.read(id);
	const once = await resolve(credentials, type, await credentials.stored(id));
	// n8n drops a scope that is hidden from the user and resolves the already resolved data again.
	const properties = credentials.getCredentialsProperties(type);
	const scope = properties.find(({ name }) => name === 'scope');
	if (scope?.type === 'hidden' && type.includes('OAuth2')) delete once.scope;
	const resolved = await resolve(credentials, type, once);
	const data = resolved as unknown as OAuth2CredentialData;
	assertWebAddress(data.authUrl);
	assertWebAddress(data.accessTokenUrl);

	const csrfSecret = randomBytes(18).toString('base64url');
	const content: State = { token: csrfSecret, cid: id };
	const state = Buffer.from(JSON.stringify(content)).toString('base64');
	await credentials.patch(id, { csrfSecret });

	const client = new oauth2.ClientOAuth2({ ...clientOptions(data), state });
	return client.code.getUri();
}

/**
 * "Connect my account", second half: takes the address the browser was sent back to, exchanges its
 * code for tokens and stores them in the credential its state names.
 *
 * @param callback the whole callback address, with `code` and `state` in its query
 * @throws UnexpectedError when the state is not the one under way
 * @throws AuthError or ResponseError of the OAuth2 client when the exchange is refused
 */
export async function exchangeCode(
	credentials: EngineCredentials,
	callback: string,
): Promise<void> {
	const { searchParams, search } = new URL(callback);
	const encoded = searchParams.get('state');
	if (!searchParams.get('code') || !encoded) {
		throw new workflow.UserError('Insufficient parameters for OAuth2 callback.');
	}
	const decoded = Buffer.from(encoded, 'base64').toString();
	const state = workflow.jsonParse<State>(decoded, { errorMessage: 'Invalid state format' });
	const { type } = await credentials.storage.read(state.cid);
	const stored = await credentials.stored(state.cid);
	if (stored.csrfSecret === undefined || state.token !== stored.csrfSecret) {
		throw new workflow.UnexpectedError('The OAuth callback state is invalid!');
	}

	const resolved = await resolve(credentials, type, stored);
	const data = resolved as unknown as OAuth2CredentialData;
	const client = new oauth2.ClientOAuth2(clientOptions(data));
	const token = await client.code.getToken(`${redirectUri}${search}`);

	const rest = [...searchParams].filter(([name]) => name !== 'state' && name !== 'code');
	const previous = stored.oauthTokenData;
	const oauthTokenData = {
		// Some providers hand out a refresh token only the first time.
		...(typeof previous === 'object' ? previous : {}),
		...token.data,
		...(rest.length > 0 && { callbackQueryString: Object.fromEntries(rest) }),
	} as ICredentialDataDecryptedObject;
	await credentials.patch(state.cid, { oauthTokenData }, ['csrfSecret']);
}
