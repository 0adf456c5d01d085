/**
 * How figures come about: contenders take turns within one run, so that whatever else the machine
 * does meets all of them; a comparison is the ratio within a round, never between runs.
 */

/** What many samples of one quantity say: their median, and the quartiles as its spread. */
export interface Figure {
	readonly median: number;
	readonly low: number;
	readonly high: number;
	/** The smallest and the largest of them. */
	readonly least: number;
	readonly most: number;
	/** The number of samples. */
	readonly runs: number;
}

/** Samples by contender, the same number of each, in the order of the rounds. */
export type Samples<Name extends string, T = number> = Readonly<Record<Name, readonly T[]>>;

/** Contenders by name; the first is the one that the others are compared to. */
export type Contenders<Name extends string, T> = Readonly<Record<Name, () => T>>;

function quantile(sorted: readonly number[], share: number): number {
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median of samples and its spread.
 *
 * @throws {Error} where there is nothing to tell, or a sample is no number
 */
export function figureOf(samples: readonly number[]): Figure {
	if (samples.length === 0 || !samples.every(Number.isFinite)) {
		throw new Error(`No figure of [${samples.join(', ')}]`);
	}
	const sorted = samples.toSorted((a, b) => a - b);
	const at = (share: number) => quantile(sorted, share);
	return {
		...{ median: at(0.5), low: at(0.25), high: at(0.75) },
		...{ least: at(0), most: at(1), runs: samples.length },
	};
}

/** The ratio of two contenders, round by round. */
export function ratioOf(of: readonly number[], to: readonly number[]): Figure {
	if (of.length !== to.length) throw new Error('Ratios need the same rounds of both');
	return figureOf(of.map((sample, round) => sample / (to[round] ?? Number.NaN)));
}

/** Lets the contenders take turns for so many rounds, each round in another order. */
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

/** Milliseconds that so many calls take. */
async function duration(call: () => unknown, calls: number): Promise<number> {
	const start = performance.now();
	for (let i = 0; i < calls; i += 1) {
		const result = call();
		// Awaiting what is no promise would cost the fast ones most.
		if (result instanceof Promise) await result;
	}
	return performance.now() - start;
}

/** How many calls fill so many milliseconds, tried until the engine has optimised the code. */
async function calibrate(call: () => unknown, milliseconds: number): Promise<number> {
	let calls = 1;
	for (;;) {
		const took = await duration(call, calls);
		if (took >= milliseconds / 2) return Math.max(1, Math.round((calls * milliseconds) / took));
		calls *= 2;
	}
}

/** Microseconds per call of short functions: each round, every contender fills its time slice. */
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
