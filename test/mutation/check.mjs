// What the mutation checks of this folder have in common (https://stryker-mutator.io).

/**
 * The settings of one check: the sources to change on trial, and the tests that have to notice.
 *
 * @returns {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export function mutationCheck({ name, mutate, testMatch, ...more }) {
	return {
		mutate,
		testRunner: 'jest',
		// The options that `npm test` starts Node with.
		testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
		jest: { configFile: 'jest.config.cjs', config: { testMatch }, enableFindRelatedTests: false },
		coverageAnalysis: 'perTest',
		// Regular expressions and tables of a module's top level are half of what a codec is.
		ignoreStatic: false,
		concurrency: 2,
		timeoutMS: 10_000,
		timeoutFactor: 2,
		thresholds: { high: 95, low: 85, break: 85 },
		tempDirName: `.build/mutation/${name}/sandbox`,
		incremental: true,
		incrementalFile: `.build/mutation/${name}/incremental.json`,
		htmlReporter: { fileName: `.build/mutation/${name}/report.html` },
		jsonReporter: { fileName: `.build/mutation/${name}/report.json` },
		reporters: ['clear-text', 'html', 'json'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		// Neither copied into the sandbox nor watched for changes.
		ignorePatterns: ['/dist', '/.build', '/docs', '/examples', '/test/n8n-host'],
		allowEmpty: false,
		checkers: [],
		...more,
	};
}
