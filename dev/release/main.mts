/**
 * `npm run release:check`: what happens before a version is published, up to npm's own dry run. Publishes nothing.
 * `npm test` installs and loads the tarball.
 *
 * --tag v1.2.3             the tag that is to be published; without it, the changelog may still say "Unreleased"
 * --repository owner/name  the repository whose workflow publishes
 * --tarball package.tgz    the tarball that is to be published: it has to be what this checkout makes
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npmOutput, pack } from '../setup/npm.mjs';
import { contentProblems, type Manifest } from './contents.mts';
import { versionProblems } from './version.mts';

interface Package extends Manifest {
	name: string;
	version: string;
	repository: { url: string };
}

const readJson = <T,>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

function expectNone(problems: readonly string[]): void {
	if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** @throws Error when a tarball is not, byte by byte, the one that was packed here */
function assertSame(given: string, packed: string): void {
	if (!readFileSync(given).equals(readFileSync(packed))) {
		throw new Error(`${given} is not what this checkout makes`);
	}
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			tag: { type: 'string' },
			repository: { type: 'string' },
			tarball: { type: 'string' },
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
				}),
			),
		);
		for (const script of ['lint', 'typecheck', 'build', 'scan']) {
			await step(script, () => npmOutput(['run', script]));
		}
		const { tarball, files } = await step('pack', () => pack(temporary));
		if (values.tarball !== undefined) {
			await step('the same tarball', () => assertSame(String(values.tarball), tarball));
		}
		await step('contents', () => expectNone(contentProblems(files, manifest)));
		// With a registry, npm also refuses a version that is already published.
		await step('npm publish --dry-run', () =>
			npmOutput(['publish', tarball, '--dry-run', '--provenance=false', '--access', 'public']),
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
