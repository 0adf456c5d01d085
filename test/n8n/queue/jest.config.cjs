const shared = require('../jest.config.cjs');

/** The tests in queue mode, which also need PostgreSQL and Redis. */
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	rootDir: '../../..',
	testMatch: ['<rootDir>/test/n8n/queue/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
};
