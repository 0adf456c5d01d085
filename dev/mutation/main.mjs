// `npm run test:mutation [-- <source> …] [-- --part=<k>/<n>]`: mutates the sources, one place at a time, and runs the
// tests that reach it (https://stryker-mutator.io). Prints a line per source; fails if a score is too low.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

/** The lowest mutation score allowed, in per cent. */
const MIN_SCORE = 85;

const known = readdirSync('nodes/shared', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.replace(/\.ts$/, ''));
const given = process.argv.slice(2);
/** Sources below nodes/shared, or folders; also given as a path, such as nodes/shared/actions/costCenters/rows.ts. */
const chosen = given
	.filter((argument) => !argument.startsWith('--'))
	.map((path) => /^(?:.*nodes\/shared\/)?(.*?)(?:\.ts|\/)?$/.exec(path)[1]);
const isChosen = (source) => chosen.some((one) => `${source}/`.startsWith(`${one}/`));
const sources = chosen.length > 0 ? known.filter(isChosen) : known;
if (sources.length === 0) throw new Error(`There is no source ${chosen.join(', ')}`);
const [, part = 1, parts = 1] = /--part=(\d+)\/(\d+)/.exec(given.join(' ')) ?? [];

/** Lines of a source that are mutated together, if only a part of the sources is. */
const STRETCH = 10;

/** Every nth stretch of the lines of all sources: what is mutated within one is a sample of them. */
function stretches() {
	const all = sources.flatMap((source) => {
		const { length } = readFileSync(`nodes/shared/${source}.ts`, 'utf8').split('\n');
		return Array.from({ length: Math.ceil(length / STRETCH) }, (_, i) => {
			return `nodes/shared/${source}.ts:${i * STRETCH + 1}-${(i + 1) * STRETCH}`;
		});
	});
	return all.filter((_, i) => i % Number(parts) === Number(part) - 1);
}

const results = await new Stryker({
	mutate: Number(parts) > 1 ? stretches() : sources.map((source) => `nodes/shared/${source}.ts`),
	testRunner: 'jest',
	// The options that `npm test` starts Node with.
	testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
	jest: {
		configFile: 'jest.config.cjs',
		config: {
			testMatch: [
				'<rootDir>/test/{package/nodes,package/credentials,unit}/**/*.test.mts',
				'<rootDir>/test/repository/errors-page.test.mts',
			],
			// The code that counts what a test reaches needs a deeper stack than one of its values leaves.
			testPathIgnorePatterns: ['/node_modules/', 'hostile-values'],
			// Also where they run nodes on n8n's engine, the tests import the sources.
			setupFiles: ['<rootDir>/test/support/seed.cjs', '<rootDir>/dev/package/sources.cjs'],
		},
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// Half of a codec is regular expressions and tables at a module's top level.
	ignoreStatic: false,
	warnings: { slow: false },
	concurrency: 2,
	// Enough for a busy machine: a mutant must not count as killed because the tests were slow.
	timeoutMS: 60_000,
	timeoutFactor: 4,
	dryRunTimeoutMinutes: 20,
	// Outside of the checkout, so that changed sources are never linted, checked or packed.
	tempDirName: join(tmpdir(), 'n8n-nodes-payroll-mutation'),
	// It would keep old results for a module's top level, although tests have been added.
	incremental: false,
	reporters: ['progress-append-only', 'clear-text', 'html'],
	clearTextReporter: {
		allowColor: false,
		logTests: false,
		reportTests: false,
		reportScoreTable: false,
	},
	htmlReporter: { fileName: '.build/mutation/report.html' },
	ignorePatterns: ['/.build', '/examples', '/dev/n8n', '/test/n8n'],
}).runMutationTest();

/** The mutants of a source, counted. */
function row(source, mutants) {
	const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
	const [killed, timeout, survived, noCoverage] = [
		...['Killed', 'Timeout', 'Survived', 'NoCoverage'].map(count),
	];
	const detected = killed + timeout;
	const score = ((100 * detected) / (detected + survived + noCoverage)).toFixed(1);
	return { source, score, killed, timeout, survived, noCoverage };
}

const rows = sources.flatMap((source) => {
	const own = results.filter(({ fileName }) => fileName.endsWith(`nodes/shared/${source}.ts`));
	return own.length === 0 ? [] : [row(source, own)];
});
const all = row('all', results);
console.table([...rows, all]);
// A part has few mutants of a source.
const judged = Number(parts) > 1 ? [all] : rows;
if (judged.some(({ score }) => Number(score) < MIN_SCORE)) process.exitCode = 1;
