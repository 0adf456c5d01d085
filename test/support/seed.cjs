// Before each test file: how many random values there are, and the seed that makes them the same in every run.
require('fast-check').configureGlobal({
	seed: Number(process.env.PAYROLL_TEST_SEED ?? 1),
	numRuns: Number(process.env.PAYROLL_TEST_SAMPLES ?? 25),
});
