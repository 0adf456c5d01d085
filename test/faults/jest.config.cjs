const { testPathIgnorePatterns, ...shared } = require('../../jest.config.cjs');

// What n8n's engine logs is searched for secrets, so it has to log everything.
process.env.N8N_LOG_LEVEL = 'debug';

/** The table of faults: the settings of all tests, and time enough to run the whole table at once. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/faults/**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 900_000,
	maxWorkers: 1,
};
