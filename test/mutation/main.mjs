// `npm run test:mutation [-- <check> …]`: changes the sources on trial, one place at a time, and runs the tests that
// have to notice (https://stryker-mutator.io). Prints a line per file; fails where a file's score is too low.
import { Stryker } from '@stryker-mutator/core';
import { checks } from './checks.mjs';

/** The least part of the changes of a file that the tests have to notice, in per cent. */
const LEAST = 85;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in checks));
if (unknown.length > 0) {
	throw new Error(
		`No check is called ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`,
	);
}
const mutants = [];
for (const name of names.length > 0 ? names : Object.keys(checks))
	mutants.push(...(await run(name)));
const rows = table(mutants);
console.table(rows);
if (rows.some(({ score }) => Number(score) < LEAST)) process.exitCode = 1;

/** Runs one check; gives what became of every change. */
async function run(name) {
	const { mutate, tests } = checks[name];
	const folder = `.build/mutation/${name}`;
	return await new Stryker({
		mutate,
		testRunner: 'jest',
		// The options that `npm test` starts Node with.
		testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
		jest: {
			configFile: 'jest.config.cjs',
			config: { testMatch: tests.map((pattern) => `<rootDir>/${pattern}`) },
			// It would look for tests by import, and not find those that the engine stands between.
			enableFindRelatedTests: false,
		},
		coverageAnalysis: 'perTest',
		// Regular expressions and tables of a module's top level are half of what a codec is.
		ignoreStatic: false,
		warnings: { slow: false },
		concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
		timeoutMS: 8000,
		timeoutFactor: 2,
		thresholds: { break: null },
		tempDirName: `${folder}/sandbox`,
		// Only what changed since the last run is run again; delete .build/mutation to begin anew.
		incremental: true,
		incrementalFile: `${folder}/incremental.json`,
		reporters: ['progress-append-only', 'clear-text', 'html'],
		clearTextReporter: {
			allowColor: false,
			logTests: false,
			reportTests: false,
			reportScoreTable: false,
		},
		htmlReporter: { fileName: `${folder}/report.html` },
		ignorePatterns: ['/.build', '/docs', '/examples', '/test/n8n-host'],
	}).runMutationTest();
}

/** What became of the changes, by file and in all. */
function table(results) {
	const nameOf = ({ fileName }) => fileName.replace(/^.*nodes\/shared\//, '');
	const files = [...new Set(results.map(nameOf))].sort();
	return [...files, 'all'].map((file) => {
		const ofFile = file === 'all' ? results : results.filter((result) => nameOf(result) === file);
		const count = (status) => ofFile.filter((result) => result.status === status).length;
		const [killed, timeout, survived, noCoverage] = [
			'Killed',
			'Timeout',
			'Survived',
			'NoCoverage',
		].map(count);
		const noticed = killed + timeout;
		const score = ((100 * noticed) / (noticed + survived + noCoverage)).toFixed(1);
		return { file, score, killed, timeout, survived, noCoverage };
	});
}
