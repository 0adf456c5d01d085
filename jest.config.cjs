/** @type {import('jest').Config} */
module.exports = {
	// A path, not `<rootDir>`: the mutation check wraps the environment.
	testEnvironment: require.resolve('./test/support/environment.cjs'),
	// Waits of the package are that much shorter; see test/support/time.cjs.
	testEnvironmentOptions: { timeFactor: 10 },
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/n8n-workflow.cjs' },
	// Suites that need more than Node and npm live in folders of their own and are started by scripts of their own.
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(?:dev|faults|fuzz|n8n|soak)/'],
	setupFiles: ['<rootDir>/test/support/seed.cjs'],
	setupFilesAfterEnv: process.env.PAYROLL_TEST_BLOCKS ? ['<rootDir>/test/support/failOnBlock.mts'] : [],
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
	// Copies of this package (built, packed, installed) must not be taken for the package.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.build/'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript', decorators: false }, target: 'es2022' },
				// import() stays what it is: the only way to load packages that are ES modules.
				module: { type: 'commonjs', ignoreDynamic: true },
				sourceMaps: 'inline',
			},
		],
	},
	// Real HTTP and a real engine: a slow machine gets its time, a hanging test still ends.
	testTimeout: 120_000,
	maxWorkers: 2,
	// Node does not give back all of the memory that a test file used.
	workerIdleMemoryLimit: '1GB',
};
