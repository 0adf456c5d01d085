/** The tarball in n8n's own loader, and its nodes at work. */
import type { IDataObject, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../dev/sandbox/client.mts';
import {
	checkConnection,
	getHourCodes,
	revokeConnection,
	soapCalls,
	type SoapCall,
} from '../../dev/package/calls.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname, posix } from 'node:path';
import ts from 'typescript';
import { contentProblems, type Manifest } from '../../dev/release/contents.mts';
import { sublimeSearch } from '../../dev/engine/n8n.mts';

const TYPES: Record<string, (value: unknown) => boolean> = {
	array: (value) => Array.isArray(value),
	boolean: (value) => typeof value === 'boolean',
	integer: (value) => Number.isInteger(value),
	number: (value) => typeof value === 'number',
	object: isObject,
	string: (value) => typeof value === 'string',
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a value is not what its schema says; no field may be missing or unknown either. */
function valueProblems(schema: unknown, value: unknown, path = '$'): string[] {
	if (!isObject(schema) || !TYPES[String(schema.type)]?.(value)) {
		return [`${path} is ${JSON.stringify(value)}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((row, index) => valueProblems(schema.items, row, `${path}[${index}]`));
	}
	if (!isObject(value) || !isObject(schema.properties)) return [];
	const { properties } = schema;
	// A record in a list has the fields that were given or read.
	const expected = path.includes('[') ? [] : Object.keys(properties);
	const names = new Set([...expected, ...Object.keys(value)]);
	return [...names].flatMap((name) =>
		valueProblems(properties[name], value[name], `${path}.${name}`),
	);
}

/** An unpacked tarball. */
interface Packed {
	/** Where it was unpacked; n8n-workflow can be required there, as from a folder of n8n's. */
	folder: string;
	/** Size of the tarball in bytes. */
	size: number;
	/** Everything in the tarball, as paths from its root with forward slashes. */
	files: string[];
	/** The text of one of its files. */
	read(file: string): string;
	/** Deletes it. */
	remove(): void;
}

/** Packs the built checkout and unpacks the tarball into a temporary folder. */
function packAndUnpack(): Packed {
	const temporary = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-'));
	// npm tells its scripts where it lives, for the very same npm to be used; `npm.cmd` needs a shell.
	const npm = process.env.npm_execpath;
	const args = ['pack', '--silent', '--pack-destination', temporary];
	if (npm?.endsWith('.js')) execFileSync(process.execPath, [npm, ...args]);
	else execFileSync('npm', args, { shell: process.platform === 'win32' });
	const tarball = join(temporary, readdirSync(temporary)[0] ?? '');
	execFileSync('tar', ['-xzf', tarball, '-C', temporary]);
	const folder = join(temporary, 'package');
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
	// n8n offers its n8n-workflow to the packages it loads; a link does the same here.
	symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'), 'junction');
	return {
		folder,
		size: statSync(tarball).size,
		files,
		read: (file) => readFileSync(join(folder, file), 'utf8'),
		remove: () => rmSync(temporary, { recursive: true, force: true }),
	};
}

let packed: Packed;
let payroll: Payroll;
let sandbox: SandboxClient;
let credential: string;

beforeAll(async () => {
	sandbox = await launchSandbox();
	packed = packAndUnpack();
	payroll = await Payroll.load(packed.folder);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => {
	await sandbox.stop();
	packed.remove();
});

const NODES = ['payrollEmployee', 'payrollCompany', 'payrollHourCodes'] as const;

function description(name: string): INodeTypeDescription {
	const found = payroll.host.descriptions.find((node) => node.name === name);
	if (found === undefined) throw new Error(`There is no node ${name}`);
	return found;
}

it('loads as three nodes and one credential', () => {
	expect(payroll.host.packageName).toBe('n8n-nodes-payroll');
	expect(payroll.host.loaded.nodes.sort()).toEqual([...NODES].sort());
	expect(payroll.host.loaded.credentials).toEqual(['payrollOAuth2Api']);
	for (const name of NODES) {
		expect(description(name)).toMatchObject({
			usableAsTool: true,
			credentials: [{ name: 'payrollOAuth2Api', required: true }],
		});
	}
});

it('has an icon of its own, light and dark, for each node and the credential', () => {
	const type = payroll.host.credentialTypes.getByName('payrollOAuth2Api');
	const icons = [...NODES.map((name) => description(name).iconUrl), type.iconUrl];
	// As n8n serves them: `icons/<package>/<file>`.
	const files = icons.flatMap((urls) => Object.values(urls as { light: string; dark: string }));
	const texts = files.map((url) => packed.read(url.replace('icons/n8n-nodes-payroll/', '')));
	for (const text of texts) expect(text).toMatch(/^<svg [^]*<\/svg>\s*$/);
	expect(new Set(texts).size).toBe(8);
});

let scripts: string[];
let manifest: Manifest & Readonly<Record<string, unknown>>;

beforeAll(() => {
	scripts = packed.files.filter((file) => file.endsWith('.js'));
	manifest = JSON.parse(packed.read('package.json')) as typeof manifest;
});
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

/** The nodes that the node panel finds, best first. */
function found(word: string): string[] {
	const nodes = payroll.host.descriptions.map((properties) => ({ properties }));
	return sublimeSearch(word, nodes).map(({ item }) => item.properties.displayName);
}

describe('the node panel', () => {
	const ALL = ['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes'];
	it.each<[string[], string[]]>([
		[['payroll', 'salary', 'salaris', 'HR', 'loon'], ALL],
		[
			['wage', 'wages'],
			['Payroll Employee', 'Payroll Hour Codes'],
		],
		[['payslip'], ['Payroll Company', 'Payroll Employee']],
		[['verzuim', 'werknemer', 'medewerker', 'people', 'kostenplaats'], ['Payroll Employee']],
		[['employee cost centre', 'employee cost center'], ['Payroll Employee']],
		[['cost centre', 'cost center'], ['Payroll Employee']],
		[['uren'], ['Payroll Hour Codes']],
	])('finds by %j: %j', (words, names) => {
		for (const word of words) expect([word, found(word).sort()]).toEqual([word, names]);
	});

	it('lists Payroll Hour Codes first for hours', () => {
		expect(found('hours')[0]).toBe('Payroll Hour Codes');
	});
});

describe("n8n's AI builder", () => {
	it('has a hint for each node, and related nodes that exist', () => {
		const own = payroll.host.descriptions.map(({ name }) => `n8n-nodes-payroll.${name}`);
		const others = ['filter', 'scheduleTrigger', 'set'].map((name) => `n8n-nodes-base.${name}`);
		for (const { name, builderHint } of payroll.host.descriptions) {
			expect(builderHint?.searchHint).toMatch(/^One input item is one /);
			const related = builderHint?.relatedNodes?.map(({ nodeType }) => nodeType) ?? [];
			expect(related).not.toContain(`n8n-nodes-payroll.${name}`);
			expect(related.filter((type) => ![...own, ...others].includes(type))).toEqual([]);
			expect(related.length).toBeGreaterThan(0);
		}
	});
});

type Call = Pick<SoapCall, 'name' | 'node' | 'parameters' | 'id'>;

/** The operations on the connection; the second one ends it. */
const onConnection: Call[] = [
	{
		name: 'Check',
		node: 'payrollCompany',
		parameters: { ...checkConnection, employeeId: 1003 },
		id: 100,
	},
	{ name: 'Revoke', node: 'payrollCompany', parameters: revokeConnection, id: 100 },
];

/** Where n8n looks for the schema of an operation's items. */
function schemaFile({
	node,
	parameters: { resource, operation },
}: {
	node: (typeof NODES)[number];
	parameters: INodeParameters;
}): string {
	const folder = node.charAt(0).toUpperCase() + node.slice(1);
	return `dist/nodes/${folder}/__schema__/v1.0.0/${resource}/${operation}.json`;
}

/** The operations whose items the interface does not specify, with the fields that are known. */
const open: Array<[(typeof NODES)[number], INodeParameters, ...string[]]> = [
	['payrollEmployee', { resource: 'custom', operation: 'call' }, 'EmployeeId'],
	['payrollCompany', { resource: 'custom', operation: 'call' }, 'CompanyId'],
	['payrollCompany', { resource: 'list', operation: 'getAll' }],
	['payrollHourCodes', getHourCodes, 'CompanyId'],
];

it('has an output schema for every operation, since the editor asks for each', () => {
	const others = open.map(([node, parameters]) => ({ node, parameters }));
	const expected = [...soapCalls, ...onConnection, ...others].map(schemaFile).sort();
	expect(packed.files.filter((file) => file.includes('__schema__'))).toEqual(expected);
});

it.each(open)('the schema of %s %j has only what is known', (node, parameters, ...keys) => {
	const schema = JSON.parse(packed.read(schemaFile({ node, parameters }))) as IDataObject;
	const properties = Object.fromEntries(keys.map((key) => [key, { type: 'integer' }]));
	expect(schema).toEqual({ type: 'object', properties, version: 1, additionalProperties: true });
});

/** Runs an operation, and checks its schema and its items against it. */
async function expectBySchema(one: Call, used: string): Promise<void> {
	const schema = JSON.parse(packed.read(schemaFile(one))) as IDataObject;
	expect(schema).toMatchObject({ type: 'object', version: 1 });
	const parameters = { ...one.parameters, verify: true, simplify: true };
	const node = payroll.node(one.node, used, parameters);
	const result = await payroll.run([{ id: one.id }], node);
	expect(result.error).toBeUndefined();
	const items = result.json('Payroll');
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) expect(valueProblems(schema, item)).toEqual([]);
}

it.each(soapCalls)('runs $name, whose items match its schema', async (one) => {
	const before = (await sandbox.stats()).soapExecuted[one.name] ?? 0;
	await expectBySchema(one, credential);
	expect((await sandbox.stats()).soapExecuted[one.name]).toBe(before + 1);
});

it.each(onConnection)('runs $name, whose item matches its schema', async (one) => {
	await expectBySchema(one, await payroll.connect(sandbox));
});
