/** A company's proxy and its own certificate authority, as n8n is told of them by its environment. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';
import { getAddresses } from '../../../dev/package/calls.mts';
import { close, listen } from '../../../dev/listen.mts';
import { useAccount, useSandbox } from '../../support/setUp.mts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Outcome, Task } from './run-apart.mts';

// Names that only the proxy can resolve.
const IDENTITY = 'identity.invalid';
const SOAP = 'soap.invalid';

const DAY_MS = 86_400_000;

/** Starts a TLS server that passes connections on to a service on 127.0.0.1, with a certificate for these names. */
async function openTlsFront(origin: string, hosts: readonly string[]) {
	const altNames = hosts.map((value) => ({ type: 2 as const, value }));
	// A client finds an authority by its name.
	const { private: key, cert } = await generate(
		[{ name: 'commonName', value: `Payroll ${randomUUID()}` }],
		{
			keyType: 'ec',
			algorithm: 'sha256',
			extensions: [{ name: 'subjectAltName', altNames }],
			notBeforeDate: new Date(0),
			notAfterDate: new Date(Date.now() + DAY_MS),
		},
	);
	const sockets: Socket[] = [];
	const server = createTlsServer({ key, cert }, (secure) => {
		const plain = connect(Number(new URL(origin).port), '127.0.0.1');
		sockets.push(plain, secure);
		// A side that breaks off ends the other one as well.
		pipeline(secure, plain, secure, () => undefined);
	});
	// A client that does not trust the certificate ends the handshake.
	server.on('tlsClientError', () => undefined);
	return {
		port: await listen(server),
		// What a client has to trust: the server's certificate is its own authority.
		certificate: cert,
		async close() {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}

const { sandbox, payroll } = useSandbox();
const account = useAccount(payroll, sandbox);
/** The hosts that the proxy was asked to connect to, in order. */
const tunnels: string[] = [];
let front: Awaited<ReturnType<typeof openTlsFront>>;
let proxy: Server;
let HTTPS_PROXY: string;

beforeAll(async () => {
	front = await openTlsFront(sandbox.url, [IDENTITY, SOAP]);
	proxy = createServer().on('connect', ({ url = '' }, client) => {
		tunnels.push(url);
		const target = connect(front.port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			pipeline(client, target, client, () => undefined);
		});
	});
	HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
});
afterAll(async () => {
	await close(proxy);
	await front.close();
});

/** Reads an employee's addresses behind the proxy, with an access token that has expired. */
async function readBehindProxy(...certificates: readonly string[]) {
	const stored = await payroll.credentials.stored(account.credential);
	const addresses = { identityUrl: `https://${IDENTITY}`, soapUrl: `https://${SOAP}` };
	await sandbox.expireAccessTokens();
	tunnels.length = 0;
	return await runApart([{ ...stored, ...addresses }, getAddresses], certificates);
}

it('calls and renewals of tokens go through the proxy, and trust the authority', async () => {
	const result = await readBehindProxy(front.certificate);
	expect(result).toEqual({ items: expect.any(Number), token: expect.any(String) });
	expect(result.items).toBeGreaterThan(0);
	expect(result.token).not.toBe(account.first);
	expect(tunnels).toEqual([`${SOAP}:443`, `${IDENTITY}:443`, `${SOAP}:443`]);
	expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1 });
});

it('without the authority, the certificate is refused: nothing is sent', async () => {
	const { message, description } = await readBehindProxy();
	expect(message).toBe('No secure connection to the payroll service could be made');
	expect(description).toMatch(/^Its certificate was not accepted \(\w+\)\. Check 'SOAP Address'/);
	expect(tunnels[0]).toBe(`${SOAP}:443`);
	expect(await sandbox.requests()).toEqual([]);
});

/** Runs a node behind the proxy, in a process that trusts these certificates; returns what came of it. */
async function runApart(task: Task, certificates: readonly string[]): Promise<Outcome> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-payroll-'));
	const authorities = join(folder, 'ca.pem');
	await writeFile(authorities, certificates.join('\n'));
	const trusts = certificates.length > 0 && { NODE_EXTRA_CA_CERTS: authorities };
	const script = join(process.cwd(), 'test/package/nodes/run-apart.mts');
	const args = ['--import', 'tsx', script, JSON.stringify(task)];
	const own = { env: { PATH: process.env.PATH, HTTPS_PROXY, ...trusts } };
	try {
		const { stdout } = await promisify(execFile)(process.execPath, args, own);
		return JSON.parse(stdout) as Outcome;
	} finally {
		await rm(folder, { recursive: true });
	}
}
