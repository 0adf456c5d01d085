/**
 * `npm run advisories`: looks up the advisories about the packages of every lock file, and fails if one needs action: it is
 * about a package that is bundled into what ships, whatever its severity, or about malicious code in any locked package,
 * since that code runs where versions are built. The others, about what developers run on their own machines, are printed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { npm } from '../setup/npm.mjs';

/** An advisory, as `npm audit --json` states it. */
interface Advisory {
	/** The package that the advisory is about. */
	readonly name: string;
	readonly title: string;
	readonly url: string;
	readonly severity: string;
	/** The versions that it is about. */
	readonly range: string;
	readonly cwe?: readonly string[];
}

/** The report of `npm audit --json`. */
interface AuditReport {
	/** A package for each entry; `via` has its own advisories, and the names of others that it depends on. */
	readonly vulnerabilities?: Readonly<
		Record<
			string,
			{ readonly via: ReadonlyArray<Advisory | string>; readonly nodes: readonly string[] }
		>
	>;
	/** What went wrong, instead of a report. */
	readonly message?: string;
}

/** Embedded malicious code: the kind of weakness of a package that was taken over or made for an attack. */
const MALICIOUS = 'CWE-506';

/** The folders with a lock file. Only the packages of the first one can be bundled. */
const folders = String(
	execFileSync('git', ['ls-files', 'package-lock.json', '*/package-lock.json']),
)
	.trim()
	.split('\n')
	.map((file) => dirname(file))
	.sort();

/** The folders of the packages that the bundle holds, from the comments that name its files. */
const marks = readFileSync('dist/payroll.js', 'utf8').matchAll(
	/^\/\/ ((?:node_modules\/(?:@[^/\n]+\/)?[^/\n]+\/)+)/gm,
);
const bundled = new Set([...marks].map(([, folder = '']) => folder.slice(0, -1)));

const lines = (advisories: readonly Advisory[]): string[] =>
	[
		...new Set(
			advisories.map(({ name, severity, title, range, url }) => {
				return `  ${severity}: ${name} ${range}: ${title} (${url})`;
			}),
		),
	].sort();

for (const folder of folders) {
	// `npm audit` also exits with 1 when it finds something.
	const args = ['audit', '--json', '--package-lock-only', '--prefix', folder];
	const { stdout, error } = npm(args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
	if (error) throw error;
	const { vulnerabilities, message } = JSON.parse(stdout) as AuditReport;
	if (vulnerabilities === undefined) {
		throw new Error(`npm audit found out nothing: ${message ?? 'it made no report'}`);
	}
	const urgent: Advisory[] = [];
	const others: Advisory[] = [];
	for (const { via, nodes } of Object.values(vulnerabilities)) {
		const ships = folder === '.' && nodes.some((node) => bundled.has(node));
		for (const advisory of via) {
			if (typeof advisory === 'string') continue;
			const isUrgent = ships || advisory.cwe?.includes(MALICIOUS) === true;
			(isUrgent ? urgent : others).push(advisory);
		}
	}
	console.log(`${folder}: ${urgent.length} to act on, ${others.length} for information`);
	for (const line of lines(others)) console.log(line);
	if (urgent.length === 0) continue;
	process.exitCode = 1;
	console.error('To act on: in what ships, or malicious');
	for (const line of lines(urgent)) console.error(line);
}
