import fc, { type GeneratorValue } from 'fast-check';

/** Random choices, each of which fast-check can repeat and shrink. */
export class Dice {
	constructor(private readonly generate: GeneratorValue) {}

	/** A whole number; each is equally likely. */
	number(min: number, max: number): number {
		return this.generate(uniform, min, max);
	}

	/** Whether something with this probability in percent occurs. */
	chance(percent: number): boolean {
		return this.number(0, 99) >= 100 - percent;
	}

	pick<T>(values: readonly T[]): T {
		return values[this.number(0, values.length - 1)] as T;
	}

	of<T>(arbitrary: fc.Arbitrary<T>): T {
		return this.generate(same, arbitrary as fc.Arbitrary<unknown>) as T;
	}
}

function uniform(min: number, max: number): fc.Arbitrary<number> {
	return fc.noBias(fc.integer({ min, max }));
}

function same(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
	return arbitrary;
}
