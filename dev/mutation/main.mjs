// `npm run test:mutation [-- <source> …]`: mutates the sources, one place at a time, and runs the tests that must fail
// (https://stryker-mutator.io). Prints a line per source; fails if a score is too low.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { checks } from './checks.mjs';

/** The lowest mutation score allowed, in per cent. */
const MIN_SCORE = 85;

/** A source as the list names it; also given as a path, such as nodes/shared/actions/costCenters/merge.ts. */
const chosen = process.argv
	.slice(2)
	.map((path) => /^(?:.*nodes\/shared\/)?(.*?)(?:\.ts)?$/.exec(path)[1]);
const unknown = chosen.filter((source) => !(source in checks));
if (unknown.length > 0) {
	throw new Error(
		`There is no check of ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`,
	);
}
const sources = chosen.length > 0 ? chosen : Object.keys(checks);
const rows = [];
const mutants = [];
for (const source of sources) {
	const results = await run(source);
	mutants.push(...results);
	rows.push(row(source, results));
}
console.table([...rows, row('all', mutants)]);
if (rows.some(({ score }) => Number(score) < MIN_SCORE)) process.exitCode = 1;

/** Mutates one source; returns the result of every mutant. */
async function run(source) {
	const folder = `.build/mutation/${source}`;
	return await new Stryker({
		mutate: [`nodes/shared/${source}.ts`],
		testRunner: 'jest',
		// The options that `npm test` starts Node with.
		testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
		jest: {
			configFile: 'jest.config.cjs',
			config: {
				testMatch: checks[source].map((test) => `<rootDir>/test/${test}.test.mts`),
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
		// Outside of the checkout, so that changed sources are never linted, checked or packed.
		tempDirName: join(tmpdir(), 'n8n-nodes-payroll-mutation', source),
		// It would keep old results for a module's top level, although tests have been added.
		incremental: false,
		reporters: ['progress-append-only', 'clear-text', 'html'],
		clearTextReporter: {
			allowColor: false,
			logTests: false,
			reportTests: false,
			reportScoreTable: false,
		},
		htmlReporter: { fileName: `${folder}/report.html` },
		ignorePatterns: ['/.build', '/examples', '/dev/n8n', '/test/n8n'],
	}).runMutationTest();
}

/** The results of a source's mutants, counted. */
function row(source, results) {
	const count = (status) => results.filter((result) => result.status === status).length;
	const [killed, timeout, survived, noCoverage] = [
		'Killed',
		'Timeout',
		'Survived',
		'NoCoverage',
	].map(count);
	const detected = killed + timeout;
	const score = ((100 * detected) / (detected + survived + noCoverage)).toFixed(1);
	return { source, score, killed, timeout, survived, noCoverage };
}
