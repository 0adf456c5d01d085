/** What the tarball holds, without n8n's engine. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import type { Resources } from '../../../nodes/shared/run/action.ts';
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

const xmlLibrary = 'dist/nodes/shared/soap/xmlLibrary.js';

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

	it('holds the XML library once, in the module that wraps it, and its notices', () => {
		expect(holding('fast-xml-parser')).toEqual([xmlLibrary]);
		expect(holding(/\bfunction validate\d*\(/)).toEqual([xmlLibrary]);
		const notices = packed.read('dist/THIRD-PARTY-NOTICES.txt');
		const marks = packed.read(xmlLibrary).matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
		const bundled = new Set([...marks].map(([, name]) => name));
		expect(bundled).toContain('fast-xml-parser');
		for (const name of bundled) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
		expect(notices.match(/MIT License/g)?.length).toBeGreaterThanOrEqual(bundled.size);
	});
});

it('modules require only n8n-workflow, node:crypto, and what their sources import', () => {
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const required = (text: string) =>
		ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
	expect(scripts.length).toBeGreaterThan(100);
	for (const file of scripts) {
		const names = required(packed.read(file));
		for (const name of names) {
			if (['n8n-workflow', 'node:crypto'].includes(name)) continue;
			expect(packed.files).toContain(`${posix.join(dirname(file), name)}.js`);
		}
		if (file === xmlLibrary) continue;
		// None holds a copy of another one, so that all nodes share one instance of each.
		const source = readFileSync(file.replace(/^dist\/(.*)\.js$/, '$1.ts'), 'utf8');
		const { outputText } = ts.transpileModule(source, { compilerOptions });
		expect([file, names]).toEqual([file, required(outputText)]);
	}
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

	it.each(['README.md', 'CONTRIBUTING.md'])('of %s names only commands that exist', (page) => {
		const text = readFileSync(join(process.cwd(), page), 'utf8');
		const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
		expect(commands.length).toBeGreaterThan(0);
		for (const name of commands) expect(manifest['scripts']).toHaveProperty([String(name)]);
	});
});
