import { setTimeout as sleep } from 'node:timers/promises';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { renewElsewhere } from '../../../dev/package/account.mts';
import {
	getAddresses,
	getCostCenters,
	getHourCodes,
	Payroll,
} from '../../../dev/package/payroll.mts';
import { clockAhead } from '../../support/clock.mts';

let sandbox: SandboxClient;
let payroll: Payroll;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.configure({
		expiryAs: 'status',
		reuse: 'refuse',
		accessTokenSeconds: 3600,
		tokenLatencyMs: 100,
		latencyMs: 0,
	});
});

const employees = (count: number) => Array.from({ length: count }, (_, i) => ({ id: 1001 + i }));
const parallel = { options: { concurrency: 50 } };

/** A connected credential; what connecting took is not counted. */
async function connected(changes = {}): Promise<string> {
	const credential = await payroll.connect(sandbox, changes);
	await sandbox.reset();
	return credential;
}

const cases = [
	['HTTP 401', 'status', '1.1'],
	['a SOAP 1.1 fault with HTTP 500', 'fault', '1.1'],
	['a SOAP 1.2 fault with HTTP 500', 'fault', '1.2'],
] as const;

describe.each(cases)('an expired token told by %s', (_, expiryAs, soapVersion) => {
	it('is renewed once for 50 items in parallel, and all of them succeed', async () => {
		const credential = await connected({ soapVersion });
		await sandbox.configure({ expiryAs, reuse: 'revoke' });
		await sandbox.expireAccessTokens();
		const { items, error } = await payroll.run(
			employees(50),
			payroll.node('payrollEmployee', credential, { ...getCostCenters, ...parallel }),
		);
		expect(error).toBeUndefined();
		const sources = new Set(items('Payroll').map(({ json }) => json.EmployeeId));
		expect(sources.size).toBe(50);
		const stats = await sandbox.stats();
		expect(stats).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
		expect(stats.tokenRequests).toEqual({ refresh_token: 1 });
		expect(stats.soapExecuted).toEqual({ CostCenter_Get: 50 });
	});

	it('is renewed by one of 50 items, while the others wait: the store is not asked by each', async () => {
		const credential = await connected({ soapVersion });
		await sandbox.configure({ expiryAs });
		const { storage } = payroll.credentials;
		const readings = async (count: number) => {
			const before = storage.reads;
			await sandbox.expireAccessTokens();
			const node = payroll.node('payrollEmployee', credential, { ...getCostCenters, ...parallel });
			expect((await payroll.run(employees(count), node)).error).toBeUndefined();
			return storage.reads - before;
		};
		expect(await readings(50)).toBe(await readings(1));
	});

	it('is renewed once for two nodes and three workflows at once', async () => {
		const credential = await connected({ soapVersion });
		await sandbox.configure({ expiryAs, reuse: 'revoke' });
		await sandbox.expireAccessTokens();
		const results = await Promise.all([
			payroll.run(
				employees(20),
				payroll.node('payrollEmployee', credential, { ...getCostCenters, ...parallel }),
			),
			payroll.run(
				employees(20),
				payroll.node('payrollEmployee', credential, { ...getAddresses, ...parallel }),
			),
			payroll.run(
				Array.from({ length: 10 }, () => ({ id: 100 })),
				payroll.node('payrollHourCodes', credential, getHourCodes),
			),
		]);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
		});
	});
});

describe('a token that is about to end', () => {
	it('is renewed before the first call, so that no call fails', async () => {
		// Of a lifetime of 8 s, the last 0.27 s at the latest; the token is 7.8 s old when it is used.
		await sandbox.configure({ accessTokenSeconds: 8 });
		const credential = await connected();
		await sandbox.configure({ accessTokenSeconds: 3600 });
		await sleep(7800);
		const result = await payroll.run(
			employees(20),
			payroll.node('payrollEmployee', credential, { ...getAddresses, ...parallel }),
		);
		expect(result.error).toBeUndefined();
		const requests = await sandbox.requests();
		expect(requests[0]?.path).toBe('/connect/token');
		expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
		expect(await sandbox.stats()).toMatchObject({ tokenRequests: { refresh_token: 1 } });
	});

	it('by a clock two hours ahead is renewed once, not at every call', async () => {
		const credential = await connected();
		clockAhead(7200);
		try {
			for (let i = 0; i < 4; i += 1) {
				const node = payroll.node('payrollEmployee', credential, getAddresses);
				expect((await payroll.run(employees(5), node)).error).toBeUndefined();
			}
		} finally {
			jest.restoreAllMocks();
		}
		expect((await sandbox.stats()).tokenRequests).toEqual({ refresh_token: 1 });
	});

	it('by a clock two hours behind is renewed when the service rejects it', async () => {
		const credential = await connected();
		await sandbox.expireAccessTokens();
		clockAhead(-7200);
		try {
			const node = payroll.node('payrollEmployee', credential, getAddresses);
			expect((await payroll.run(employees(5), node)).error).toBeUndefined();
		} finally {
			jest.restoreAllMocks();
		}
		expect((await sandbox.stats()).tokenRequests).toEqual({ refresh_token: 1 });
	});
});

