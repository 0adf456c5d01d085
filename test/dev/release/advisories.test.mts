/** `npm run advisories` on this checkout, against a registry with advisories of its own. */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

let registry: Server;
let found: Record<string, { title: string; severity: string; cwe: string[] }>;
let status: number;

beforeAll(async () => {
	registry = createServer((request, response) => {
		const answer = (body: object): unknown => response.writeHead(status).end(JSON.stringify(body));
		if (request.method === 'GET') {
			// For npm to find out which versions depend on a vulnerable one.
			const name = decodeURIComponent(String(request.url).slice(1));
			answer({ name, 'dist-tags': {}, versions: { '0.0.1': { name, version: '0.0.1' } } });
			return;
		}
		void json(request.pipe(createGunzip())).then((asked) => {
			const advisories = Object.entries(found)
				.filter(([name]) => name in (asked as object))
				.map(([name, own]) => {
					const url = `https://advisories.test/${name}`;
					return [name, [{ id: 1, url, vulnerable_versions: '*', ...own }]];
				});
			answer(Object.fromEntries(advisories) as object);
		});
	});
	await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
});
beforeEach(() => {
	found = {};
	status = 200;
});
afterAll(() => void registry.close());

/** Runs the program; gives its exit code and what it printed. */
async function advisories(): Promise<{ code: number | null; out: string; err: string }> {
	const { port } = registry.address() as AddressInfo;
	const child = spawn(process.execPath, ['--import', 'tsx', 'dev/release/audit.mts'], {
		env: {
			...process.env,
			npm_config_registry: `http://127.0.0.1:${port}/`,
			npm_config_fetch_retries: '0',
			npm_config_replace_registry_host: 'never',
			npm_config_cache: '/nonexistent',
		},
	});
	let out = '';
	let err = '';
	child.stdout.on('data', (data: Buffer) => (out += String(data)));
	child.stderr.on('data', (data: Buffer) => (err += String(data)));
	const code = await new Promise<number | null>((closed) => child.once('close', closed));
	return { code, out, err };
}

it('fails for a bundled package, whatever the severity, and lists the others', async () => {
	found = {
		'path-expression-matcher': { title: 'Accepts a name', severity: 'low', cwe: ['CWE-20'] },
		jest: { title: 'Prints a path', severity: 'critical', cwe: ['CWE-22'] },
	};
	const { code, out, err } = await advisories();
	expect(err).toContain(
		'  low: path-expression-matcher *: Accepts a name (https://advisories.test/path-expression-matcher)',
	);
	expect(err).not.toContain('jest');
	expect(out).toContain('  critical: jest *: Prints a path');
	expect(code).toBe(1);
});

it('passes if advisories are about the tools of developers only, or about code that the bundle leaves out', async () => {
	found = {
		jest: { title: 'Prints a path', severity: 'critical', cwe: ['CWE-22'] },
		strnum: { title: 'Reads a number', severity: 'high', cwe: ['CWE-20'] },
	};
	const { code, out } = await advisories();
	expect(out).toContain('.: 0 to act on, ');
	expect(out).toContain('dev/n8n/2.41.1: 0 to act on, ');
	expect(out).toContain('  high: strnum *: Reads a number');
	expect(code).toBe(0);
});
