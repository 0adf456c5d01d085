/** How many random samples a test takes, and the tests that take long. */
import fc from 'fast-check';

/**
 * The number of samples for `fc.assert` that PAYROLL_TEST_SAMPLES asks for (seed.cjs), times a factor: more of what is
 * quick, fewer of what is slow.
 */
export function runs(factor = 1): { readonly numRuns: number } {
	const { numRuns = 1 } = fc.readConfigureGlobal();
	return { numRuns: Math.ceil(numRuns * factor) };
}

/** Whether PAYROLL_TEST_SAMPLES asks for more than usual, as every night. */
export const isNight = runs().numRuns > 100;

/** Declares a test that takes long: it runs at night. */
export const atNight = isNight ? it : it.skip;
