/** What a fuzz target is: inputs, and what has to become of each. */
import type fc from 'fast-check';

/** What became of one input. */
export interface Outcome {
	/** Under which name it is counted. */
	readonly kind: string;
	/** Looks closer at it; throws an error that says what is wrong. Its time is not the code's. */
	check(): void;
}

/** A piece of the package, and the inputs it has to stand. */
export interface Target<Input = unknown> {
	readonly inputs: fc.Arbitrary<Input>;
	/** Kinds of outcome that every longer run meets; without them it would test too little. */
	readonly expected: readonly string[];
	/** The input as a file that a person can look at. */
	show(input: Input): Uint8Array;
	/** Gives what became of the input; any error it throws is a finding. */
	run(input: Input): Outcome | Promise<Outcome>;
}

/** Keeps the type of a target's inputs between its members, and hides it from the list of targets. */
export function target<Input>(members: Target<Input>): Target {
	return members as unknown as Target;
}

/** The outcome of a typed error: its text is for people, so it has to be well-formed and say something. */
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
