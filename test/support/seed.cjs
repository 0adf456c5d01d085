// Before each test file: random values are the same in every run, unless PAYROLL_TEST_SEED is set.
require('fast-check').configureGlobal({ seed: Number(process.env.PAYROLL_TEST_SEED ?? 1) });