describe('a refresh token that is spent', () => {
	it('by another process which stored its token already needs no renewal here', async () => {
		const credential = await connected();
		const node = payroll.node('payrollEmployee', credential, getAddresses);
		await payroll.run(employees(1), node);
		await sandbox.expireAccessTokens();
		const tokens = await renewElsewhere(payroll, sandbox, credential);
		await payroll.credentials.patch(credential, { oauthTokenData: tokens });
		await sandbox.reset();
		expect((await payroll.run(employees(10), node)).error).toBeUndefined();
		expect((await sandbox.stats()).tokenRequests).toEqual({});
	});

	it('by another process just before n8n reads it in order to renew it: what that one stored is taken', async () => {
		const credential = await connected();
		await sandbox.expireAccessTokens();
		const oauthTokenData = await renewElsewhere(payroll, sandbox, credential);
		await sandbox.reset();
		const { storage } = payroll.credentials;
		const read = storage.read.bind(storage);
		let sinceRefusal = 0;
		const spy = jest.spyOn(storage, 'read').mockImplementation(async (id, type) => {
			const isRefused = (await sandbox.requests()).some(({ status }) => status === 401);
			// The first two are the session's own, the third is n8n's.
			if (isRefused && (sinceRefusal += 1) === 3) {
				spy.mockRestore();
				await payroll.credentials.patch(credential, { oauthTokenData });
			}
			return await read(id, type);
		});
		const node = payroll.node('payrollEmployee', credential, getAddresses);
		expect((await payroll.run(employees(1), node)).error).toBeUndefined();
		expect(sinceRefusal).toBe(3);
		expect((await sandbox.stats()).tokenRequests).toEqual({});
	});

	it("by another process which is about to store its token: the winner's token is taken", async () => {
		const credential = await connected();
		await sandbox.expireAccessTokens();
		const tokens = await renewElsewhere(payroll, sandbox, credential);
		await sandbox.reset();
		const stored = (async () => {
			while ((await sandbox.stats()).refreshesRefused === 0) await sleep(50);
			await sleep(500);
			await payroll.credentials.patch(credential, { oauthTokenData: tokens });
		})();
		const { error, items } = await payroll.run(
			employees(10),
			payroll.node('payrollEmployee', credential, { ...getAddresses, ...parallel }),
		);
		await stored;
		expect(error).toBeUndefined();
		expect(items('Payroll').length).toBeGreaterThanOrEqual(10);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 0, refreshesRefused: 1 });
	});

	it('and whose successor is lost: reconnect, asked for once, and good again after that', async () => {
		const credential = await connected();
		await sandbox.expireAccessTokens();
		await renewElsewhere(payroll, sandbox, credential);
		await sandbox.reset();
		const node = payroll.node(
			'payrollEmployee',
			credential,
			{ ...getAddresses, ...parallel },
			{ onError: 'continueRegularOutput' },
		);
		const { json } = await payroll.run(employees(10), node);
		expect(json('Payroll')).toHaveLength(10);
		for (const item of json('Payroll')) {
			expect(item.error).toMatchObject({
				message: 'The credential needs to be reconnected',
				description: expect.stringContaining('connect the account again'),
			});
		}
		expect((await sandbox.stats()).tokenRequests).toEqual({ refresh_token: 1 });

		const fresh = await payroll.credentials.stored(await payroll.connect(sandbox));
		await payroll.credentials.patch(credential, { oauthTokenData: fresh.oauthTokenData ?? {} });
		const again = await payroll.run(employees(3), node);
		expect(again.json('Payroll').filter(({ error }) => error !== undefined)).toEqual([]);
	}, 30_000);
});

describe('a token that is rejected whatever its age', () => {
	it('is renewed once, sent once more, and then told to be the credential', async () => {
		const credential = await connected({ subscriptionKey: 'not-the-key' });
		const node = payroll.node(
			'payrollEmployee',
			credential,
			{ ...getAddresses, ...parallel },
			{ onError: 'continueRegularOutput' },
		);
		const { json } = await payroll.run(employees(20), node);
		for (const { error } of json('Payroll')) {
			expect(error).toMatchObject({ description: expect.stringContaining("'Subscription Key'") });
		}
		expect(json('Payroll').map(({ error }) => (error as { message: string }).message)).toEqual(
			Array(20).fill('The payroll service refused access'),
		);
		const stats = await sandbox.stats();
		expect(stats.tokenRequests).toEqual({ refresh_token: 1 });
		// Once with each token, never twice with the same.
		const sent = (await sandbox.requests()).filter(({ path }) => path.startsWith('/soap'));
		expect(sent).toHaveLength(40);
		const tokens = new Set(sent.map(({ headers }) => headers.authorization));
		expect(tokens.size).toBe(2);
	});
});

describe('without offline_access', () => {
	it('the scope is asked for all the same, so there is a refresh token', async () => {
		const credential = await connected({ scopes: ['employee.info.read'] });
		const { oauthTokenData } = await payroll.credentials.stored(credential);
		expect(oauthTokenData).toMatchObject({ refresh_token: expect.any(String) });
		expect(
			String((oauthTokenData as { scope: string }).scope)
				.split(' ')
				.sort(),
		).toEqual(['employee.info.read', 'offline_access']);
	});
});

it('an identity server that does not answer well is told, and no secret with it', async () => {
	const credential = await connected();
	await sandbox.expireAccessTokens();
	await payroll.credentials.patch(credential, { appSecret: 'wrong-secret-value' });
	const node = payroll.node('payrollEmployee', credential, getAddresses);
	const { error } = await payroll.run(employees(1), node);
	expect(error).toMatchObject({
		message: 'The access token could not be renewed',
		description: expect.stringContaining("'Client Secret'"),
	});
	expect(JSON.stringify(error)).not.toContain('wrong-secret-value');
});
