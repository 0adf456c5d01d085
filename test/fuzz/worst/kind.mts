/** A kind of text from outside, whose worst case is searched. */
import type { Vocabulary } from './mutate.mts';
import type { Recipe } from './recipe.mts';

/** A recipe for each place of a document where anything may stand. */
export type Recipes = readonly Recipe[];

export interface Kind extends Vocabulary {
	/** Maximum length of a document, in characters: each of them is one byte. */
	readonly maxLength: number;
	/** What the search begins with. */
	readonly starts: readonly Recipes[];
	/**
	 * What a document may take: how long the event loop is held at once, in parts of the time for the
	 * largest list, and what is kept in memory, in MiB.
	 */
	readonly most: { readonly time: number; readonly mebibytes: number };
	/** Heap of the process that reads the documents, in MiB. */
	readonly heap: number;
	/** The document with these contents of its places. */
	document(contents: readonly string[]): string;
	/**
	 * Reads a document, with all that follows. An error of the package is an outcome like any other.
	 *
	 * @param timed runs a piece of work that holds the event loop; the longest counts
	 * @returns whether it was read, and what n8n keeps of it
	 */
	read(document: string, timed: Timed): Promise<Outcome>;
}

export type Timed = <T>(work: () => T | Promise<T>) => Promise<T>;

export interface Outcome {
	readonly isRead: boolean;
	readonly kept: unknown;
}
