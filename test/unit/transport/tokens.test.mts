import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readConnection } from '../../support/connection.mts';
import { createExchange, type AnswerReading } from '../../../nodes/shared/transport/exchange.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../../nodes/shared/transport/send.ts';
import { sessionOf } from '../../../nodes/shared/transport/session.ts';
import { Tally } from '../../../nodes/shared/transport/tally.ts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { Account } from '../../../dev/package/account.mts';
import { inNode, startInNode, type Work } from '../../../dev/package/node-context.mts';
import { getAddresses, Payroll } from '../../../dev/package/payroll.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';
import { clockAhead, stopClock } from '../../support/clock.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let server: ScriptedServer;
/** An identity server of its own: one that is asked and does not answer. */
let silent: ScriptedServer;
let account: Account;

beforeAll(async () => {
	[sandbox, payroll, server, silent] = await Promise.all([
		launchSandbox(),
		Payroll.load(),
		scriptedServer(),
		scriptedServer(),
	]);
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close(), silent.close()]));
afterEach(() => jest.restoreAllMocks());
beforeEach(async () => {
	account = await Account.connect(payroll, sandbox);
});

let tally: Tally;
beforeEach(() => (tally = new Tally()));

const read = (response: ExchangeResponse): AnswerReading<string> => ({
	value: response.body.toString(),
	tokenRejected: response.status === 500,
});

const request = (): ExchangeRequest => ({
	method: 'GET',
	url: server.url,
	address: 'SOAP Address',
	headers: {},
	effect: 'write',
});

/** Starts an exchange in a node's run of its own. */
function start(reader = read, timeoutMs = 5000): Work<string> {
	return startInNode(payroll, account.credential, async (context) => {
		const connection = await readConnection(context);
		const exchange = createExchange(context, connection, { timeoutMs, maxBytes: 10_000 }, tally);
		return await exchange(request(), reader);
	});
}

/** The tokens that requests came with, in order. */
const tokens = () =>
	server.received.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

/** Answers as told for as long as the token is in the list, and well with any other. */
function refuse(status: number, ...refused: Array<string | undefined>): void {
	server.play((response, index) => {
		const isRefused = refused.includes(tokens()[index]);
		response.writeHead(isRefused ? status : 200).end(isRefused ? 'refused' : 'good');
	});
}

describe.each([
	['HTTP 401', 401],
	['the answer itself', 500],
])('a token that is rejected by %s', (_, status) => {
	it('is renewed, and the request sent again with the new one', async () => {
		refuse(status, account.first);
		expect(await start().done).toBe('good');
		expect(tokens()).toEqual([account.first, await account.stored()]);
		expect(await account.renewals()).toBe(1);
	});

	it('is renewed as often as it ends', async () => {
		refuse(status, account.first);
		await start().done;
		const second = await account.stored();
		refuse(status, account.first, second);
		expect(await start().done).toBe('good');
		expect(tokens()).toEqual([second, await account.stored()]);
		expect(await account.renewals()).toBe(2);
	});

	it('and whose successor is rejected too is told, without a third attempt', async () => {
		server.play((response) => void response.writeHead(status).end('refused'));
		await expect(start().done).rejects.toMatchObject({
			message: 'The payroll service does not accept the access token',
			description: expect.stringContaining('renewed a moment ago'),
		});
		expect(tokens()).toEqual([account.first, await account.stored()]);
	});
});

