// Installs the development dependencies if they are missing or outdated, so that `npm test`,
// `npm run demo` and other scripts work right after `git clone`: `node dev/setup/install.mjs && …`.
// Uses Node.js alone, since it runs before any package is installed. Prints nothing if there is
// nothing to do.
import { readFileSync } from 'node:fs';
import { npm } from './npm.mjs';

const root = new URL('../../', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	fail(`This project needs Node.js 20.19 or later; this is Node.js ${process.versions.node}.`);
}

if (!isInstalled()) {
	console.error('Installing the development dependencies (npm ci), which takes a minute or two …');
	const { status, error } = npm(['ci'], { cwd: root, stdio: 'inherit' });
	if (error) fail(`npm could not be started: ${error.message}`);
	if (status !== 0 || !isInstalled()) fail('"npm ci" failed; see its message above.');
}

/**
 * Whether node_modules matches package-lock.json. The last step of an npm installation writes a
 * lock file into node_modules. Only optional packages, which are for other platforms, may be
 * missing.
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
