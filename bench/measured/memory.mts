/** The memory in use of a measured process. */
import { setTimeout as delay } from 'node:timers/promises';
import { GCProfiler, setFlagsFromString } from 'node:v8';

/** Bytes in use right after full collections; weakly held objects go in the second one. */
export async function collect(): Promise<number> {
	for (let i = 0; i < 3; i += 1) {
		await delay(20);
		global.gc?.();
	}
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** Keeps compiled code from now on: if it were discarded, it would count as freed memory. */
export function keepCompiledCode(): void {
	setFlagsFromString('--no-flush-bytecode');
}

/** From now on every collection is a full one, so that only live objects are in use after it. */
export function collectFully(): void {
	setFlagsFromString('--gc-global');
}

/** Observes full collections; returns a function that ends this and returns the bytes after each. */
export function watchCollections(): () => number[] {
	const profiler = new GCProfiler();
	profiler.start();
	return () =>
		(profiler.stop()?.statistics ?? [])
			.filter(({ gcType }) => gcType === 'MarkSweepCompact')
			.map(({ afterGC: { heapStatistics } }) => {
				return heapStatistics.usedHeapSize + heapStatistics.externalMemory;
			});
}
