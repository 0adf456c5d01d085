/** A company's proxy and its own certificate authority, as n8n is told of them by its environment. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { getAddresses } from '../../../dev/package/calls.mts';
import { close, listen } from '../../../dev/listen.mts';
import { useAccount, useSandbox } from '../../support/setUp.mts';
import { openTlsFront, type TlsFront } from '../../support/tls-front.mts';
import type { Task } from './run-apart.mts';

// Names that only the proxy can resolve.
const IDENTITY = 'identity.invalid';
const SOAP = 'soap.invalid';

const { sandbox, payroll } = useSandbox();
const account = useAccount(payroll, sandbox);
/** The hosts that the proxy was asked to connect to, in order. */
const tunnels: string[] = [];
let folder: string;
let front: TlsFront;
let proxy: Server;
let HTTPS_PROXY: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-payroll-proxy-'));
	front = await openTlsFront(sandbox.url, [IDENTITY, SOAP]);
	await writeFile(join(folder, 'ca.pem'), front.certificate);
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
	await rm(folder, { recursive: true });
});

/** Reads an employee's addresses behind the proxy, with an access token that has expired. */
async function readBehindProxy(certificates: NodeJS.ProcessEnv) {
	const stored = await payroll.credentials.stored(account.credential);
	const addresses = { identityUrl: `https://${IDENTITY}`, soapUrl: `https://${SOAP}` };
	const task: Task = [{ ...stored, ...addresses }, getAddresses];
	const script = join(process.cwd(), 'test/package/nodes/run-apart.mts');
	const PATH = process.env.PATH;
	await sandbox.expireAccessTokens();
	tunnels.length = 0;
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--import', 'tsx', script, JSON.stringify([task])],
		{ env: { PATH, HTTPS_PROXY, ...certificates } },
	);
	const [result] = JSON.parse(stdout) as [Record<string, unknown>];
	return result;
}

it('calls and renewals of tokens go through the proxy, and trust the authority', async () => {
	const result = await readBehindProxy({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
	expect(result).toEqual({ items: expect.any(Number), token: expect.any(String) });
	expect(result.items).toBeGreaterThan(0);
	expect(result.token).not.toBe(account.first);
	expect(tunnels).toEqual([`${SOAP}:443`, `${IDENTITY}:443`, `${SOAP}:443`]);
	expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1 });
});

it('without the authority, the certificate is refused: nothing is sent', async () => {
	const { message, description } = await readBehindProxy({});
	expect(message).toBe('No secure connection to the payroll service could be made');
	expect(description).toMatch(/^Its certificate was not accepted \(\w+\)\. Check 'SOAP Address'/);
	expect(tunnels[0]).toBe(`${SOAP}:443`);
	expect(await sandbox.requests()).toEqual([]);
});
