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

/** Posts a form to an identity endpoint as the client; gives the raw response. */
export async function postForm(
	connection: Connection,
	path: '/connect/token' | '/connect/revocation',
	form: Record<string, string>,
): Promise<Response> {
	const { url, clientId, clientSecret } = connection;
	const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	return await fetch(new URL(path, url), {
		method: 'POST',
		// docs/dev/interface.md, section 4.1: Basic with URL-encoded id and secret.
		headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
		body: new URLSearchParams(form),
	});
}

/** Spends a refresh token; gives the raw response. */
export async function refresh(connection: Connection, refreshToken = ''): Promise<Response> {
	const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
	return await postForm(connection, '/connect/token', form);
}

/** Signs in, consents, exchanges the code; gives the tokens. */
export async function connect(connection: Connection): Promise<Tokens> {
	const url = new URL('/connect/authorize', connection.url);
	const redirect_uri = connection.redirectUris[0] ?? '';
	url.search = new URLSearchParams({
		...{ client_id: connection.clientId, state: 'state-1', scope: connection.scopes.join(' ') },
		...{ response_type: 'code', redirect_uri },
	}).toString();
	const code = (await authorize(url, connection)).searchParams.get('code') ?? '';
	const form = { grant_type: 'authorization_code', code, redirect_uri };
	const response = await postForm(connection, '/connect/token', form);
	if (!response.ok) throw new Error(`No tokens: ${await response.text()}`);
	return (await response.json()) as Tokens;
}
