import { createServer } from 'node:http';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readConnection } from '../../support/connection.mts';
import { createExchange, type Exchange } from '../../../nodes/shared/transport/exchange.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../../nodes/shared/transport/send.ts';
import { Tally } from '../../../nodes/shared/transport/tally.ts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { Account } from '../../../dev/package/account.mts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { Payroll } from '../../../dev/package/payroll.mts';
import {
	closedPort,
	scriptedServer,
	type Script,
	type ScriptedServer,
} from '../../support/scripted.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let server: ScriptedServer;
let account: Account;

beforeAll(async () => {
	[sandbox, payroll, server] = await Promise.all([
		launchSandbox(),
		Payroll.load(),
		scriptedServer(),
	]);
	account = await Account.connect(payroll, sandbox);
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close()]));

const limits = { timeoutMs: 5000, maxBytes: 10_000 };
const request = (effect: 'read' | 'write', url = server.url): ExchangeRequest => ({
	method: 'POST',
	url,
	address: 'SOAP Address',
	headers: {},
	body: '<a/>',
	effect,
});

/** Everything that a reader was given. */
let readings: ExchangeResponse[];
beforeEach(() => (readings = []));
const read = (response: ExchangeResponse) => {
	readings.push(response);
	return { value: `${response.status} ${response.body.toString()}`, tokenRejected: false };
};

/** Works with the exchange of a node's run. */
async function exchanging<T>(work: (exchange: Exchange) => Promise<T>): Promise<T> {
	return await inNode(payroll, account.credential, async (context) => {
		return await work(createExchange(context, await readConnection(context), limits, new Tally()));
	});
}

const status =
	(code: number, headers: Record<string, string> = {}): Script =>
	(response) =>
		void response.writeHead(code, headers).end('failed');
const busy = status(503, { 'Retry-After': '0' });
const reset: Script = (response) => void response.socket?.destroy();
const good: Script = (response) => void response.end('good');
/** Fails as told the first times, and answers well from then on. */
const failing =
	(script: Script, times: number): Script =>
	(response, index, received) =>
		(index < times ? script : good)(response, index, received);

describe.each(['read', 'write'] as const)('a %s that is answered', (effect) => {
	it('gives what was made of the answer', async () => {
		server.play(good);
		expect(await exchanging((exchange) => exchange(request(effect), read))).toBe('200 good');
		expect(server.received).toHaveLength(1);
	});

	it('with "come back later" is sent again, and only the last answer is read', async () => {
		server.play(failing(busy, 3));
		expect(await exchanging((exchange) => exchange(request(effect), read))).toBe('200 good');
		expect(server.received).toHaveLength(4);
		expect(readings).toHaveLength(1);
	});

	it('with "come back later" four times gives what was made of the fourth answer', async () => {
		server.play(busy);
		expect(await exchanging((exchange) => exchange(request(effect), read))).toBe('503 failed');
		expect(server.received).toHaveLength(4);
		expect(readings).toHaveLength(1);
	});

	it('with an error that will not pass is sent once', async () => {
		server.play(status(500, { 'Retry-After': '0' }));
		expect(await exchanging((exchange) => exchange(request(effect), read))).toBe('500 failed');
		expect(server.received).toHaveLength(1);
	});

	it('with a reader that refuses the answer ends with its error', async () => {
		server.play(good);
		const refuse = () => {
			throw new Error('unreadable');
		};
		await expect(exchanging((exchange) => exchange(request(effect), refuse))).rejects.toThrow(
			'unreadable',
		);
	});

	it('is sent again where nobody listened the first time', async () => {
		const port = await closedPort();
		const late = createServer((_, response) => void response.end('late'));
		const answered = exchanging(async (exchange) => {
			setTimeout(() => late.listen(port, '127.0.0.1'), 50);
			return await exchange(request(effect, `http://127.0.0.1:${port}`), read);
		});
		expect(await answered).toBe('200 late');
		late.close();
	});
});

describe('a connection that breaks', () => {
	it('lets a read be sent again', async () => {
		server.play(failing(reset, 1));
		expect(await exchanging((exchange) => exchange(request('read'), read))).toBe('200 good');
		expect(server.received).toHaveLength(2);
	});

	it('four times ends a read', async () => {
		server.play(reset);
		const sent = exchanging((exchange) => exchange(request('read'), read));
		await expect(sent).rejects.toMatchObject({
			message: 'The connection to the payroll service broke',
		});
		expect(server.received).toHaveLength(4);
	});

	it('ends a write', async () => {
		server.play(failing(reset, 1));
		const sent = exchanging((exchange) => exchange(request('write'), read));
		await expect(sent).rejects.toMatchObject({
			message: 'The connection to the payroll service broke',
			outcome: 'unknown',
		});
		expect(server.received).toHaveLength(1);
	});
});

it('the tally of a run counts its requests, and those of them that were sent again', async () => {
	const tally = new Tally();
	await inNode(payroll, account.credential, async (context) => {
		const exchange = createExchange(context, await readConnection(context), limits, tally);
		server.play(good);
		await exchange(request('read'), read);
		expect(tally).toMatchObject({ requests: 1, repeated: 0 });
		server.play(failing(busy, 3));
		await exchange(request('write'), read);
		expect(tally).toMatchObject({ requests: 2, repeated: 1 });
		server.play(failing(reset, 1));
		await exchange(request('read'), read);
		await exchange(request('write'), read);
		expect(tally).toMatchObject({ requests: 4, repeated: 2 });
		// Not repeated, since nobody knows whether it was carried out.
		server.play(reset);
		await expect(exchange(request('write'), read)).rejects.toThrow();
		expect(tally).toMatchObject({ requests: 5, repeated: 2 });
	});
});

describe('the wait before the next attempt', () => {
	it('is as long as the service asks for', async () => {
		server.play(failing(status(429, { 'Retry-After': '1' }), 1));
		await exchanging((exchange) => exchange(request('write'), read));
		const [first, second] = server.received;
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
	});

	it('ends with a run that is cancelled', async () => {
		const answered = new Promise<void>((resolve) => {
			server.play((response, index, received) => {
				response.on('close', resolve);
				void status(429, { 'Retry-After': '60' })(response, index, received);
			});
		});
		// Of its own, since the pause is one for all calls of a credential.
		const { credential } = await Account.connect(payroll, sandbox);
		const work = startInNode(payroll, credential, async (context) => {
			const exchange = createExchange(context, await readConnection(context), limits, new Tally());
			return await exchange(request('read'), read);
		});
		await answered;
		// Time for the answer to be received, so that the wait has begun.
		await new Promise((resolve) => setTimeout(resolve, 300));
		work.cancel();
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(server.received).toHaveLength(1);
	}, 20_000);

	it('is the same in a host that cancels nothing', async () => {
		server.play(failing(status(429, { 'Retry-After': '1' }), 1));
		const answered = inNode(payroll, account.credential, async (context) => {
			const host = Object.create(context, { getExecutionCancelSignal: { value: () => undefined } });
			return await createExchange(
				host,
				await readConnection(host),
				limits,
				new Tally(),
			)(request('read'), read);
		});
		expect(await answered).toBe('200 good');
	});
});
