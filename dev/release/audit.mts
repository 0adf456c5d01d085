/**
 * `npm run advisories`: looks up the advisories about the packages of every lock file, and fails if one needs action.
 * The others are printed, as information.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { npm } from '../setup/npm.mjs';
import { bundledFolders, sortAdvisories, type Advisory, type AuditReport } from './advisories.mts';

/** The folders with a lock file. Only the packages of the first one can be bundled. */
const folders = String(
	execFileSync('git', ['ls-files', 'package-lock.json', '*/package-lock.json']),
)
	.trim()
	.split('\n')
	.map((file) => dirname(file))
	.sort();

/** Asks the registry. `npm audit` also exits with 1 when it finds something. */
function audit(folder: string): AuditReport {
	const args = ['audit', '--json', '--package-lock-only', '--prefix', folder];
	const { stdout, error } = npm(args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
	if (error) throw error;
	return JSON.parse(stdout) as AuditReport;
}

const lines = (advisories: readonly Advisory[]): string[] =>
	[
		...new Set(
			advisories.map(({ name, severity, title, range, url }) => {
				return `  ${severity}: ${name} ${range}: ${title} (${url})`;
			}),
		),
	].sort();

const bundled = bundledFolders(readFileSync('dist/payroll.js', 'utf8'));
for (const folder of folders) {
	const { urgent, others } = sortAdvisories(audit(folder), folder === '.' ? bundled : new Set());
	console.log(`${folder}: ${urgent.length} to act on, ${others.length} for information`);
	for (const line of lines(others)) console.log(line);
	if (urgent.length === 0) continue;
	process.exitCode = 1;
	console.error('To act on: in what ships, or malicious');
	for (const line of lines(urgent)) console.error(line);
}
