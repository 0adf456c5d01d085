import { createServer, type Server } from 'node:http';
import { Agent, get } from 'node:https';
import { text } from 'node:stream/consumers';
import { openTlsFront, type TlsFront } from '../../../bench/service/tls.mts';
import { close, listen } from '../../../dev/listen.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { usePackage } from '../../support/setUp.mts';

const REQUESTS = 4;
const ROUND_TRIP_MS = 20;

const payroll = usePackage();
let service: Server;
let front: TlsFront;

beforeAll(async () => {
	service = createServer((_request, response) => response.end('payroll'));
	front = await openTlsFront(`http://127.0.0.1:${await listen(service)}`, ROUND_TRIP_MS);
});
beforeEach(() => front.forget());
afterAll(async () => {
	await front.close();
	await close(service);
});

/** Sends a request that trusts the front's certificate. */
async function request(agent: Agent): Promise<string> {
	return await new Promise((resolve, reject) => {
		get(front.url, { agent, ca: front.certificate }, (response) =>
			text(response).then(resolve, reject),
		).once('error', reject);
	});
}

it.each([
	['a kept connection', { keepAlive: true }, { connections: 1, resumed: 0, roundTrips: 2 + 4 }],
	['a resumed session', {}, { connections: 4, resumed: 3, roundTrips: 3 * 4 }],
	[
		'TLS 1.2',
		{ maxCachedSessions: 0, maxVersion: 'TLSv1.2' } as const,
		{ connections: 4, resumed: 0, roundTrips: 4 * 4 },
	],
])('%s is told by its traffic, each round trip delayed', async (_, options, expected) => {
	const agent = new Agent(options);
	const start = performance.now();
	for (let sent = 0; sent < REQUESTS; sent += 1) expect(await request(agent)).toBe('payroll');
	const milliseconds = performance.now() - start;
	agent.destroy();
	expect(front.traffic()).toEqual(expected);
	expect(milliseconds).toBeGreaterThanOrEqual(expected.roundTrips * ROUND_TRIP_MS);
});

// What docs/dev/benchmark.md says of n8n. With an n8n that keeps connections, change the page.
it.each([
	['by default', {}],
	['if told to keep it', { agentOptions: { keepAlive: true } }],
])("n8n's helper opens a TLS connection for each request %s", async (_, options) => {
	await inNode(payroll, undefined, async ({ helpers }) => {
		for (let sent = 0; sent < REQUESTS; sent += 1) {
			const { url } = front;
			await helpers.httpRequest({ url, skipSslCertificateValidation: true, ...options });
		}
	});
	expect(front.traffic()).toEqual({ connections: 4, resumed: 0, roundTrips: 3 * 4 });
});
