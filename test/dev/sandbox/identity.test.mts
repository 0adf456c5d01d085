import { CookieJar } from '../../../dev/cookies.mts';
import { launchSandbox } from '../../../dev/sandbox/client.mts';
import type { SandboxClient } from '../../../dev/sandbox/client.mts';
import { authorize } from '../../../dev/sandbox/login.mts';
import {
	authorizationUrl,
	connect,
	exchange,
	postForm,
	refresh,
} from '../../../dev/sandbox/oauth.mts';
import type { Tokens } from '../../../dev/sandbox/oauth.mts';

let sandbox: SandboxClient;
beforeAll(async () => {
	sandbox = await launchSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
	await sandbox.configure({ accessTokenSeconds: 3600, reuse: 'refuse', tokenLatencyMs: 0 });
	await sandbox.reset();
});

const claims = (token: string): Record<string, unknown> =>
	JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
		string,
		unknown
	>;
const tokensOf = async (response: Response): Promise<Tokens> => {
	expect(response.status).toBe(200);
	return (await response.json()) as Tokens;
};
const get = async (path: string): Promise<Response> =>
	await fetch(sandbox.url + path, { redirect: 'manual' });
const hourCodeStatus = async (token: string): Promise<number> => {
	const headers = {
		Authorization: `Bearer ${token}`,
		'X-Subscription-Key': sandbox.subscriptionKey,
	};
	return (await fetch(`${sandbox.url}/api/companies/100/hourcodes`, { headers })).status;
};
const refused = async (response: Response, error = 'invalid_grant'): Promise<void> => {
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({ error });
};

describe('discovery', () => {
	it('has the paths of docs/interface.md, section 4.1 on its own origin', async () => {
		const document = (await (await get('/.well-known/openid-configuration')).json()) as object;
		expect(document).toMatchObject({
			issuer: sandbox.url,
			authorization_endpoint: `${sandbox.url}/connect/authorize`,
			token_endpoint: `${sandbox.url}/connect/token`,
			revocation_endpoint: `${sandbox.url}/connect/revocation`,
			token_endpoint_auth_methods_supported: ['client_secret_basic'],
			response_types_supported: ['code'],
		});
		expect(document).toHaveProperty('scopes_supported', expect.arrayContaining(sandbox.scopes));
	});
});

describe('the code grant', () => {
	it('leads through login and consent to the redirect address, with the state unchanged', async () => {
		const state = 'a b&c=ü+/%';
		const scope = 'employee.info company.info.read offline_access';
		const redirect = await authorize(authorizationUrl(sandbox, { state, scope }), sandbox);
		expect(redirect.origin + redirect.pathname).toBe(sandbox.redirectUris[0]);
		expect([...redirect.searchParams.keys()].sort()).toEqual(['code', 'scope', 'state']);
		expect(redirect.searchParams.get('state')).toBe(state);
		const granted = redirect.searchParams.get('scope')?.split(' ');
		expect(granted?.sort()).toEqual(scope.split(' ').sort());
	});

	it('accepts the redirect address for local tests', async () => {
		const redirectUri = 'http://localhost:8080';
		const redirect = await authorize(authorizationUrl(sandbox, { redirectUri }), sandbox);
		expect(redirect.origin).toBe(redirectUri);
		const code = redirect.searchParams.get('code') ?? '';
		const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
		await tokensOf(await postForm(sandbox, '/connect/token', form));
	});

	it('shows accessible pages, and refuses a wrong password with a message', async () => {
		const wrong = { ...sandbox, password: 'guess' };
		await expect(authorize(authorizationUrl(sandbox), wrong)).rejects.toThrow(
			'The user name or password is not correct.',
		);
		const cookies = new CookieJar();
		const first = await cookies.fetch(authorizationUrl(sandbox));
		expect(first.status).toBe(303);
		const page = await cookies.fetch(new URL(first.headers.get('location') ?? '', sandbox.url));
		const html = await page.text();
		for (const part of ['<html lang="en">', '<label for="user">', '<label for="password">']) {
			expect(html).toContain(part);
		}
	});

	it('tells the client when the user does not consent', async () => {
		const declined = await authorize(authorizationUrl(sandbox), { ...sandbox, decline: true });
		expect(declined.searchParams.get('error')).toBe('access_denied');
		expect(declined.searchParams.get('state')).toBe('state-1');
	});

	it('refuses an unknown redirect address and a missing state on a page of its own', async () => {
		const elsewhere = authorizationUrl(sandbox, { redirectUri: 'http://localhost:9999' });
		const stateless = authorizationUrl(sandbox);
		stateless.searchParams.delete('state');
		for (const url of [elsewhere, stateless]) {
			const response = await fetch(url, { redirect: 'manual', headers: { Accept: 'text/html' } });
			expect(response.status).toBe(400);
			expect(await response.text()).toContain('role="alert"');
		}
	});

	it('gives the tokens of docs/interface.md, section 2, a JWT with iat and exp', async () => {
		const tokens = await connect(sandbox);
		expect(Object.keys(tokens).sort()).toEqual([
			'access_token',
			'expires_in',
			'refresh_token',
			'scope',
			'token_type',
		]);
		expect(tokens).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
		expect(tokens.scope.split(' ').sort()).toEqual([...sandbox.scopes].sort());
		const { iat, exp } = claims(tokens.access_token);
		expect(Number(exp) - Number(iat)).toBe(3600);
		expect(await hourCodeStatus(tokens.access_token)).toBe(200);
	});

	it('gives no refresh token without offline_access', async () => {
		const tokens = await connect(sandbox, 'employee.info company.info');
		expect(tokens).not.toHaveProperty('refresh_token');
		expect(tokens.scope.split(' ').sort()).toEqual(['company.info', 'employee.info']);
	});

	it('exchanges a code once', async () => {
		const redirect = await authorize(authorizationUrl(sandbox), sandbox);
		const code = redirect.searchParams.get('code') ?? '';
		await tokensOf(await exchange(sandbox, code));
		await refused(await exchange(sandbox, code));
	});
});

