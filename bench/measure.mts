/**
 * Measures contenders that take turns within one run, so that other load on the machine affects all
 * of them. A comparison is the ratio within a round, never between runs.
 */

/** A summary of samples: the median, the smallest and the largest. */
export interface Figure {
	readonly median: number;
	readonly min: number;
	readonly max: number;
}

/** Samples by contender in the order of the rounds, equally many of each. */
export type Samples<Name extends string, T = number> = Readonly<Record<Name, readonly T[]>>;

/** Contenders by name; the others are compared to the first. */
export type Contenders<Name extends string, T> = Readonly<Record<Name, () => T>>;

/**
 * Returns the median of samples, the smallest and the largest.
 *
 * @throws {Error} if there are no samples, or one is not a number
 */
export function figureOf(samples: readonly number[]): Figure {
	const sorted = samples.toSorted((a, b) => a - b);
	const [min, max] = [sorted[0], sorted.at(-1)];
	const middle = (sorted.length - 1) / 2;
	const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
	if (min === undefined || max === undefined || below === undefined || above === undefined) {
		throw new Error('No figure of no samples');
	}
	if (!samples.every(Number.isFinite)) throw new Error(`No figure of [${samples.join(', ')}]`);
	return { median: (below + above) / 2, min, max };
}

/** Returns the ratio of two contenders, by round. */
export function ratioOf(of: readonly number[], to: readonly number[]): Figure {
	if (of.length !== to.length) throw new Error('Ratios need the same rounds of both');
	return figureOf(of.map((sample, round) => sample / (to[round] ?? Number.NaN)));
}

/** Runs the contenders in turns, in a different order each round. */
export async function takeTurns<Name extends string, T>(
	contenders: Contenders<Name, Promise<T>>,
	rounds: number,
): Promise<Samples<Name, T>> {
	const names = Object.keys(contenders) as Name[];
	const samples = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
	for (let round = 0; round < rounds; round += 1) {
		for (let turn = 0; turn < names.length; turn += 1) {
			const name = names[(round + turn) % names.length] as Name;
			samples[name].push(await contenders[name]());
		}
	}
	return samples;
}

function collectGarbage(): void {
	if (globalThis.gc === undefined) throw new Error('Start Node with --expose-gc');
	globalThis.gc();
}

/** Returns how many milliseconds a number of calls take. */
async function duration(call: () => unknown, calls: number): Promise<number> {
	const start = performance.now();
	for (let i = 0; i < calls; i += 1) {
		const result = call();
		// Awaiting a value that is no promise would slow the fastest contenders most.
		if (result instanceof Promise) await result;
	}
	return performance.now() - start;
}

/** Finds how many calls fill a time slice, once the engine has optimised the code. */
async function calibrate(call: () => unknown, milliseconds: number): Promise<number> {
	let calls = 1;
	for (;;) {
		const took = await duration(call, calls);
		if (took >= milliseconds / 2) return Math.max(1, Math.round((calls * milliseconds) / took));
		calls *= 2;
	}
}

/** Measures microseconds per call of short functions: each contender fills a time slice per round. */
export async function timeCalls<Name extends string>(
	contenders: Contenders<Name, unknown>,
	{ rounds, sliceMs }: { readonly rounds: number; readonly sliceMs: number },
): Promise<Samples<Name>> {
	const turns: Record<string, () => Promise<number>> = {};
	for (const [name, call] of Object.entries<() => unknown>(contenders)) {
		const calls = await calibrate(call, sliceMs);
		turns[name] = async () => {
			collectGarbage();
			return ((await duration(call, calls)) * 1000) / calls;
		};
	}
	return await takeTurns(turns as Contenders<Name, Promise<number>>, rounds);
}
