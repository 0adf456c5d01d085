// `npm run test:latest [-- --before=<date>] [-- <options of jest>]`: `npm test` with the newest
// n8n-core and n8n-workflow, in a temporary copy, so that the checkout and its lock file stay
// unchanged. `--before` selects the newest versions published by that day, such as 2026-11-01, for
// their dependencies as well. The versions in package-lock.json must have been published by then.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { npm } from './npm.mjs';

const PACKAGES = ['n8n-core', 'n8n-workflow'];
const GENERATED = ['.build', '.git', 'dist', 'node_modules'];

const root = join(import.meta.dirname, '../..');
const given = process.argv.slice(2);
const isBefore = (argument) => argument.startsWith('--before=');
const [before] = given.filter(isBefore);
const copy = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-latest-'));

try {
	cpSync(root, copy, {
		recursive: true,
		filter: (file) => !GENERATED.includes(relative(root, file)),
	});
	process.exitCode = install() ? test() : 1;
} finally {
	rmSync(copy, { recursive: true, force: true });
}

/**
 * Installs the newest versions and keeps all other locked versions. Returns whether that succeeded.
 */
function install() {
	const newest = PACKAGES.map((name) => `${name}@latest`);
	console.log(`Installing ${newest.join(' and ')}${before ? ` (${before})` : ''} into ${copy} …`);
	const args = [
		'install',
		'--save-dev',
		...newest,
		'--loglevel=error',
		...(before ? [before] : []),
	];
	const isInstalled = runNpm(args) === 0;
	if (!isInstalled) {
		console.error(
			'npm says above why they cannot be installed here. If the registry does not have all of their ' +
				'dependencies, take the versions of an earlier day: npm run test:latest -- --before=<date>',
		);
	}
	return isInstalled;
}

function test() {
	return runNpm(['test', '--', ...given.filter((argument) => !isBefore(argument))]);
}

/** Runs npm in the copy and returns its exit code. */
function runNpm(args) {
	return npm(args, { cwd: copy, stdio: 'inherit', env: environment() }).status ?? 1;
}

/** The environment without the checkout's folder, which `npm run` passes on. */
function environment() {
	const entries = Object.entries(process.env);
	return Object.fromEntries(entries.filter(([name]) => !/^npm_config_local_prefix$/i.test(name)));
}
