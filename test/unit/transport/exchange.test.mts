import type { INodeParameters } from 'n8n-workflow';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/payroll.mts';
import { closedPort, scriptedServer, type Script } from '../../support/scripted.mts';
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

/** Every operation: its name at the service, its node and parameters, and whether it writes. */
type Operation = [
	name: string,
	node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes',
	parameters: INodeParameters,
	effect: 'read' | 'write',
];
const operations: [Operation, Operation, Operation, Operation, Operation, Operation] = [
	['CostCenter_Get', 'payrollEmployee', getCostCenters, 'read'],
	['Address_GetListCurrent', 'payrollEmployee', getAddresses, 'read'],
	['hourcodes', 'payrollHourCodes', getHourCodes, 'read'],
	['CostCenter_Update', 'payrollEmployee', updateCostCenters, 'write'],
	['Address_Insert', 'payrollEmployee', createAddress, 'write'],
	['Address_Update', 'payrollCompany', updateCompany, 'write'],
];
const reads = operations.filter(([, , , effect]) => effect === 'read');
const writes = operations.filter(([, , , effect]) => effect === 'write');

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

/** Fails as told the first time, and answers well from then on. */
const onceThenGood =
	(name: string, failing: Script): Script =>
	(response, index, request) =>
		index === 0 ? failing(response, index, request) : good(name)(response, index, request);

async function run(
	[, type, parameters]: Operation,
	options: Record<string, number> = {},
	credentialId = credential,
) {
	return await payroll.run(
		[{ id: 1001 }],
		payroll.node(type, credentialId, { ...parameters, options }),
	);
}

const status =
	(code: number, headers: Record<string, string> = {}): Script =>
	(response) =>
		void response.writeHead(code, headers).end();
const reset: Script = (response) => void response.socket?.destroy();
const silence: Script = () => undefined;

