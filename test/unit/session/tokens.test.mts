import { sleep } from 'n8n-workflow';
import { faultNamesToken, faultUnclear } from '../../../nodes/shared/errors/requestErrors.ts';
import { CancelledError, type ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { AnswerReading } from '../../../nodes/shared/exchange/exchange.ts';
import type { ExchangeResponse } from '../../../nodes/shared/http/send.ts';
import { inNode, startInNode, type Work } from '../../../dev/package/node-context.mts';
import { getAddresses } from '../../../dev/package/calls.mts';
import { clockAhead, shortenDeadlines } from '../../support/clock.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn, hostOf } from '../../support/host.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
/** An identity server that does not answer. */
const silent = useScriptedServer();
const account = useAccount(payroll, sandbox);
afterEach(() => jest.restoreAllMocks());

const read = ({ status, body }: ExchangeResponse): AnswerReading<string> =>
	status === 500
		? { token: 'refused', error: faultNamesToken(body.toString()) }
		: { value: body.toString() };

const request = () => requestTo(server.url, { effect: 'write' });

/** Starts an exchange in a run of its own. */
function start({ timeoutMs = 5000 } = {}): Work<string> {
	return startInNode(payroll, account.credential, async (context) => {
		const exchange = await exchangeIn(context, server.url, { timeoutMs });
		return await exchange(request(), read);
	});
}

/** The tokens that requests came with, in order. */
const tokens = () =>
	server.received.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

/** Answers requests that carry one of these tokens with the status, and all others well. */
function refuse(status: number, ...refused: Array<string | undefined>): void {
	server.play((response, index) => {
		const isRefused = refused.includes(tokens()[index]);
		response.writeHead(isRefused ? status : 200).end(isRefused ? 'refused' : 'good');
	});
}

const LATE = 'The identity server did not answer in time';

describe.each([
	['HTTP 401', 401],
	['the answer itself', 500],
])('a token that is rejected by %s', (_, status) => {
	it('is renewed, and the request sent again with the new one', async () => {
		refuse(status, account.first);
		expect(await start().done).toBe('good');
		const second = await account.stored();
		expect(tokens()).toEqual([account.first, second]);
		expect(await account.renewals()).toBe(1);

		refuse(status, account.first, second);
		expect(await start().done).toBe('good');
		expect(tokens()).toEqual([second, await account.stored()]);
		expect(await account.renewals()).toBe(2);
	});

	it('is an error without a third attempt if the new one is rejected, too', async () => {
		server.play((response) => void response.writeHead(status).end('refused'));
		const isStatus = status === 401;
		await expect(start().done).rejects.toMatchObject({
			message: isStatus ? 'The payroll service does not accept the access token' : 'refused',
			description: expect.stringContaining(isStatus ? 'just renewed' : 'If it means the access'),
		});
		expect(tokens()).toEqual([account.first, await account.stored()]);
	});
});

describe.each([401, 500])('a new token that is rejected with HTTP %d', (status) => {
	const CLOCK = /the access token is not valid yet: correct that clock/;
	/** Rejects all tokens, at a time that differs from that of this machine by so many seconds. */
	function rejectAt(seconds: number): void {
		server.play((response) => {
			const date = new Date(Date.now() + seconds * 1000).toUTCString();
			response.writeHead(status, { Date: date }).end('refused');
		});
	}
	const description = async () =>
		await start().done.then(String, (error: ServiceError) => error.description);

	it('blames no clock if it is valid by all of them', async () => {
		rejectAt(1);
		expect(await description()).toMatch(
			/^The (?:token was just renewed|payroll service refused).*'Subscription Key'/,
		);
	});

	it('may begin in the future by the clock of the service', async () => {
		rejectAt(-120);
		expect(await description()).toMatch(/By the clock of the payroll service.*'Subscription Key'/);
		expect(await description()).toMatch(CLOCK);
	});

	it('may begin in the future by the clock of n8n', async () => {
		clockAhead(-120);
		rejectAt(120);
		expect(await description()).toMatch(/By the clock of n8n.*'Subscription Key'/);
		expect(await description()).toMatch(CLOCK);
	});
});

describe('if another process keeps storing tokens, and all are rejected,', () => {
	/** Refuses every token, and lets another process store a new one each time. */
	function refuseAll(status: number): void {
		server.play(async (response, index) => {
			await account.store({ access_token: `token-${index + 2}` });
			response.writeHead(status).end('refused');
		});
	}

	it('HTTP 401 is an error after three tokens', async () => {
		refuseAll(401);
		await expect(start().done).rejects.toMatchObject({
			message: 'The payroll service does not accept the access token',
			description: expect.stringMatching(/^Check 'Subscription Key' and 'Scopes'/),
			httpStatus: 401,
			outcome: 'notApplied',
		});
		expect(tokens()).toEqual([account.first, 'token-2', 'token-3']);
	});

	it('an answer that rejects the token is the error after three tokens', async () => {
		refuseAll(500);
		await expect(start().done).rejects.toThrow('refused');
		expect(tokens()).toEqual([account.first, 'token-2', 'token-3']);
	});
});

describe('an identity server that does not answer', () => {
	beforeEach(async () => {
		shortenDeadlines();
		await account.patch({ identityUrl: silent.url });
		silent.play(() => undefined);
		refuse(401, account.first);
	});

	it('is waited for until the timeout of an answer', async () => {
		await expect(start().done).rejects.toMatchObject({
			message: LATE,
			description: expect.stringMatching(/could not be renewed.*'Timeout \(Seconds\)'/),
			outcome: 'notApplied',
		});
		expect(tokens()).toEqual([account.first]);
		expect(silent.received).toHaveLength(1);
	});

	it('is not waited for by a run that is cancelled', async () => {
		const asked = new Promise<void>((resolve) => silent.play(() => resolve()));
		const work = start({ timeoutMs: 60_000 });
		await asked;
		work.cancel();
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(tokens()).toEqual([account.first]);
	});
});

it('a write whose outcome is unknown stays so if its run is cancelled during the renewal', async () => {
	await account.patch({ identityUrl: silent.url });
	server.play((response) => void response.writeHead(500).end('failed'));
	const asked = new Promise<void>((resolve) => silent.play(() => resolve()));
	const work = startInNode(payroll, account.credential, async (context) => {
		const exchange = await exchangeIn(context, server.url, { timeoutMs: 60_000 });
		const error = faultUnclear('failed');
		return await exchange(request(), () => ({ token: 'suspected', error }));
	});
	await asked;
	work.cancel();
	await expect(work.done).rejects.toMatchObject({ message: 'failed', outcome: 'unknown' });
});

describe('an early renewal that hangs', () => {
	let asked: Promise<void>;
	/** Ends the renewal under way with an error. */
	let end: () => void;
	beforeEach(async () => {
		shortenDeadlines();
		await account.patch({ identityUrl: silent.url });
		asked = new Promise<void>((resolve) => {
			silent.play((response) => {
				end = () => void response.writeHead(500).end();
				resolve();
			});
		});
		refuse(401);
		// By this clock the token is about to expire; the service accepts it.
		clockAhead(3590);
	});

	it('fails no call, delays the first for seconds and the others not at all', async () => {
		expect(await start({ timeoutMs: 60_000 }).done).toBe('good');
		await asked;
		const waits = jest.mocked(AbortSignal.timeout);
		expect(waits).toHaveBeenCalledWith(3000);
		waits.mockClear();
		for (let i = 0; i < 3; i += 1) expect(await start({ timeoutMs: 60_000 }).done).toBe('good');
		expect(waits).not.toHaveBeenCalledWith(3000);
		expect(tokens()).toEqual(Array(4).fill(account.first));
		expect(silent.received).toHaveLength(1);
	});

	it('is waited for by a call whose token is rejected, and by the calls after that', async () => {
		expect(await start({ timeoutMs: 60_000 }).done).toBe('good');
		refuse(401, account.first);
		await expect(start({ timeoutMs: 2000 }).done).rejects.toThrow(LATE);
		server.received.length = 0;
		await expect(start({ timeoutMs: 500 }).done).rejects.toThrow(LATE);
		expect(tokens()).toEqual([]);
		end();
	});

	it('is waited for by the run that began it, until the timeout of an answer', async () => {
		const ends: string[] = [];
		await inNode(payroll, account.credential, async (context) => {
			const host = hostOf(context);
			const exchange = await exchangeIn(context, server.url, { timeoutMs: 5000 }, host);
			expect(await exchange(request(), read)).toBe('good');
			const settled = host.settled().then(() => ends.push('run'));
			await sleep(50);
			expect(ends).toEqual([]);
			await settled;
			ends.push('answer');
			end();
			// Nothing is left to wait for.
			await host.settled();
		});
		expect(ends).toEqual(['run', 'answer']);
	});
});

it('a new access token is stored before the run that began its renewal ends', async () => {
	shortenDeadlines();
	await sandbox.configure({ tokenLatencyMs: 600 });
	clockAhead(3590);
	const node = payroll.node('payrollEmployee', account.credential, getAddresses);
	const { error } = await payroll.run([{ id: 1001 }], node);
	expect(error).toBeUndefined();
	expect(await account.stored()).not.toBe(account.first);
	// The call itself used the token that was still valid.
	const calls = (await sandbox.requests()).filter(({ path }) => path.startsWith('/soap'));
	expect(calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${account.first}`]);
});
