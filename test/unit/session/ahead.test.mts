import { Account } from '../../../dev/package/account.mts';
import { clockAhead } from '../../support/clock.mts';
import { useAccount, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const account = useAccount(payroll, sandbox);
afterEach(() => jest.restoreAllMocks());

describe('before a request, the token', () => {
	it('is not renewed, nor read from the store, if it is valid for long', async () => {
		await account.inSession(async (session, run) => {
			session.begin(account.first);
			const { reads } = payroll.credentials.storage;
			await session.prepare(run);
			expect(payroll.credentials.storage.reads).toBe(reads);
		});
		expect(await account.renewals()).toBe(0);
	});

	it('is not renewed if the session does not know it yet', async () => {
		await account.inSession(async (session, run) => await session.prepare(run));
		expect(await account.renewals()).toBe(0);
	});

	it('is renewed if it is about to expire', async () => {
		const ending = await account.storeToken(30);
		await account.inSession(async (session, run) => {
			session.begin(ending);
			await session.prepare(run);
			await session.prepare(run);
			expect(session.token).toBe(await account.stored());
			expect(session.token).not.toBe(ending);
		});
		expect(await account.renewals()).toBe(1);
	});

	it('is waited for if it is being renewed', async () => {
		await account.inSession(async (session, run) => {
			session.begin(account.first);
			const renewal = session.renew(run, account.first, true);
			await session.prepare(run);
			expect(session.token).toBe(await account.stored());
			expect(session.token).not.toBe(account.first);
			await renewal;
		});
		expect(await account.renewals()).toBe(1);
	});

	it('is used as it is if its renewal under way fails, and is renewed again before it expires', async () => {
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, run) => {
			session.begin(account.first);
			const renewal = session
				.renew(run, account.first, true)
				.catch((error: Error) => error.message);
			await session.prepare(run);
			expect(await renewal).toBe('The access token could not be renewed');
			await account.patch({ appSecret: sandbox.clientSecret });
			clockAhead(3590);
			await session.prepare(run);
			expect(session.token).not.toBe(account.first);
		});
		expect(await account.renewals()).toBe(2);
	});

	it('is renewed once, not for every call, if a wrong clock takes new ones for expired', async () => {
		clockAhead(7200);
		await account.inSession(async (session, run) => {
			session.begin(account.first);
			await session.prepare(run);
			const second = await account.stored();
			expect(second).not.toBe(account.first);
			session.markAccepted(second);
			await session.prepare(run);
			expect(await account.stored()).toBe(second);
		});
		expect(await account.renewals()).toBe(1);
	});
});

describe('an early renewal that fails', () => {
	it('is logged, and is tried again a minute later', async () => {
		const ending = await account.storeToken(30);
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, run, context) => {
			const debug = jest.spyOn(context.logger, 'debug');
			session.begin(ending);
			await session.prepare(run);
			expect(debug).toHaveBeenCalledWith('Payroll: renewing the access token early failed', {
				reason: 'The access token could not be renewed',
			});
			// The failure is forgotten by then.
			clockAhead(20);
			await session.prepare(run);
			expect(session.token).toBe(ending);
			expect(await account.renewals()).toBe(1);
			await account.patch({ appSecret: sandbox.clientSecret });
			clockAhead(80);
			await session.prepare(run);
			expect(session.token).toBe(await account.stored());
		});
		expect(await account.renewals()).toBe(2);
	});

	it('logs no text of an unknown error', async () => {
		const ending = await account.storeToken(30);
		// The first reading is the run's.
		account.beforeReading(2, async () => await Promise.reject(new Error(`secret ${ending}`)));
		await account.inSession(async (session, run, context) => {
			const debug = jest.spyOn(context.logger, 'debug');
			session.begin(ending);
			await session.prepare(run);
			expect(debug.mock.calls).toContainEqual([
				'Payroll: renewing the access token early failed',
				{ reason: 'unexpected error' },
			]);
		});
	});
});

describe('a session', () => {
	it('is shared by all nodes and runs that use the credential, and by no other credential', async () => {
		const session = await account.inSession(async (one) => one);
		expect(await account.inSession(async (one) => one)).toBe(session);
		session.begin('known');
		expect(await account.token()).toBe('known');
		session.markAccepted('newer');
		expect(await account.token()).toBe('newer');
		const other = await Account.connect(payroll, sandbox);
		expect(await other.inSession(async (one) => one)).not.toBe(session);
	});
});