describe.each(reads)('the read %s', (...operation) => {
	it.each([
		['a broken connection', reset],
		['429', status(429)],
		['502', status(502)],
		['503', status(503)],
		['504', status(504)],
		[
			'a body cut short',
			(response) =>
				void response
					.writeHead(200, { ...xml, 'Content-Length': '999' })
					.write('<', () => response.socket?.destroy()),
		],
	] as Array<[string, Script]>)('is repeated after %s', async (_, failing) => {
		server.play(onceThenGood(operation[0], failing));
		const { error } = await run(operation);
		expect(error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it('is repeated after a time-out', async () => {
		server.play(onceThenGood(operation[0], silence));
		expect((await run(operation, { timeout: 0.3 })).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it('is sent four times at most', async () => {
		server.play(status(503));
		const { error } = await run(operation);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '503' });
		expect(server.received).toHaveLength(4);
		const gaps = server.received.slice(1).map(({ at }, i) => at - (server.received[i]?.at ?? 0));
		expect(gaps[0]).toBeGreaterThanOrEqual(245);
		expect(gaps[1]).toBeGreaterThanOrEqual(495);
		expect(gaps[2]).toBeGreaterThanOrEqual(995);
	});

	it.each([400, 403, 404, 500])('is not repeated after HTTP %d', async (code) => {
		server.play(status(code));
		expect((await run(operation)).error).toMatchObject({ httpCode: String(code) });
		expect(server.received).toHaveLength(1);
	});
});

describe.each(writes)('the write %s', (...operation) => {
	it.each([
		['a broken connection', reset],
		['500 without a fault', status(500)],
		['502', status(502)],
		['503 without Retry-After', status(503)],
		['504', status(504)],
		[
			'a body cut short',
			(response) =>
				void response
					.writeHead(200, { ...xml, 'Content-Length': '999' })
					.write('<', () => response.socket?.destroy()),
		],
		['an answer that is no XML', (response) => void response.writeHead(200, xml).end('OK')],
		[
			"another operation's answer",
			(response) => void response.writeHead(200, xml).end(answer('Other')),
		],
		['an empty answer', (response) => void response.writeHead(200, xml).end()],
		['a redirect after the act', status(303, { Location: '/elsewhere' })],
	] as Array<[string, Script]>)(
		'is never repeated after %s, and may have been applied',
		async (_, failing) => {
			server.play(onceThenGood(operation[0], failing));
			const { error } = await run(operation);
			expect(server.received).toHaveLength(1);
			expect(error).toMatchObject({
				name: 'NodeApiError',
				description: expect.stringContaining('may have been applied'),
				context: { data: { outcome: 'unknown' } },
			});
		},
	);

	it('is never repeated after a time-out, and may have been applied', async () => {
		server.play(onceThenGood(operation[0], silence));
		const { error } = await run(operation, { timeout: 0.3 });
		expect(server.received).toHaveLength(1);
		expect(error).toMatchObject({
			message: 'The payroll service did not answer in time',
			description: expect.stringContaining('may have been applied'),
		});
	});

	it.each([
		['429', status(429)],
		['503 with Retry-After', status(503, { 'Retry-After': '0' })],
	] as Array<[string, Script]>)(
		'is repeated after %s, when the service did not act',
		async (_, failing) => {
			server.play(onceThenGood(operation[0], failing));
			expect((await run(operation)).error).toBeUndefined();
			expect(server.received).toHaveLength(2);
		},
	);

	it.each([
		['a fault', (response) => void response.writeHead(500, xml).end(fault('2011: No'))],
		[
			'a fault with HTTP 200',
			(response) => void response.writeHead(200, xml).end(fault('2011: No')),
		],
		['404', status(404)],
		['a redirect before the act', status(307, { Location: '/elsewhere' })],
	] as Array<[string, Script]>)(
		'is not repeated after %s, and was not applied',
		async (_, failing) => {
			server.play(failing);
			const { error } = await run(operation);
			expect(server.received).toHaveLength(1);
			expect(error).toMatchObject({
				description: expect.stringContaining('was not applied'),
				context: { data: { outcome: 'notApplied' } },
			});
		},
	);
});

describe('Retry-After', () => {
	it('in seconds is waited for', async () => {
		server.play(onceThenGood('CostCenter_Get', status(429, { 'Retry-After': '1' })));
		expect((await run(operations[0])).error).toBeUndefined();
		expect((server.received[1]?.at ?? 0) - (server.received[0]?.at ?? 0)).toBeGreaterThanOrEqual(
			990,
		);
	});

	it('as a date is waited for', async () => {
		const date = new Date(Date.now() + 2000).toUTCString();
		server.play(onceThenGood('CostCenter_Get', status(503, { 'Retry-After': date })));
		expect((await run(operations[0])).error).toBeUndefined();
		expect(server.received).toHaveLength(2);
	});

	it('of a day is not waited for', async () => {
		server.play(status(429, { 'Retry-After': '86400' }));
		expect((await run(operations[0])).error).toMatchObject({ httpCode: '429' });
		expect(server.received).toHaveLength(1);
	});
});

describe('a service that is not reached', () => {
	it.each(operations)(
		'lets %s fail after four tries, certainly not applied',
		async (...operation) => {
			const port = await closedPort();
			const away = { restUrl: `http://127.0.0.1:${port}`, soapUrl: `http://127.0.0.1:${port}` };
			const { error } = await run(operation, {}, await payroll.connect(sandbox, away));
			expect(error).toMatchObject({ message: 'The payroll service refused the connection' });
			if (operation[3] === 'write') {
				expect(error).toMatchObject({ description: expect.stringContaining('was not applied') });
			}
		},
	);

	it('is told apart when its name is not found', async () => {
		const away = { soapUrl: 'https://payroll.invalid' };
		const { error } = await run(operations[3], {}, await payroll.connect(sandbox, away));
		expect(error).toMatchObject({
			message: 'The payroll service was not found',
			description: expect.stringContaining('was not applied'),
		});
	});
});

describe('limits', () => {
	it('end an answer that comes a byte at a time', async () => {
		server.play((response) => {
			response.writeHead(200, xml);
			const drip = setInterval(() => response.write(' '), 50);
			response.on('close', () => clearInterval(drip));
		});
		const { error } = await run(operations[3], { timeout: 0.5 });
		expect(error).toMatchObject({ message: 'The payroll service did not answer in time' });
	});

	it('end an answer that is too large', async () => {
		let closed = false;
		server.play((response) => {
			response.on('close', () => (closed = !response.writableEnded));
			response.writeHead(200, xml);
			const pour = () => {
				while (!response.destroyed && response.write(' '.repeat(65_536)));
				if (!response.destroyed) response.once('drain', pour);
			};
			pour();
		});
		const { error } = await run(operations[0], { responseSizeLimit: 1 });
		expect(error).toMatchObject({
			message: 'The answer of the payroll service is too large',
			description: expect.stringContaining('Response Size Limit'),
		});
		expect(server.received).toHaveLength(1);
		for (let i = 0; i < 50 && !closed; i += 1)
			await new Promise((resolve) => setTimeout(resolve, 20));
		expect(closed).toBe(true);
	});
});

it.each([301, 302, 303, 307, 308])(
	'a redirect (%d) is not followed: nobody else gets the token',
	async (code) => {
		const other = await scriptedServer();
		try {
			server.play(status(code, { Location: `${other.url}/soap/v3/EmployeeService.asmx` }));
			for (const operation of operations) {
				expect((await run(operation)).error).toMatchObject({
					message: expect.stringContaining('redirect'),
					description: expect.stringContaining('credential'),
				});
			}
			expect(other.received).toEqual([]);
		} finally {
			await other.close();
		}
	},
);

it('a cancelled run ends at once: nothing further is sent, what is under way is cut', async () => {
	let cut = 0;
	server.play((response) => void response.on('close', () => (cut += 1)));
	const input = Array.from({ length: 20 }, (_, i) => ({ id: 1001 + i }));
	const node = payroll.node('payrollEmployee', credential, {
		...getAddresses,
		options: { concurrency: 5 },
	});
	const running = payroll.start(input, node);
	while (server.received.length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
	running.cancel();
	const { status: ended } = await running.done;
	expect(ended).toBe('canceled');
	expect(server.received).toHaveLength(5);
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(cut).toBe(5);
});

it('a cancelled run does not wait for the next attempt', async () => {
	// Longer than the test may take; of a credential of its own, since all its calls wait.
	server.play(status(429, { 'Retry-After': '60' }));
	const own = await payroll.connect(sandbox, { soapUrl: server.url });
	const running = payroll.start([{ id: 1001 }], payroll.node('payrollEmployee', own, getAddresses));
	while (server.received.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
	running.cancel();
	expect((await running.done).status).toBe('canceled');
	expect(server.received).toHaveLength(1);
}, 20_000);

it('no error, item or log of a failed call holds a secret, even if the service repeats them', async () => {
	const { accessToken, subscriptionKey, domain } = {
		accessToken: await payroll.accessToken(credential),
		subscriptionKey: sandbox.subscriptionKey,
		domain: sandbox.domain,
	};
	const echo = `Domain ${domain} with key ${subscriptionKey} and token ${accessToken} is not known`;
	server.play((response) => void response.writeHead(500, xml).end(fault(`9: ${echo}`)));
	for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const { run: execution } = await payroll.run(
			[{ id: 1001 }],
			payroll.node('payrollEmployee', credential, getAddresses, { onError }),
		);
		const error = execution.data.resultData.error;
		const stored =
			JSON.stringify(execution.data.resultData.runData) +
			String(error?.message) +
			String(error?.stack) +
			JSON.stringify(error);
		expect(stored).toContain('is not known');
		const secrets = [accessToken, subscriptionKey, sandbox.clientSecret, ` ${domain} `];
		expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
	}
});
