/** A fuzz target: inputs, and the outcomes allowed. */
import type fc from 'fast-check';

/** The outcome of one input. */
export interface Outcome {
	/** The name under which it is counted. */
	readonly kind: string;
	/** Checks the outcome; throws if it is wrong. Its time is not counted as the code's. */
	check(): void;
}

/** A part of the package, and the inputs that it must handle. */
export interface Target<Input = unknown> {
	readonly inputs: fc.Arbitrary<Input>;
	/** Outcomes that every longer run must reach; otherwise it would test too little. */
	readonly expected: readonly string[];
	/** The input as the content of a readable file. */
	show(input: Input): Uint8Array;
	/** Returns the outcome of an input; any error that it throws is a finding. */
	run(input: Input): Outcome | Promise<Outcome>;
}

/** Checks the types of a target's members against each other, and hides them from the list of targets. */
export function target<Input>(members: Target<Input>): Target {
	return members as unknown as Target;
}

/** The outcome of a typed error: users read its text, so it must be well-formed and not empty. */
export function typedError(error: Error): Outcome {
	return {
		kind: error.name,
		check() {
			if (error.message.trim() === '' || !error.message.isWellFormed()) {
				throw new Error(`An unreadable message: ${JSON.stringify(error.message.slice(0, 200))}`);
			}
		},
	};
}
