/** What the tarball holds, without n8n's engine. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { soapCalls } from '../../../dev/package/calls.mts';
import { contentProblems, type Manifest } from '../../../dev/release/contents.mts';
import { packAndUnpack, type Packed } from './pack.mts';

let packed: Packed;
let scripts: string[];
let nodes: readonly string[];

let manifest: Manifest & Readonly<Record<string, unknown>>;

beforeAll(() => {
	packed = packAndUnpack();
	scripts = packed.files.filter((file) => file.endsWith('.js'));
	manifest = JSON.parse(packed.read('package.json')) as typeof manifest;
	nodes = manifest.n8n.nodes;
});
afterAll(() => packed.remove());

const holding = (text: string | RegExp): string[] =>
	scripts.filter((file) => packed.read(file).search(text) >= 0);

/** A class as the compiler or the bundler writes it; the bundler numbers a second copy. */
const definitionOf = (name: string): RegExp =>
	new RegExp(`\\bclass ${name}\\d*\\b|\\b${name}\\d* = class\\b`);

describe('the tarball', () => {
	it('is smaller than 200 kB', () => {
		expect(packed.size).toBeLessThan(200_000);
		expect(packed.size).toBeGreaterThan(10_000);
	});

	it('holds what runs and what a user reads, no development files', () => {
		expect(packed.files.length).toBeGreaterThan(100);
		expect(contentProblems(packed.files, manifest)).toEqual([]);
	});

	it('has no runtime dependencies and no install scripts', () => {
		const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'overrides'];
		for (const kind of kinds) expect(manifest).not.toHaveProperty(kind);
		expect(manifest['peerDependencies']).toEqual({ 'n8n-workflow': '*' });
		// Otherwise npm would install it, with a module that has to be compiled.
		expect(manifest['peerDependenciesMeta']).toEqual({ 'n8n-workflow': { optional: true } });
		const lifecycle = /^(pre|post)?(install|publish|pack)$|^prepare|^dependencies$/;
		const commands = Object.keys((manifest['scripts'] ?? {}) as object);
		expect(commands.filter((name) => lifecycle.test(name))).toEqual([]);
	});

	it('requires only n8n-workflow, node:crypto and its own files', () => {
		let required = 0;
		for (const file of scripts) {
			for (const { fileName } of ts.preProcessFile(packed.read(file), true, true).importedFiles) {
				required += 1;
				if (['n8n-workflow', 'node:crypto'].includes(fileName)) continue;
				expect(fileName).toMatch(/^\.\.?\//);
				expect(packed.files).toContain(`${posix.join(dirname(file), fileName)}.js`);
			}
		}
		expect(required).toBeGreaterThan(scripts.length);
	});

	it('holds the XML library once, in the module that wraps it, and its notices', () => {
		const library = ['dist/nodes/shared/soap/xmlLibrary.js'];
		expect(holding('fast-xml-parser')).toEqual(library);
		expect(holding(/\bfunction validate\d*\(/)).toEqual(library);
		const notices = packed.read('dist/THIRD-PARTY-NOTICES.txt');
		const marks = packed
			.read(library[0] ?? '')
			.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
		const bundled = new Set([...marks].map(([, name]) => name));
		expect(bundled).toContain('fast-xml-parser');
		for (const name of bundled) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
		expect(notices.match(/MIT License/g)?.length).toBeGreaterThanOrEqual(bundled.size);
	});
});

describe('the session', () => {
	/** Which files of the tarball a fresh Node loads for the given nodes. */
	function loaded(files: readonly string[]): string[] {
		const script = `
			const { sep } = require('node:path');
			const root = require('node:fs').realpathSync(process.argv[1]) + sep;
			for (const file of JSON.parse(process.argv[2])) require(root + file);
			const own = Object.keys(require.cache).filter((file) => file.startsWith(root));
			console.log(JSON.stringify(own.map((file) => file.slice(root.length).replaceAll(sep, '/'))));`;
		const args = ['-e', script, packed.folder, JSON.stringify(files)];
		return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
	}

	const session = ['dist/nodes/shared/transport/session.js'];
	const ofSession = (files: string[]): string[] => files.filter((file) => /session/i.test(file));

	it('is one module, which all three nodes load', () => {
		expect(nodes).toHaveLength(3);
		for (const node of nodes) expect(ofSession(loaded([node]))).toEqual(session);
		expect(ofSession(loaded(nodes))).toEqual(session);
	});

	it('is inlined nowhere', () => {
		expect(holding(definitionOf('Session'))).toEqual(session);
		expect(holding('refreshOAuth2Token')).toEqual(session);
	});
});

describe('the README', () => {
	const load = createRequire(join(process.cwd(), 'package.json'));

	it('and docs/operations.md list the operations that ship (npm run readme updates them)', () => {
		const { operationsTable, operationsPages } = load('./dev/pages/operations.cjs') as Record<
			'operationsTable' | 'operationsPages',
			(resourcesByNode: Record<string, Resources>) => string
		>;
		const resourcesByNode = Object.fromEntries(
			nodes.map((file): [string, Resources] => {
				const folder = dirname(file);
				const actions = load(join(packed.folder, folder, 'actions.js')) as { resources: Resources };
				return [posix.basename(folder), actions.resources];
			}),
		);
		const marked = (file: string) => {
			const text = readFileSync(join(process.cwd(), file), 'utf8');
			return /<!-- operations:start -->([^]*)<!-- operations:end -->/.exec(text)?.[1]?.trim();
		};
		expect(marked('README.md')).toBe(operationsTable(resourcesByNode));
		expect(marked('docs/operations.md')).toBe(operationsPages(resourcesByNode));
		expect(packed.read('README.md')).toBe(readFileSync(join(process.cwd(), 'README.md'), 'utf8'));
	});

	it('names every operation of the service in docs/operations.md', () => {
		const page = readFileSync(join(process.cwd(), 'docs', 'operations.md'), 'utf8');
		for (const name of [
			...soapCalls.map((call) => call.name),
			'GET /api/companies/{companyId}/hourcodes',
			'GET /.well-known/openid-configuration',
			'POST /connect/revocation',
		]) {
			expect(page).toContain(`(\`${name}\`)`);
		}
	});

	it.each(['README.md', 'CONTRIBUTING.md'])('of %s names only commands that exist', (page) => {
		const text = readFileSync(join(process.cwd(), page), 'utf8');
		const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
		expect(commands.length).toBeGreaterThan(0);
		for (const name of commands) expect(manifest['scripts']).toHaveProperty([String(name)]);
	});
});
