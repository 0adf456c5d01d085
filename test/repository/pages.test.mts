/** What the pages name exists: versions, files, tests and limits are those of the code. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gate } from '../../dev/check/steps.mts';
import { n8nVersions } from '../../dev/n8n/install.mts';
import { settings } from '../../dev/sandbox/options.mts';
import { sampleState } from '../../dev/sandbox/state.mts';
import { LIMITS } from '../../nodes/shared/contract/limits.ts';

const { version, engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	version: string;
	engines: { node: string };
	scripts: Record<string, string>;
};
const read = (page: string): string => readFileSync(page, 'utf8');
const users = readdirSync('docs')
	.filter((name) => name.endsWith('.md'))
	.map((name) => `docs/${name}`);

const pages = String(execFileSync('git', ['ls-files', '*.md']))
	.trim()
	.split('\n');

it.each(pages)('%s names only tests that exist', (page) => {
	const named = [...read(page).matchAll(/`([\w./-]+\.test\.mts)`/g)].map(([, file = '']) => file);
	// Paths from the root of the repository: a name alone may be that of several files.
	expect(named.filter((file) => !file.startsWith('test/') || !existsSync(file))).toEqual([]);
});

it.each(pages)('%s names only commands that exist', (page) => {
	const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
	expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it("the README's two commands to try it are steps of every check", () => {
	const [, tryIt = ''] = /^## Try it\n([^]*?)^## /m.exec(read('README.md')) ?? [];
	const commands = [...tryIt.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, command]) => command);
	expect(commands).toEqual(['npm run demo', 'npm test']);
	// A step may write a report; otherwise it is the command as the README has it.
	const steps = gate.map(({ command }) => command.replace(/ -- --json.*/, ''));
	expect(steps).toEqual(expect.arrayContaining(commands));
	expect(read('.ci/run')).toContain('npm run --silent check\n');
});

it('the promises have every page for users, and one test each', () => {
	const promises = read('test/README.md');
	const missing = users.filter((page) => !promises.includes(`(../${page}`));
	expect(missing).toEqual([]);
	const [, table = ''] = /^## Promises\n([^]*?)^## /m.exec(promises) ?? [];
	const rows = table.match(/^\| (?!---|Promise).*$/gm) ?? [];
	expect(rows.length).toBeGreaterThan(40);
	// One test for each promise.
	expect(rows.filter((row) => !/\| `(?:test\/[\w./-]+|npm run [\w:]+)` \|$/.test(row))).toEqual([]);
});

it.each(readdirSync('docs').filter((name) => name.endsWith('.png')))(
	'the picture %s is used, and can be read at the width of a page',
	(name) => {
		const text = [...users, 'README.md'].map(read).join('');
		// The first chunk of a PNG file has its size; a point has two pixels.
		const [width, height] = [16, 20].map((at) => readFileSync(`docs/${name}`).readUInt32BE(at) / 2);
		expect(width).toBeLessThanOrEqual(1150);
		expect(height).toBeLessThanOrEqual(900);
		const isNarrow = Number(width) < 700;
		const use = isNarrow ? `<img src="${name}" width="(\\d+)"` : `[(/"]${name}[)"]`;
		const [used, shown = width] = new RegExp(use).exec(text) ?? [];
		expect([name, used]).toEqual([name, expect.any(String)]);
		// A narrow one is not stretched to the width of the page.
		expect(Math.abs(Number(shown) - Number(width))).toBeLessThanOrEqual(20);
	},
);

it("n8n's defaults are those that the page about security names", () => {
	const n8n = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
	n8n('reflect-metadata');
	const { ExecutionsConfig } = n8n('@n8n/config') as {
		ExecutionsConfig: new () => Record<string, unknown>;
	};
	const { pruneDataMaxAge, pruneDataMaxCount, saveDataOnError } = new ExecutionsConfig();
	expect(read('docs/security.md')).toContain(
		`by default for ${Number(pruneDataMaxAge) / 24} days (\`EXECUTIONS_DATA_MAX_AGE\`, ${pruneDataMaxAge} hours), and at most ${pruneDataMaxCount?.toLocaleString()} executions`,
	);
	expect(saveDataOnError).toBe('all');
});

it('the README names the sample data of the simulated service', () => {
	const { companies, employees } = sampleState(settings({}).modes.employees);
	const ranges = [...companies.keys()].map((company) => {
		const ids = [...employees].filter(([, one]) => one.companyId === company).map(([id]) => id);
		return `${ids[0]} to ${ids.at(-1)}`;
	});
	const named = `companies ${[...companies.keys()].join(' and ')}, and the employees ${ranges.join(' and ')}.`;
	expect(read('README.md').replace(/\s+/g, ' ')).toContain(named);
});

it('the architecture names only modules that exist', () => {
	const page = read('docs/dev/architecture.md');
	const named = [...page.matchAll(/`(\w+(?:\/[\w.]+)+)`/g)].map(([, path = '']) => path);
	expect(named.length).toBeGreaterThan(40);
	const places = (path: string): string[] =>
		['', 'nodes/shared/'].flatMap((folder) => [`${folder}${path}`, `${folder}${path}.ts`]);
	expect(named.filter((path) => !places(path).some((file) => existsSync(file)))).toEqual([]);
});

const NODE = engines.node.replace('>=', '');

it.each(['README.md', 'CONTRIBUTING.md', 'docs/installation.md'])(
	'%s names the oldest Node.js',
	(page) => {
		expect(read(page).match(/Node\.js \d+\.\d+/g)).toEqual([`Node.js ${NODE}`]);
	},
);

it('the installation names the versions of n8n that are tested, and no others', () => {
	const named = read('docs/installation.md').match(/\b[12]\.\d+\.\d+\b/g);
	expect([...new Set(named)].sort()).toEqual([...n8nVersions].sort());
});

it('the tarball of the commands is that of this version', () => {
	const named = [...users, 'README.md'].flatMap(
		(page) => read(page).match(/n8n-nodes-payroll-\d[\w.-]*?\.tgz/g) ?? [],
	);
	expect(new Set(named)).toEqual(new Set([`n8n-nodes-payroll-${version}.tgz`]));
});

it('the page about security names the limits of the code', () => {
	const page = read('docs/security.md');
	const row = (begin: string): string =>
		page.split('\n').find((line) => line.startsWith(`| ${begin} |`)) ?? '';
	const written = (count: number): string =>
		count < 1_000_000 ? count.toLocaleString('en') : `${count / 1_000_000} million`;
	const { elements, attributes, depth, name, ...others } = LIMITS;
	for (const [what, limit] of Object.entries({ elements, attributes, levels: depth })) {
		expect(row('XML')).toContain(`${written(limit)} ${what}`);
	}
	expect(row("A service's description")).toContain(
		`${others.descriptionBytes / 2 ** 20} MiB, ${others.descriptionDocuments} documents, ` +
			`${written(others.descriptionElements)} elements; `,
	);
	expect(row('All answers of a run that reads')).toContain(
		`${written(others.partsOfRun)} elements`,
	);
	expect(row('The files that a call sends')).toContain(`${others.fileMebibytes} MiB`);
	for (const text of [`${written(others.jsonValues)} values`, `${depth} levels`]) {
		expect(row('JSON')).toContain(text);
	}
	expect(row('JSON')).toContain(`${name} characters of a name`);
	expect(page).toContain(`${name} characters`);
});