describe('a refusal with HTTP 401 that says why', () => {
	const key = '{"message":"Access denied due to missing subscription key."}';
	it.each([
		['in its body', {}, key, "'Subscription Key'", key],
		[
			'in its header',
			{ 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="employee.info"' },
			'',
			"'Scopes'",
			'Bearer error="insufficient_scope", scope="employee.info"',
		],
	])(
		'%s leads to one renewal all the same, and then to the field',
		async (_, headers, body, field, details) => {
			server.play((response) => void response.writeHead(401, headers).end(body));
			await expect(start().done).rejects.toMatchObject({
				message: 'The payroll service refused access',
				description: expect.stringContaining(`${field} in the credential`),
				httpStatus: 401,
				details,
			});
			expect(tokens()).toEqual([account.first, await account.stored()]);
			expect(await account.renewals()).toBe(1);
		},
	);

	it('in no words of the credential is about the token', async () => {
		server.play(
			(response) => void response.writeHead(401).end('<html>Check your subscription key</html>'),
		);
		await expect(start().done).rejects.toMatchObject({
			message: 'The payroll service does not accept the access token',
			details: undefined,
		});
	});
});

it('the tally of a run has the time that its calls waited for a new token, once', async () => {
	refuse(401, account.first);
	await account.patch({ identityUrl: silent.url });
	const setAhead = stopClock();
	silent.play(async (response) => {
		setAhead(12);
		response.writeHead(500).end();
	});
	await expect(start().done).rejects.toThrow('could not be renewed');
	expect(tally.renewalMs).toBe(12_000);
});

describe('tokens that another process stores, and that are rejected as well', () => {
	/** Refuses every token, and lets another process store a new one each time. */
	function refuseAll(status: number): void {
		server.play(async (response, index) => {
			await account.store({ access_token: `token-${index + 2}` });
			response.writeHead(status).end('refused');
		});
	}

	it('are tried up to three, then HTTP 401 is an error', async () => {
		refuseAll(401);
		await expect(start().done).rejects.toMatchObject({
			message: 'The payroll service does not accept the access token',
			description: expect.stringMatching(/^Check 'Subscription Key' and 'Scopes'/),
			httpStatus: 401,
			outcome: 'notApplied',
		});
		expect(tokens()).toEqual([account.first, 'token-2', 'token-3']);
	});

	it('are tried up to three, then an answer that says so is the answer', async () => {
		refuseAll(500);
		expect(await start().done).toBe('refused');
		expect(tokens()).toEqual([account.first, 'token-2', 'token-3']);
	});
});

it('an answer with HTTP 401 is never read', async () => {
	refuse(401, account.first);
	const statuses: number[] = [];
	await start((response) => {
		statuses.push(response.status);
		return read(response);
	}).done;
	expect(statuses).toEqual([200]);
});

describe('an identity server that does not answer', () => {
	beforeEach(async () => {
		await account.patch({ identityUrl: silent.url });
		silent.play(() => undefined);
		refuse(401, account.first);
	});

	it('is waited for no longer than for an answer', async () => {
		await expect(start(read, 2500).done).rejects.toMatchObject({
			message: 'The identity server did not answer in time',
			description: expect.stringMatching(/could not be renewed.*'Timeout \(Seconds\)'/),
			outcome: 'notApplied',
		});
		expect(tokens()).toEqual([account.first]);
		expect(silent.received).toHaveLength(1);
	});

	it('is not waited for by a run that is cancelled', async () => {
		const asked = new Promise<void>((resolve) => silent.play(() => resolve()));
		const work = start(read, 60_000);
		await asked;
		work.cancel();
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(tokens()).toEqual([account.first]);
	}, 20_000);

	it('is not waited for by a run that was cancelled before', async () => {
		const work = startInNode(payroll, account.credential, async (context) => {
			const connection = await readConnection(context);
			const exchange = createExchange(
				context,
				connection,
				{ timeoutMs: 60_000, maxBytes: 1 },
				tally,
			);
			sessionOf(context, connection)
				.renew(context, account.first)
				.catch(() => undefined);
			work.cancel();
			return await exchange(request(), read);
		});
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(tokens()).toEqual([]);
	}, 20_000);

	it('is waited for no longer in a host that cancels nothing', async () => {
		const work = startInNode(payroll, account.credential, async (context) => {
			const host = Object.create(context, { getExecutionCancelSignal: { value: () => undefined } });
			const connection = await readConnection(host);
			return await createExchange(
				host,
				connection,
				{ timeoutMs: 400, maxBytes: 100 },
				tally,
			)(request(), read);
		});
		await expect(work.done).rejects.toMatchObject({
			message: 'The identity server did not answer in time',
		});
	});
});

describe('a renewal ahead of its end that hangs', () => {
	let asked: Promise<void>;
	beforeEach(async () => {
		await account.patch({ identityUrl: silent.url });
		asked = new Promise<void>((resolve) => silent.play(() => resolve()));
		refuse(401);
		// The token of an hour is about to end here; the service takes it.
		clockAhead(3590);
	});

	it('fails no call, holds up the first for seconds and the others not at all', async () => {
		expect(await start(read, 60_000).done).toBe('good');
		await asked;
		// Each of them would wait for seconds.
		for (let i = 0; i < 20; i += 1) expect(await start(read, 60_000).done).toBe('good');
		expect(tokens()).toEqual(Array(21).fill(account.first));
		expect(silent.received).toHaveLength(1);
	}, 30_000);

	it('is waited for by a call whose token is rejected, and by the calls after that', async () => {
		expect(await start(read, 60_000).done).toBe('good');
		refuse(401, account.first);
		let answer = (): void => {};
		silent.play((response) => {
			answer = () => void response.writeHead(500).end();
		});
		const rejected = start(read, 2000).done;
		await expect(rejected).rejects.toThrow('The identity server did not answer in time');
		server.received.length = 0;
		await expect(start(read, 500).done).rejects.toThrow(
			'The identity server did not answer in time',
		);
		expect(tokens()).toEqual([]);
		answer();
	}, 30_000);

	it('is waited for by the run that began it, no longer than for an answer', async () => {
		const limits = { timeoutMs: 5000, maxBytes: 100 };
		const ends: string[] = [];
		let answer = (): void => {};
		silent.play((response) => {
			answer = () => void response.writeHead(500).end();
		});
		await inNode(payroll, account.credential, async (context) => {
			const exchange = createExchange(context, await readConnection(context), limits, tally);
			expect(await exchange(request(), read)).toBe('good');
			const settled = tally.settled().then(() => ends.push('run'));
			await sleep(50);
			expect(ends).toEqual([]);
			await settled;
			ends.push('answer');
			answer();
			// Nothing is left to wait for.
			await tally.settled();
		});
		expect(ends).toEqual(['run', 'answer']);
	}, 30_000);
});

describe('a new access token', () => {
	it('is stored before the run that began its renewal ends', async () => {
		await sandbox.configure({ tokenLatencyMs: 5000 });
		clockAhead(3590);
		const node = payroll.node('payrollEmployee', account.credential, getAddresses);
		const { error } = await payroll.run([{ id: 1001 }], node);
		expect(error).toBeUndefined();
		expect(await account.stored()).not.toBe(account.first);
		// The call itself went out with the token that was still good.
		const calls = (await sandbox.requests()).filter(({ path }) => path.startsWith('/soap'));
		expect(calls.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${account.first}`]);
		await sandbox.configure({ tokenLatencyMs: 0 });
	}, 30_000);
});
