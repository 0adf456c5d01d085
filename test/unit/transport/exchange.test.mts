/* What each operation does with failures; send.test.mts and attempts.test.mts have the single calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { closedPort, type Script } from '../../support/scripted.mts';
import { useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
let credential: string;
beforeAll(async () => {
	credential = await payroll.connect(sandbox, { restUrl: server.url, soapUrl: server.url });
});

const NS = 'http://payroll.example/soap/v3';
const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const envelope = (content: string) =>
	`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`;
const answer = (operation: string, service = 'EmployeeService') =>
	envelope(
		`<${operation}Response xmlns="${NS}/${service}">${operation === 'Address_Insert' ? '<Address_InsertResult>9001</Address_InsertResult>' : ''}</${operation}Response>`,
	);
const fault = (text: string) =>
	envelope(`<s:Fault><faultcode>s:Server</faultcode><faultstring>${text}</faultstring></s:Fault>`);

/** An operation: its name at the service, its node and its parameters. */
type Operation = readonly [
	name: string,
	node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes',
	parameters: INodeParameters,
];
const reads: readonly Operation[] = [
	['CostCenter_Get', 'payrollEmployee', getCostCenters],
	['Address_GetListCurrent', 'payrollEmployee', getAddresses],
	['hourcodes', 'payrollHourCodes', getHourCodes],
];
const writes: readonly Operation[] = [
	['CostCenter_Update', 'payrollEmployee', updateCostCenters],
	['Address_Insert', 'payrollEmployee', createAddress],
	['Address_Update', 'payrollCompany', updateCompany],
];

const good =
	(name: string): Script =>
	(response) => {
		if (name === 'hourcodes')
			response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
		else
			response
				.writeHead(200, xml)
				.end(answer(name, name === 'Address_Update' ? 'CompanyService' : undefined));
	};

/** Fails by the script the first time, and answers well from then on. */
const onceThenGood =
	(name: string, failing: Script): Script =>
	(response, index, request) =>
		index === 0 ? failing(response, index, request) : good(name)(response, index, request);

async function run([, type, parameters]: Operation, options = {}, credentialId = credential) {
	return await payroll.run(
		[{ id: 1001 }],
		payroll.node(type, credentialId, { ...parameters, options }),
	);
}

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

type Failure = readonly [name: string, script: Script];
const timeout: Failure = ['a timeout', silence];
/** Options with which a timeout occurs at once. */
const optionsFor = (failing: Script) => (failing === silence ? { timeout: 0.3 } : {});

describe.each(reads)('the read %s', (...operation) => {
	it.each<Failure>([
		['a broken connection', reset],
		['429', status(429)],
		['502', status(502)],
		['503', status(503)],
		['504', status(504)],
		['a body cut short', cutShort],
		timeout,
	])('is retried after %s', async (_, failing) => {
		server.play(onceThenGood(operation[0], failing));
		expect((await run(operation, optionsFor(failing))).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it('is sent four times at most, at growing intervals', async () => {
		server.play(status(503));
		const { error } = await run(operation);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
		expect(server.received).toHaveLength(4);
		const gaps = server.received.slice(1).map(({ at }, i) => at - (server.received[i]?.at ?? 0));
		expect(gaps[0]).toBeGreaterThanOrEqual(245);
		expect(gaps[1]).toBeGreaterThanOrEqual(495);
		expect(gaps[2]).toBeGreaterThanOrEqual(995);
	});

	it.each([400, 403, 404, 500])('is not retried after HTTP %d', async (code) => {
		server.play(status(code));
		expect((await run(operation)).error).toMatchObject({ httpCode: String(code) });
		expect(server.received).toHaveLength(1);
	});
});

describe.each(writes)('the write %s', (...operation) => {
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
		['a redirect after it was processed', status(303, { Location: '/elsewhere' })],
		timeout,
	])('is not retried after %s, and may have been applied', async (_, failing) => {
		server.play(onceThenGood(operation[0], failing));
		const { error } = await run(operation, optionsFor(failing));
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			description: expect.stringContaining('may have been applied'),
			context: { data: { outcome: 'unknown' } },
		});
	});

	it.each<Failure>([
		['429', status(429)],
		['503 with Retry-After', status(503, { 'Retry-After': '0' })],
	])('is retried after %s, which says that it was not processed', async (_, failing) => {
		server.play(onceThenGood(operation[0], failing));
		expect((await run(operation)).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it.each<Failure>([
		['a fault', says(500, fault('2011: No'))],
		['a fault with HTTP 200', says(200, fault('2011: No'))],
		['404', status(404)],
		['a redirect before it was processed', status(307, { Location: '/elsewhere' })],
	])('is not retried after %s, and was not applied', async (_, failing) => {
		server.play(failing);
		const { error } = await run(operation);
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({
			description: expect.stringContaining('was not applied'),
			context: { data: { outcome: 'notApplied' } },
		});
	});

	it('was not applied if the service cannot be reached', async () => {
		const url = `http://127.0.0.1:${await closedPort()}`;
		const { error } = await run(operation, {}, await payroll.connect(sandbox, { soapUrl: url }));
		expect(error).toMatchObject({
			message: 'The payroll service refused the connection',
			description: expect.stringContaining('was not applied'),
		});
	});
});

it('a cancelled run ends at once: it sends nothing further, and aborts what is under way', async () => {
	let cut = 0;
	server.play((response) => void response.on('close', () => (cut += 1)));
	const input = Array.from({ length: 20 }, (_, i) => ({ id: 1001 + i }));
	const node = payroll.node('payrollEmployee', credential, {
		...getAddresses,
		options: { concurrency: 5 },
	});
	const running = payroll.start(input, node);
	while (server.received.length < 5) await sleep(20);
	running.cancel();
	expect((await running.done).status).toBe('canceled');
	expect(server.received).toHaveLength(5);
	await sleep(50);
	expect(cut).toBe(5);
});

it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'no error or item of a failed call holds a secret that the service repeats (%s)',
	async (onError) => {
		const { subscriptionKey, domain, clientSecret } = sandbox;
		const accessToken = await payroll.accessToken(credential);
		const echo = `Domain ${domain} with key ${subscriptionKey} and token ${accessToken} is not known`;
		server.play(says(500, fault(`9: ${echo}`)));
		const node = payroll.node('payrollEmployee', credential, getAddresses, { onError });
		const { run: execution } = await payroll.run([{ id: 1001 }], node);
		const { error, runData } = execution.data.resultData;
		const stored = [JSON.stringify(runData), error?.message, error?.stack, JSON.stringify(error)];
		const text = stored.join('\n');
		expect(text).toContain('is not known');
		const secrets = [accessToken, subscriptionKey, clientSecret, ` ${domain} `];
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
	},
);
