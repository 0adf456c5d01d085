/**
 * How fast time passes in tests for n8n's `sleep`, which the package waits with, and for `performance.now()`, which it
 * measures its pauses with. `Date.now()`, timers and servers keep real time; `new Date()` is always the same.
 */
const { createRequire } = require('node:module');
require('../../dev/engine/today.cjs');

const real = performance.now.bind(performance);
const systemTime = Date.now;
let factor = 1;
let [since, passed] = [real(), real()];
/** The clock of a simulation, while there is one. */
let simulated;

const now = () => simulated?.now ?? passed + (real() - since) * factor;

// n8n-workflow and n8n-core each have a copy.
for (const user of ['n8n-workflow', 'n8n-core']) {
	const module = createRequire(require.resolve(user))('@n8n/utils/sleep');
	const { sleep } = module;
	module.sleep = async (milliseconds, signal) =>
		await (simulated?.sleep(milliseconds) ?? sleep(milliseconds / factor, signal));
}

/** Sets how many times faster than real time it passes from now on. */
exports.setTimeFactor = (next) => {
	[passed, since, factor] = [now(), real(), next];
};

/** Lets the time of a clock (simulation.mts) pass instead; `undefined` ends that. */
exports.setSimulatedClock = (clock) => {
	simulated = clock;
};

/** Ends what a test file did to the clocks. */
exports.resetClocks = () => {
	simulated = undefined;
	performance.now = now;
	Date.now = systemTime;
};
