const { testPathIgnorePatterns, ...shared } = require('../../jest.config.cjs');

/** The soak: the settings of all tests, and time enough for a slow machine. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../..',
	// Real time.
	testEnvironmentOptions: {},
	testMatch: ['<rootDir>/test/soak/**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 1_800_000,
	maxWorkers: 1,
};
