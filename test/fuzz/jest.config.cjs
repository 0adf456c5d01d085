const { testPathIgnorePatterns, ...shared } = require('../../jest.config.cjs');

/** The fuzzer: the settings of all tests, and as much time as it was given. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/fuzz/**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 3_600_000,
	maxWorkers: 1,
};
