import type { Burst } from './burst.mts';

/**
 * Both workers ran executions, and some met the expired token: a worker that comes a moment later may
 * find the new one already.
 */
export function expectBothWorkers({ executions, perWorker, metExpiry }: Burst): void {
	expect(perWorker.reduce((sum, count) => sum + count, 0)).toBe(executions.length);
	expect(Math.min(...perWorker)).toBeGreaterThan(0);
	expect(Math.max(...metExpiry)).toBeGreaterThan(0);
}

/** No execution wrote twice, and none sent the same request again with a token that had been refused. */
export function expectWrittenOnce({ executions, calls }: Burst): void {
	for (const { id } of executions) {
		const own = calls.filter(({ execution }) => execution === id);
		const writes = own.filter(({ kind }) => kind !== 'hourcodes');
		expect(writes.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
		const refused = own.filter(({ status }) => status !== 200).map(({ token }) => token);
		expect(new Set(refused).size).toBe(refused.length);
	}
}
