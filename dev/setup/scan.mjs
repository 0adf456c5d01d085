// Runs n8n's official check of community packages on the sources and on the packed tarball, as n8n
// runs it on a published version. Stricter than n8n: a warning fails the check as well.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { pack } from './npm.mjs';

const MAX_TARBALL_KB = 200;
const root = join(import.meta.dirname, '../..');
// Use the same ESLint as the scanner.
const { ESLint } = createRequire(
	import.meta.resolve('@n8n/scan-community-package/scanner/scanner.mjs'),
)('eslint');
const temp = mkdtempSync(join(tmpdir(), 'scan-'));

try {
	await scan('Sources', root, SOURCE_FILE_PATTERNS);
	await scan('Tarball', unpack(packed()), ['**/*.js', '**/*.json']);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	rmSync(temp, { recursive: true });
}

async function scan(title, folder, patterns) {
	const verdict = await analyzePackage(folder, patterns);
	if (!verdict.passed) fail(title, verdict.details ?? verdict.message);
	if (verdict.message) fail(title, verdict.message);

	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	const found = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
	if (found.length > 0) fail(title, await (await eslint.loadFormatter('stylish')).format(found));
	console.log(
		`${title}: ${results.length} files scanned (${patterns.join(', ')}), no errors, no warnings`,
	);
}

function packed() {
	const { tarball, files } = pack(temp);
	const kilobytes = statSync(tarball).size / 1000;
	console.log(`Packed: ${basename(tarball)}, ${files.length} files, ${kilobytes.toFixed(1)} kB`);
	if (kilobytes > MAX_TARBALL_KB) fail('Tarball', `it is larger than ${MAX_TARBALL_KB} kB`);
	return tarball;
}

function unpack(tarball) {
	const folder = join(temp, 'package');
	mkdirSync(folder);
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	return folder;
}

function fail(title, message) {
	throw new Error(`${title}: ${message}`);
}
