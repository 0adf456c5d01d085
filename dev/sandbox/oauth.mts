/** The client's steps of docs/dev/interface.md, section 5.2, one by one, for tests and the demo. */
import { authorize } from './login.mts';
import type { Connection } from './options.mts';

/** The token response of docs/dev/interface.md, section 2. */
export interface Tokens {
	access_token: string;
	expires_in: number;
	token_type: string;
	refresh_token?: string;
	scope: string;
}

/** Takes what to request; returns the URL to open in the user's browser. */
export function authorizationUrl(
	connection: Connection,
	{ scope = connection.scopes.join(' '), state = 'state-1', redirectUri = '' } = {},
): URL {
	const url = new URL('/connect/authorize', connection.url);
	url.search = new URLSearchParams({
		client_id: connection.clientId,
		state,
		scope,
		response_type: 'code',
		redirect_uri: redirectUri || (connection.redirectUris[0] ?? ''),
	}).toString();
	return url;
}

/** The header of docs/dev/interface.md, section 4.1: Basic with URL-encoded id and secret. */
export function basic({ clientId, clientSecret }: Connection): string {
	const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Posts a form to an identity endpoint as the client; gives the raw response. */
export async function postForm(
	connection: Connection,
	path: '/connect/token' | '/connect/revocation',
	form: Record<string, string>,
	authorization = basic(connection),
): Promise<Response> {
	return await fetch(new URL(path, connection.url), {
		method: 'POST',
		headers: { Authorization: authorization },
		body: new URLSearchParams(form),
	});
}

/** Exchanges a code; gives the raw response. */
export async function exchange(connection: Connection, code: string): Promise<Response> {
	const redirect_uri = connection.redirectUris[0] ?? '';
	const form = { grant_type: 'authorization_code', code, redirect_uri };
	return await postForm(connection, '/connect/token', form);
}

/** Spends a refresh token; gives the raw response. */
export async function refresh(connection: Connection, refreshToken = ''): Promise<Response> {
	const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
	return await postForm(connection, '/connect/token', form);
}

/** Signs in, consents, exchanges the code; gives the tokens. */
export async function connect(
	connection: Connection,
	scope = connection.scopes.join(' '),
): Promise<Tokens> {
	const url = authorizationUrl(connection, { scope });
	const redirect = await authorize(url, connection);
	const response = await exchange(connection, redirect.searchParams.get('code') ?? '');
	if (!response.ok) throw new Error(`No tokens: ${await response.text()}`);
	return (await response.json()) as Tokens;
}
