// Makes `npm test`, `npm run demo` and the rest work right after `git clone`: `node test/setup/install.mjs && …`.
// Plain Node without any package, since it runs before there is one; it says nothing when all is well.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	fail(`This project needs Node.js 20.19 or later; this is Node.js ${process.versions.node}.`);
}

if (!isInstalled()) {
	console.error('Installing the development dependencies (npm ci), which takes a minute or two …');
	// npm tells its scripts where it lives, so that the very same npm is used; `npm.cmd` needs a shell.
	const npm = process.env.npm_execpath;
	const { status, error } = npm?.endsWith('.js')
		? spawnSync(process.execPath, [npm, 'ci'], { cwd: root, stdio: 'inherit' })
		: spawnSync('npm ci', { cwd: root, stdio: 'inherit', shell: true });
	if (error) fail(`npm could not be started: ${error.message}`);
	if (status !== 0 || !isInstalled()) fail('"npm ci" failed; see its message above.');
}

/**
 * Whether node_modules holds what package-lock.json says. npm writes what it installed to a lock file in
 * node_modules, as the last thing it does; only optional packages (those of other platforms) may be missing.
 */
function isInstalled() {
	const wanted = packagesOf('package-lock.json');
	const installed = packagesOf('node_modules/.package-lock.json');
	return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
		if (path === '') return true;
		const found = installed[path];
		return found ? found.version === version && found.integrity === integrity : optional === true;
	});
}

function packagesOf(lockFile) {
	try {
		return JSON.parse(readFileSync(new URL(lockFile, root), 'utf8')).packages;
	} catch (error) {
		if (lockFile.startsWith('node_modules/')) return {};
		throw error;
	}
}

function fail(message) {
	console.error(message);
	process.exit(1);
}
