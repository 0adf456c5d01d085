/* What a node does with failures, for one read and one write; test/faults has every operation. */
import { sleep } from 'n8n-workflow';
import { getAddresses, createAddress } from '../../../dev/package/calls.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { requestTo } from '../../support/exchange.mts';
import { exchangeIn } from '../../support/host.mts';
import { type Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ soapUrl: server.url }));

const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const envelope = (content: string) =>
	`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;
const answer = (operation: string) =>
	envelope(`<${operation}Response xmlns="http://payroll.example/soap/v3/EmployeeService"/>`);
const fault = (text: string) =>
	envelope(`<s:Fault><faultcode>s:Server</faultcode><faultstring>${text}</faultstring></s:Fault>`);

const status =
	(code: number, headers: Record<string, string> = {}): Script =>
	(response) =>
		void response.writeHead(code, headers).end();
const says =
	(code: number, body: string): Script =>
	(response) =>
		void response.writeHead(code, xml).end(body);
const reset: Script = (response) => void response.socket?.destroy();
const silence: Script = () => undefined;
const cutShort: Script = (response) =>
	void response
		.writeHead(200, { ...xml, 'Content-Length': '999' })
		.write('<', () => response.socket?.destroy());

const operations = {
	Address_GetListCurrent: getAddresses,
	Address_Insert: createAddress,
};

/** Calls the operation; the first attempt fails by the script, the others succeed. */
async function call(name: keyof typeof operations, failing: Script) {
	server.play((response, index, request) => {
		const script = index === 0 ? failing : says(200, answer(name));
		return script(response, index, request);
	});
	const options = failing === silence ? { timeout: 0.3 } : {};
	return await payroll.run([{ id: 1001 }], credential.employee({ ...operations[name], options }));
}

type Failure = readonly [name: string, script: Script];

describe('a read', () => {
	it.each<Failure>([
		['a broken connection', reset],
		['429', status(429)],
		['502', status(502)],
		['503', status(503)],
		['504', status(504)],
		['a body cut short', cutShort],
		['a timeout', silence],
	])('is retried after %s', async (_, failing) => {
		expect((await call('Address_GetListCurrent', failing)).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});
});

describe('a write', () => {
	it.each<Failure>([
		['a broken connection', reset],
		['500 without a fault', status(500)],
		['502', status(502)],
		['503 without Retry-After', status(503)],
		['504', status(504)],
		['a body cut short', cutShort],
		['an answer that is not XML', says(200, 'OK')],
		["another operation's answer", says(200, answer('Other'))],
		['an empty answer', says(200, '')],
		['a redirect that changes the method', status(303, { Location: '/elsewhere' })],
		['a redirect that keeps the method', status(307, { Location: '/elsewhere' })],
		['a conflict', status(409)],
		['a timeout', silence],
	])('is not retried after %s, and may have been applied', async (_, failing) => {
		const { error } = await call('Address_Insert', failing);
		expect(server.received.filter(({ body }) => body.includes('_Insert '))).toHaveLength(1);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			description: expect.stringContaining('may have been applied'),
			context: { data: { outcome: 'unknown' } },
		});
	});

	it.each<Failure>([
		['a TWK exception', says(500, fault('TWK exception: No'))],
		['a TWK exception with HTTP 200', says(200, fault('TWK exception: No'))],
		['404', status(404)],
	])('is not retried after %s, and was not applied', async (_, failing) => {
		const { error } = await call('Address_Insert', failing);
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({
			description: expect.stringContaining('was not applied'),
			context: { data: { outcome: 'notApplied' } },
		});
	});
});

it('a request never goes to another host than that of its address, nor above or beside it', async () => {
	const other = server.url.replace('127.0.0.1', 'localhost');
	server.play(says(200, '{}'));
	await inNode(payroll, credential.id, async (context) => {
		const exchange = await exchangeIn(context, `${server.url}/base`);
		const read = () => ({ value: undefined });
		const above = [
			`${server.url}/api`,
			`${server.url}/base/../api`,
			`${server.url}/base/%2e%2e/api`,
			`${server.url}/base/..%2Fapi`,
			`${server.url}/base-evil`,
		];
		for (const url of [`${other}/base/api`, ...above]) {
			await expect(exchange(requestTo(url), read)).rejects.toThrow(
				"A request to an address that is not below 'REST Address'",
			);
		}
	});
	expect(server.received).toHaveLength(0);
});

it('a cancelled run ends at once: it sends nothing further, and aborts what is under way', async () => {
	let cut = 0;
	server.play((response) => void response.on('close', () => (cut += 1)));
	const input = Array.from({ length: 20 }, (_, i) => ({ id: 1001 + i }));
	const node = credential.employee({ ...getAddresses, options: { concurrency: 5 } });
	const running = payroll.start(input, node);
	while (server.received.length < 5) await sleep(20);
	running.cancel();
	expect((await running.done).status).toBe('canceled');
	expect(server.received).toHaveLength(5);
	while (cut < 5) await sleep(20);
});

it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'no error or item of a failed call holds a secret that the service repeats (%s)',
	async (onError) => {
		const { subscriptionKey, clientSecret } = sandbox;
		const accessToken = await payroll.accessToken(credential.id);
		const echo = `Key ${subscriptionKey} with token ${accessToken} is not known`;
		server.play(says(500, fault(`9: ${echo}`)));
		const node = credential.employee(getAddresses, { onError });
		const { run: execution } = await payroll.run([{ id: 1001 }], node);
		const { error, runData } = execution.data.resultData;
		const stored = [JSON.stringify(runData), error?.message, error?.stack, JSON.stringify(error)];
		const text = stored.join('\n');
		expect(text).toContain('is not known');
		const secrets = [accessToken, subscriptionKey, clientSecret];
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
	},
);
