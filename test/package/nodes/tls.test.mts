/* Faults of TLS: only a certificate that is not accepted proves that a request did not arrive. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAddress } from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { openTlsFront, type TlsFault, type TlsFront } from '../../support/tls-front.mts';
import type { Task } from './run-apart.mts';

const HOST = '127.0.0.1';
const expired = { validUntil: new Date(86_400_000) };

const certificates = [
	['expired', 'CERT_HAS_EXPIRED', HOST, expired],
	['of another host', 'ERR_TLS_CERT_ALTNAME_INVALID', 'payroll.example', {}],
	['of an unknown authority', 'DEPTH_ZERO_SELF_SIGNED_CERT', HOST, {}],
] as const;
const records = [
	['a corrupt record', HOST, { onAnswer: 'corrupt record' }],
	['an alert', HOST, { onAnswer: 'alert' }],
] as const;
const versions = ['TLSv1.2', 'TLSv1.3'] as const;

const service = useScriptedServer();
const fronts = new Map<string, TlsFront>();
/** What came of a write to each front. */
const results = new Map<string, Record<string, unknown>>();

/** Opens a front of each TLS version. */
async function open(name: string, host: string, fault: TlsFault): Promise<void> {
	for (const version of versions) {
		const only = { minVersion: version, maxVersion: version };
		const front = await openTlsFront(service.url, [host], { ...fault, versions: only });
		fronts.set(`${name}, ${version}`, front);
	}
}

beforeAll(async () => {
	service.play((response) => void response.end());
	for (const [name, , host, fault] of certificates) await open(name, host, fault);
	for (const [name, host, fault] of records) await open(name, host, fault);
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-payroll-tls-'));
	const authorities = join(folder, 'ca.pem');
	const known = [...fronts].filter(([name]) => !name.includes('unknown authority'));
	await writeFile(authorities, known.map(([, { certificate }]) => certificate).join('\n'));
	const tasks = [...fronts.values()].map(({ port }): Task => {
		return [connectedTo(`https://${HOST}:${port}`), createAddress];
	});
	const script = join(process.cwd(), 'test/package/nodes/run-apart.mts');
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--import', 'tsx', script, JSON.stringify(tasks)],
		{ env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authorities } },
	);
	const all = JSON.parse(stdout) as Array<Record<string, unknown>>;
	[...fronts.keys()].forEach((name, index) => results.set(name, all[index] ?? {}));
	await rm(folder, { recursive: true });
});
afterAll(async () => {
	for (const front of fronts.values()) await front.close();
});

describe.each(versions)('%s:', (version) => {
	it.each(certificates)('of a write, no byte is sent if the certificate is %s', (name, code) => {
		expect(results.get(`${name}, ${version}`)).toMatchObject({
			message: 'No secure connection to the payroll service could be made',
			description: expect.stringContaining(`certificate was not accepted (${code})`),
			outcome: 'notApplied',
		});
		expect(fronts.get(`${name}, ${version}`)?.received).toBe(0);
	});

	it.each(records)('a write that arrived is sent once, and in doubt, after %s', (name) => {
		expect(results.get(`${name}, ${version}`)).toMatchObject({
			message: expect.stringMatching(/connection to the payroll service (?:failed|broke)$/),
			outcome: 'unknown',
		});
		expect(fronts.get(`${name}, ${version}`)?.received).toBeGreaterThan(0);
	});
});

it('the service received each write that arrived once', () => {
	const writes = service.received.filter(({ body }) => body.includes('<Address_Insert '));
	expect(writes).toHaveLength(records.length * versions.length);
});
