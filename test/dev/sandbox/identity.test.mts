import { authorize } from '../../../dev/sandbox/login.mts';
import {
	authorizationUrl,
	connect,
	exchange,
	refresh,
	type Tokens,
} from '../../../dev/sandbox/oauth.mts';
import { useService } from './setUp.mts';

const service = useService({}, { accessTokenSeconds: 3600, reuse: 'refuse', tokenLatencyMs: 0 });

async function tokensOf(response: Response): Promise<Tokens> {
	expect(response.status).toBe(200);
	return (await response.json()) as Tokens;
}

async function expectRefused(response: Response): Promise<void> {
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
}

/** The status of a call with this access token. */
async function callStatus(token: string): Promise<number> {
	const { url, subscriptionKey } = service.sandbox;
	const headers = { Authorization: `Bearer ${token}`, 'X-Subscription-Key': subscriptionKey };
	return (await fetch(`${url}/api/companies/100/hourcodes`, { headers })).status;
}

describe('the code grant', () => {
	it('gives the tokens of docs/dev/interface.md, section 2', async () => {
		const { sandbox } = service;
		const tokens = await connect(sandbox);
		expect(tokens).toEqual({
			access_token: expect.any(String),
			expires_in: 3600,
			refresh_token: expect.any(String),
			scope: expect.any(String),
			token_type: 'Bearer',
		});
		expect(tokens.scope.split(' ').sort()).toEqual([...sandbox.scopes].sort());
		expect(await callStatus(tokens.access_token)).toBe(200);
	});

	it('gives no refresh token without offline_access', async () => {
		const tokens = await connect(service.sandbox, 'employee.info company.info');
		expect(tokens).not.toHaveProperty('refresh_token');
		expect(tokens.scope.split(' ').sort()).toEqual(['company.info', 'employee.info']);
	});

	it('exchanges a code once', async () => {
		const { sandbox } = service;
		const redirect = await authorize(authorizationUrl(sandbox), sandbox);
		const code = redirect.searchParams.get('code') ?? '';
		await tokensOf(await exchange(sandbox, code));
		await expectRefused(await exchange(sandbox, code));
	});
});

describe('a refresh token', () => {
	it('works once', async () => {
		const { sandbox } = service;
		const first = await connect(sandbox);
		await sandbox.reset();
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		expect(second.refresh_token).not.toBe(first.refresh_token);
		expect(await callStatus(second.access_token)).toBe(200);
		await expectRefused(await refresh(sandbox, first.refresh_token));
		await tokensOf(await refresh(sandbox, second.refresh_token));
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 3 },
			refreshesSucceeded: 2,
			refreshesRefused: 1,
		});
	});

	it("that is spent revokes its whole grant, in the mode 'revoke'", async () => {
		const { sandbox } = service;
		await sandbox.configure({ reuse: 'revoke' });
		const first = await connect(sandbox);
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		await expectRefused(await refresh(sandbox, first.refresh_token));
		await expectRefused(await refresh(sandbox, second.refresh_token));
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 1 });
	});

	it('works once, too, if it is sent eight times at once', async () => {
		const { sandbox } = service;
		await sandbox.configure({ tokenLatencyMs: 20 });
		const { refresh_token } = await connect(sandbox);
		await Promise.all(Array.from({ length: 8 }, async () => await refresh(sandbox, refresh_token)));
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 7 });
	});
});

describe('an access token', () => {
	it('expires after its lifetime', async () => {
		await service.sandbox.configure({ accessTokenSeconds: 1 });
		const tokens = await connect(service.sandbox);
		expect(tokens.expires_in).toBe(1);
		await new Promise((done) => setTimeout(done, 2100));
		expect(await callStatus(tokens.access_token)).toBe(401);
	});

	it('can be made to expire, with all that were issued so far', async () => {
		const { sandbox } = service;
		const first = await connect(sandbox);
		await sandbox.expireAccessTokens();
		expect(await callStatus(first.access_token)).toBe(401);
		const second = await tokensOf(await refresh(sandbox, first.refresh_token));
		expect(await callStatus(second.access_token)).toBe(200);
	});
});
