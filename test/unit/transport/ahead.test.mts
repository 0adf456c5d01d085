import { sessionOf } from '../../../nodes/shared/transport/session.ts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { Account } from '../../../dev/package/account.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { Payroll } from '../../../dev/package/payroll.mts';
import { clockAhead } from '../../support/clock.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let account: Account;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	account = await Account.connect(payroll, sandbox);
});
afterEach(() => jest.restoreAllMocks());

describe('before a request, a token', () => {
	it('that is good for long is left alone, and the stored one not looked at', async () => {
		await account.inSession(async (session, context) => {
			session.begin(account.first);
			const { reads } = payroll.credentials.storage;
			await session.prepare(context)?.done;
			expect(payroll.credentials.storage.reads).toBe(reads);
		});
		expect(await account.renewals()).toBe(0);
	});

	it('that nobody knows yet is left alone', async () => {
		await account.inSession(async (session, context) => await session.prepare(context)?.done);
		expect(await account.renewals()).toBe(0);
	});

	it('that is about to end is renewed', async () => {
		const ending = await account.storeToken(30);
		await account.inSession(async (session, context) => {
			session.begin(ending);
			await session.prepare(context)?.done;
			await session.prepare(context)?.done;
			expect(session.token).toBe(await account.stored());
			expect(session.token).not.toBe(ending);
		});
		expect(await account.renewals()).toBe(1);
	});

	it('that is just being renewed is waited for', async () => {
		await account.inSession(async (session, context) => {
			session.begin(account.first);
			const renewal = session.renew(context, account.first);
			await session.prepare(context)?.done;
			expect(session.token).toBe(await account.stored());
			expect(session.token).not.toBe(account.first);
			await renewal;
		});
		expect(await account.renewals()).toBe(1);
	});

	it('that is just being renewed in vain is used as it is', async () => {
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, context) => {
			session.begin(account.first);
			const renewal = session.renew(context, account.first).catch((error: Error) => error.message);
			await session.prepare(context)?.done;
			expect(await renewal).toBe('The access token could not be renewed');
		});
	});

	it('that was waited for in vain is renewed all the same when it is about to end', async () => {
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, context) => {
			session.begin(account.first);
			const renewal = session.renew(context, account.first).catch(() => undefined);
			await session.prepare(context)?.done;
			await renewal;
			await account.patch({ appSecret: sandbox.clientSecret });
			clockAhead(3590);
			await session.prepare(context)?.done;
			expect(session.token).not.toBe(account.first);
		});
		expect(await account.renewals()).toBe(2);
	});

	it('that was renewed ahead is so again at its own end', async () => {
		await account.inSession(async (session, context) => {
			session.begin(await account.storeToken(30));
			await session.prepare(context)?.done;
			clockAhead(3590);
			await session.prepare(context)?.done;
		});
		expect(await account.renewals()).toBe(2);
	});

	it('that a wrong clock takes for ended on arrival is renewed once, not at every call', async () => {
		clockAhead(7200);
		await account.inSession(async (session, context) => {
			session.begin(account.first);
			await session.prepare(context)?.done;
			const second = await account.stored();
			expect(second).not.toBe(account.first);
			session.accepted(second);
			await session.prepare(context)?.done;
			expect(await account.stored()).toBe(second);
		});
		expect(await account.renewals()).toBe(1);
	});
});

describe('a renewal ahead that fails', () => {
	it('is left to the request: it is logged, and tried once for a token', async () => {
		const ending = await account.storeToken(30);
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, context) => {
			const debug = jest.spyOn(context.logger, 'debug');
			session.begin(ending);
			await session.prepare(context)?.done;
			expect(debug).toHaveBeenCalledWith(
				'Payroll: renewing the access token ahead of its end failed',
				{ reason: 'The access token could not be renewed' },
			);
			// Long after the failure is forgotten.
			clockAhead(20);
			await session.prepare(context)?.done;
			expect(session.token).toBe(ending);
		});
		expect(await account.renewals()).toBe(1);
	});

	it('does not tell the log what it does not know', async () => {
		const ending = await account.storeToken(30);
		// The first reading is the test's own.
		account.beforeReading(2, async () => await Promise.reject(new Error(`secret ${ending}`)));
		await account.inSession(async (session, context) => {
			const debug = jest.spyOn(context.logger, 'debug');
			session.begin(ending);
			await session.prepare(context)?.done;
			expect(debug.mock.calls).toContainEqual([
				'Payroll: renewing the access token ahead of its end failed',
				{ reason: 'unexpected error' },
			]);
		});
	});
});

describe('a session', () => {
	it('is one for all nodes and runs that use the credential', async () => {
		const session = await account.inSession(async (one) => one);
		expect(await account.inSession(async (one) => one)).toBe(session);
		session.begin('known');
		expect(await account.token()).toBe('known');
		session.accepted('newer');
		expect(await account.token()).toBe('newer');
	});

	it('is another one for another credential', async () => {
		const session = await account.inSession(async (one) => one);
		const other = await Account.connect(payroll, sandbox);
		expect(await other.inSession(async (one) => one)).not.toBe(session);
	});

	it('knows no token where a node has no credential', async () => {
		const none = { clientId: '', accessToken: undefined, refreshToken: undefined };
		const token = inNode(payroll, undefined, async (context) => sessionOf(context, none).token);
		expect(await token).toBeUndefined();
	});
});
