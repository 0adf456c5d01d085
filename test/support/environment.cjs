/**
 * Where tests run: as in jest's own environment for Node.js, except that n8n is loaded by Node.js itself, once for all
 * test files of a process, instead of by jest, anew for each file.
 */
require('../../dev/engine/environment.cjs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { sharedSandbox } = require('./sandbox.cjs');
const { resetClocks, setSimulatedClock, setTimeFactor } = require('./time.cjs');

const dist = join(process.cwd(), 'dist');

module.exports = class extends TestEnvironment {
	constructor({ projectConfig }, context) {
		super({ projectConfig }, context);
		this.timeFactor = projectConfig.testEnvironmentOptions.timeFactor ?? 1;
	}

	async setup() {
		await super.setup();
		this.global.createNativeRequire = createRequire;
		this.global.sharedSandbox = sharedSandbox;
		// One clock for tests, n8n and the built package.
		resetClocks();
		this.global.Date = Date;
		this.global.setSimulatedClock = setSimulatedClock;
		setTimeFactor(this.timeFactor);
		// The package itself is loaded anew for each file: its modules keep sessions and limits.
		for (const file of Object.keys(require.cache)) {
			if (file.startsWith(dist)) delete require.cache[file];
		}
	}

	/** Fails a test that takes longer than its timeout in one piece: jest itself only ends one that waits. */
	handleTestEvent({ name, test }, { testTimeout }) {
		if (name === 'test_fn_start') this.started = process.hrtime.bigint();
		if (name !== 'test_fn_success') return;
		const ms = Number((process.hrtime.bigint() - this.started) / 1_000_000n);
		const limit = test.timeout ?? testTimeout;
		if (ms > limit)
			test.errors.push(new Error(`It took ${ms} ms: more than its timeout of ${limit} ms`));
	}
};