describe('client authentication', () => {
	const raw = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

	it('refuses the id and secret sent raw, sent wrong, or sent in the form', async () => {
		const { clientId, clientSecret } = sandbox;
		const form = { grant_type: 'refresh_token', refresh_token: 'x' };
		const send = async (authorization: string, more = {}) =>
			await postForm(sandbox, '/connect/token', { ...form, ...more }, authorization);
		const unencoded = await send(raw(`${clientId}:${clientSecret}`));
		expect([400, 401]).toContain(unencoded.status);
		expect(await unencoded.json()).toHaveProperty('error', expect.not.stringMatching('grant'));
		expect((await send(raw(`${clientId}:wrong`))).status).toBe(401);
		const inForm = await send('', { client_id: clientId, client_secret: clientSecret });
		expect(inForm.ok).toBe(false);
		// The same request with the pair encoded gets as far as the token itself.
		await refused(await refresh(sandbox, 'x'));
	});
});

describe('refresh', () => {
	it('gives a new pair, and a spent token never works again', async () => {
		const first = await connect(sandbox);
		await sandbox.reset();
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		expect(second.refresh_token).not.toBe(first.refresh_token);
		expect(second.access_token).not.toBe(first.access_token);
		expect(await hourCodeStatus(second.access_token)).toBe(200);
		await refused(await refresh(sandbox, first.refresh_token));
		await tokensOf(await refresh(sandbox, second.refresh_token));
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 3 },
			refreshesSucceeded: 2,
			refreshesRefused: 1,
		});
	});

	it("revokes the whole grant when a spent token is used, in mode 'revoke'", async () => {
		await sandbox.configure({ reuse: 'revoke' });
		const first = await connect(sandbox);
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		await refused(await refresh(sandbox, first.refresh_token));
		await refused(await refresh(sandbox, second.refresh_token));
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 1 });
	});

	it('accepts one of many simultaneous refreshes with one token', async () => {
		await sandbox.configure({ tokenLatencyMs: 20 });
		const { refresh_token } = await connect(sandbox);
		const responses = await Promise.all(
			Array.from({ length: 8 }, async () => await refresh(sandbox, refresh_token)),
		);
		expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 7 });
	});
});

describe('revocation', () => {
	const revoke = async (token: string, hint = 'refresh_token', authorization?: string) => {
		const form = { token, token_type_hint: hint };
		return await postForm(sandbox, '/connect/revocation', form, authorization);
	};

	it('ends the grant of a refresh token, with an empty answer', async () => {
		const first = await connect(sandbox);
		const { refresh_token: token = '' } = await tokensOf(
			await refresh(sandbox, first.refresh_token),
		);
		const other = await connect(sandbox);
		const response = await revoke(token);
		expect([response.status, await response.text()]).toEqual([200, '']);
		await refused(await refresh(sandbox, token));
		// The grant of another consent stays valid.
		await tokensOf(await refresh(sandbox, other.refresh_token));
	});

	it.each(['access_token', 'refresh_token'])(
		'is refused for an access token, which is a JWT, also as a %s',
		async (hint) => {
			const { access_token, refresh_token } = await connect(sandbox);
			await refused(await revoke(access_token, hint), 'unsupported_token_type');
			expect(await hourCodeStatus(access_token)).toBe(200);
			await tokensOf(await refresh(sandbox, refresh_token));
		},
	);

	it('of an unknown or revoked token changes nothing and succeeds (RFC 7009)', async () => {
		const { refresh_token: token = '' } = await connect(sandbox);
		for (const one of ['unknown', token, token]) expect((await revoke(one)).status).toBe(200);
	});

	it('is refused without the client secret, and without a token', async () => {
		const { refresh_token: token = '' } = await connect(sandbox);
		const wrong = `Basic ${Buffer.from(`${sandbox.clientId}:wrong`).toString('base64')}`;
		expect((await revoke(token, 'refresh_token', wrong)).status).toBe(401);
		await refused(await revoke(''), 'invalid_request');
		await tokensOf(await refresh(sandbox, token));
	});
});

describe('expiry of access tokens', () => {
	it('comes after their lifetime', async () => {
		await sandbox.configure({ accessTokenSeconds: 1 });
		const tokens = await connect(sandbox);
		expect(tokens.expires_in).toBe(1);
		await new Promise((done) => setTimeout(done, 2100));
		expect(await hourCodeStatus(tokens.access_token)).toBe(401);
	});

	it('can be forced, for all tokens issued so far', async () => {
		const first = await connect(sandbox);
		await sandbox.expireAccessTokens();
		expect(await hourCodeStatus(first.access_token)).toBe(401);
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		expect(await hourCodeStatus(second.access_token)).toBe(200);
	});
});
