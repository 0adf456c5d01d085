import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import type { ExchangeResponse } from '../../../nodes/shared/http/send.ts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn, withoutCancel } from '../../support/host.mts';
import { type Script } from '../../support/scripted.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const server = useScriptedServer();
const payroll = usePackage();
let credential: string;
beforeAll(async () => (credential = await payroll.store(connectedTo(server.url))));

const request = (effect: 'read' | 'write', url = server.url) =>
	requestTo(url, { method: 'POST', body: '<a/>', effect });

/** Everything that a reader was given. */
let readings: ExchangeResponse[];
beforeEach(() => (readings = []));
const read = (response: ExchangeResponse) => {
	readings.push(response);
	return { value: `${response.status} ${response.body.toString()}` };
};

/** Sends a request in the run of a node. */
async function send(
	effect: 'read' | 'write',
	{ url = server.url, hostOf = (context: IExecuteFunctions) => context } = {},
): Promise<string> {
	return await inNode(payroll, credential, async (context) => {
		const exchange = await exchangeIn(hostOf(context), url, { timeoutMs: 5000 });
		return await exchange(request(effect, url), read);
	});
}

const status =
	(code: number, headers: Record<string, string> = {}): Script =>
	(response) =>
		void response.writeHead(code, headers).end('failed');
const good: Script = (response) => void response.end('good');
/** Fails by the script the first times, and answers well from then on. */
const failing =
	(script: Script, times: number): Script =>
	(response, index, received) =>
		(index < times ? script : good)(response, index, received);

describe('the wait before the next attempt', () => {
	it.each([
		['as long as the service asks for', (context: IExecuteFunctions) => context],
		['the same in a host that cancels nothing', withoutCancel],
	])('is %s', async (_, hostOf) => {
		server.play(failing(status(429, { 'Retry-After': '2' }), 1));
		expect(await send('write', { hostOf })).toBe('200 good');
		const [first, second] = server.received;
		expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1980);
	});

	it('ends when the run is cancelled', async () => {
		const answered = new Promise<void>((resolve) => {
			server.play((response, index, received) => {
				response.on('close', resolve);
				void status(429, { 'Retry-After': '60' })(response, index, received);
			});
		});
		// A credential of its own, since the pause is one for all calls of a credential.
		const own = await payroll.store(connectedTo(server.url));
		const work = startInNode(payroll, own, async (context) => {
			return await (
				await exchangeIn(context, server.url)
			)(request('read'), read);
		});
		await answered;
		// Time for the answer to be received, so that the wait has begun.
		await sleep(300);
		work.cancel();
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(server.received).toHaveLength(1);
	}, 20_000);
});
