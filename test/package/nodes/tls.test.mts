/** A company's proxy and its own certificate authority, as n8n is told of them by its environment. */
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { getAddresses, createAddress } from '../../../dev/package/calls.mts';
import { close, listen } from '../../../dev/listen.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { openTlsFront, type TlsFront } from '../../support/tls-front.mts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Task } from './run-apart.mts';
import { connectedTo } from '../../support/credential.mts';

// Names that only the proxy can resolve.
const IDENTITY = 'identity.invalid';
const SOAP = 'soap.invalid';

const { sandbox, payroll } = useSandbox();
const account = useAccount(payroll, sandbox);
/** The hosts that the proxy was asked to connect to, in order. */
const tunnels: string[] = [];
let front: TlsFront;
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
	const task = [{ ...stored, ...addresses }, getAddresses] as const;
	const [result = {}] = await runApart([task], certificates, { HTTPS_PROXY });
	return result;
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

/** Runs nodes one after the other in a process that trusts these certificates; returns what came of each. */
async function runApart(
	tasks: readonly Task[],
	certificates: readonly string[],
	env: NodeJS.ProcessEnv = {},
): Promise<Array<Record<string, unknown>>> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-payroll-'));
	const authorities = join(folder, 'ca.pem');
	await writeFile(authorities, certificates.join('\n'));
	const trusts = certificates.length > 0 && { NODE_EXTRA_CA_CERTS: authorities };
	const script = join(process.cwd(), 'test/package/nodes/run-apart.mts');
	const args = ['--import', 'tsx', script, JSON.stringify(tasks)];
	const own = { env: { PATH: process.env.PATH, ...env, ...trusts } };
	try {
		const { stdout } = await promisify(execFile)(process.execPath, args, own);
		return JSON.parse(stdout) as Array<Record<string, unknown>>;
	} finally {
		await rm(folder, { recursive: true });
	}
}

describe('faults of TLS after a request arrived, which prove nothing', () => {
	const HOST = '127.0.0.1';

	const rows = (['TLSv1.2', 'TLSv1.3'] as const).flatMap((version) => [
		{ version, onAnswer: 'corrupt record' as const },
		{ version, onAnswer: 'alert' as const },
	]);

	const service = useScriptedServer();
	const fronts: TlsFront[] = [];
	/** What came of a write to each front. */
	let results: ReadonlyArray<Record<string, unknown>>;

	beforeAll(async () => {
		service.play((response) => void response.end());
		for (const row of rows) fronts.push(await openTlsFront(service.url, [HOST], row));
		const tasks = fronts.map(
			({ port }) => [connectedTo(`https://${HOST}:${port}`), createAddress] as const,
		);
		const certificates = fronts.map(({ certificate }) => certificate);
		results = await runApart(tasks, certificates);
	});
	afterAll(async () => {
		for (const front of fronts) await front.close();
	});

	it.each(rows.map((row, i) => ({ ...row, i })))(
		'$version: a write that arrived is sent once, and in doubt, after: $onAnswer',
		({ i }) => {
			expect(results[i]).toMatchObject({
				message: expect.stringMatching(/connection to the payroll service (?:failed|broke)$/),
				outcome: 'unknown',
			});
			const writes = service.received.filter(({ body }) => body.includes('<Address_Insert '));
			expect(writes).toHaveLength(rows.length);
		},
	);
});
