/**
 * `npm run release:check`: everything that happens before a version is published, up to npm's own dry run. Publishes
 * nothing.
 *
 * --tag v1.2.3             the tag that is to be published; without it, the changelog may still say "Unreleased"
 * --repository owner/name  the repository whose workflow publishes
 * --pack-destination dist  a folder that keeps the checked tarball
 */
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadPackage } from '../engine/host.mts';
import { npm } from '../setup/npm.mjs';
import { contentProblems, typeNames, type Manifest } from './contents.mts';
import { versionProblems } from './version.mts';

/** Nobody listens there, so that an installation that needs another package fails. */
const NO_REGISTRY = 'http://127.0.0.1:9/';

interface Package extends Manifest {
	name: string;
	version: string;
	repository: { url: string };
}

const readJson = <T,>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/**
 * Runs npm; returns its standard output.
 *
 * @throws Error with everything that it printed, when it fails
 */
function runNpm(args: readonly string[], cwd = process.cwd(), env: NodeJS.ProcessEnv = {}): string {
	const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
	const { status, stdout, stderr, error } = npm(args, options);
	if (error) throw error;
	if (status !== 0) throw new Error(stdout + stderr);
	return stdout;
}

function expectNone(problems: readonly string[]): void {
	if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Packs the built checkout; returns the tarball and its files. */
function pack(folder: string): { tarball: string; files: string[] } {
	mkdirSync(folder, { recursive: true });
	const printed = runNpm(['pack', '--json', '--pack-destination', folder]);
	// npm 12 lists packages by name, earlier versions in an array.
	const [packed] = Object.values(
		JSON.parse(printed) as Record<string, { filename: string; files: Array<{ path: string }> }>,
	);
	if (packed === undefined) throw new Error('npm pack made no tarball');
	return {
		tarball: join(folder, packed.filename),
		files: packed.files.map(({ path }) => path),
	};
}

/** Installs the tarball into an empty folder, and loads it there with n8n's own loader. */
async function install(tarball: string, folder: string, { name, n8n }: Package): Promise<void> {
	mkdirSync(folder);
	writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
	runNpm(['install', tarball, '--fetch-retries=0'], folder, { npm_config_registry: NO_REGISTRY });
	const modules = join(folder, 'node_modules');
	const installed = readdirSync(modules).filter((entry) => !entry.startsWith('.'));
	if (installed.join() !== name) throw new Error(`npm installed ${installed.join(', ')}`);
	// n8n offers its n8n-workflow to the packages it loads; a link does the same here.
	symlinkSync(resolve('node_modules/n8n-workflow'), join(modules, 'n8n-workflow'), 'junction');
	const { loaded } = await loadPackage(join(modules, name));
	for (const kind of ['nodes', 'credentials'] as const) {
		const [expected, found] = [typeNames(n8n[kind]), loaded[kind]].map((names) =>
			[...names].sort().join(', '),
		);
		if (expected !== found) throw new Error(`n8n loads the ${kind} ${found}, not ${expected}`);
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			tag: { type: 'string' },
			repository: { type: 'string' },
			'pack-destination': { type: 'string' },
		},
	});
	const temporary = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-release-'));
	const manifest = readJson<Package>('package.json');

	const step = async <T,>(name: string, check: () => T | Promise<T>): Promise<T> => {
		const started = performance.now();
		try {
			const result = await check();
			console.log(`✓ ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
			return result;
		} catch (error) {
			throw new Error(`✗ ${name}\n${error instanceof Error ? error.message : String(error)}`);
		}
	};

	try {
		await step('version and changelog', () =>
			expectNone(
				versionProblems({
					version: manifest.version,
					repository: manifest.repository.url,
					workflowRepository: values.repository,
					lockedVersion: readJson<Package>('package-lock.json').version,
					changelog: readFileSync('CHANGELOG.md', 'utf8'),
					tag: values.tag,
					npmVersion: runNpm(['--version']).trim(),
				}),
			),
		);
		for (const script of ['lint', 'typecheck', 'build', 'scan']) {
			await step(script, () => runNpm(['run', script]));
		}
		const { tarball, files } = await step('pack', () =>
			pack(resolve(values['pack-destination'] ?? temporary)),
		);
		await step('contents', () => expectNone(contentProblems(files, manifest)));
		await step('install', () => install(tarball, join(temporary, 'installed'), manifest));
		// With a registry, npm also refuses a version that is already published.
		await step('npm publish --dry-run', () =>
			runNpm([
				...['publish', tarball, '--dry-run', '--provenance=false', '--access', 'public'],
				// npm publishes a prerelease only under a tag of its own.
				...(manifest.version.includes('-') ? ['--tag', 'next'] : []),
			]),
		);
		console.log(`${manifest.name} ${manifest.version} can be published: ${files.length} files`);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
