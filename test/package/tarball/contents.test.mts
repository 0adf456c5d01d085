/** What the tarball holds, without n8n's engine. */
import { readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import ts from 'typescript';
import { contentProblems, type Manifest } from '../../../dev/release/contents.mts';
import { packAndUnpack, type Packed } from './pack.mts';

let packed: Packed;
let scripts: string[];

let manifest: Manifest & Readonly<Record<string, unknown>>;

beforeAll(() => {
	packed = packAndUnpack();
	scripts = packed.files.filter((file) => file.endsWith('.js'));
	manifest = JSON.parse(packed.read('package.json')) as typeof manifest;
});
afterAll(() => packed.remove());

const holding = (text: string | RegExp): string[] =>
	scripts.filter((file) => packed.read(file).search(text) >= 0);

const bundle = 'dist/payroll.js';

describe('the tarball', () => {
	it('is smaller than 145 kB, and about as large as the page says', () => {
		expect(packed.size).toBeLessThan(145_000);
		const [, named] =
			/^\| Tarball .*? (\d+) kB/m.exec(readFileSync('docs/dev/benchmark.md', 'utf8')) ?? [];
		expect(Math.abs(packed.size / 1000 - Number(named))).toBeLessThan(5);
	});

	it('holds what runs and what a user reads, no development files', () => {
		expect(packed.files.length).toBeGreaterThan(20);
		expect(contentProblems(packed.files, manifest)).toEqual([]);
	});

	it('has no runtime dependencies and no install scripts', () => {
		const kinds = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'overrides'];
		for (const kind of kinds) expect(manifest).not.toHaveProperty(kind);
		// npm then publishes from a workflow alone.
		expect(manifest['publishConfig']).toEqual({ access: 'public', provenance: true });
		expect(manifest['peerDependencies']).toEqual({ 'n8n-workflow': '*' });
		// Otherwise npm would install it, with a module that has to be compiled.
		expect(manifest['peerDependenciesMeta']).toEqual({ 'n8n-workflow': { optional: true } });
		const lifecycle = /^(pre|post)?(install|publish|pack)$|^prepare|^dependencies$/;
		const commands = Object.keys((manifest['scripts'] ?? {}) as object);
		expect(commands.filter((name) => lifecycle.test(name))).toEqual([]);
	});

	it('holds the libraries for XML and JSON once, and their notices', () => {
		expect(holding('fast-xml-parser')).toEqual([bundle]);
		expect(holding('json-custom-numbers')).toEqual([bundle]);
		expect(holding(/\bfunction validate\d*\(/)).toEqual([bundle]);
		const notices = packed.read('dist/THIRD-PARTY-NOTICES.txt');
		const marks = packed.read(bundle).matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm);
		const bundled = new Set([...marks].map(([, name]) => name));
		expect(bundled).toContain('fast-xml-parser');
		for (const name of bundled) expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
		const page = readFileSync('docs/security.md', 'utf8');
		const [row = ''] = page.match(/^\| Foreign code .*$/m) ?? [];
		const named = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'][bundled.size];
		expect(row).toContain(`${named} packages are bundled`);
		for (const name of bundled) expect(row).toContain(`\`${name}\``);
		expect(notices.match(/MIT License/g)?.length).toBeGreaterThanOrEqual(bundled.size);
	});
});

it('files require only n8n-workflow, node:crypto and the bundle, which all nodes share', () => {
	for (const file of scripts) {
		const { importedFiles } = ts.preProcessFile(packed.read(file), true, true);
		const names = importedFiles.map(({ fileName }) => fileName);
		if (file === bundle) expect(new Set(names)).toEqual(new Set(['n8n-workflow', 'node:crypto']));
		else expect(names.map((name) => `${posix.join(dirname(file), name)}.js`)).toEqual([bundle]);
	}
	expect(packed.read(bundle).match(/\bvar Session = class\b/g)).toHaveLength(1);
});
