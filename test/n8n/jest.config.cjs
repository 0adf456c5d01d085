const shared = require('../../jest.config.cjs');

/** The tests in a real n8n: the settings of all tests, and time enough to install and start it. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../..',
	// Real time.
	testEnvironmentOptions: {},
	testMatch: ['<rootDir>/test/n8n/**/*.test.mts'],
	// Those in queue mode have a configuration of their own.
	testPathIgnorePatterns: ['/node_modules/', '/test/n8n/queue/'],
	testTimeout: 120_000,
	// One n8n at a time keeps both cores of a small machine busy.
	maxWorkers: 1,
};
