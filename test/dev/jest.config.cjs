const { testPathIgnorePatterns, ...shared } = require('../../jest.config.cjs');

/** The tests of the programs that other tests stand on. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../..',
	// Real time.
	testEnvironmentOptions: {},
	testMatch: ['<rootDir>/test/dev/**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
};
