/** What reading one document takes. */
import { watchLoop } from '../../support/eventLoop.mts';
import type { Kind, Recipes } from './kind.mts';
import { write } from './recipe.mts';

export interface Measured {
	/** How long the longest piece of work held the event loop: by the clock, or at work if that is less. */
	readonly seconds: number;
	/** What is kept in memory. */
	readonly mebibytes: number;
	readonly isRead: boolean;
	readonly length: number;
}

/** Writes the document of some recipes; its places share the size. */
export function documentOf(kind: Kind, recipes: Recipes, size: number): string {
	const share = (size - kind.document(recipes.map(() => '')).length) / recipes.length;
	const contents = recipes.map((recipe) => write(recipe, 0));
	// A place that does not grow leaves its share to the others.
	const growing = recipes.map(
		(recipe, at) => write(recipe, share).length > (contents[at]?.length ?? 0),
	);
	const each = (share * recipes.length) / Math.max(1, growing.filter(Boolean).length);
	const document = kind.document(
		recipes.map((recipe, at) =>
			growing[at] === true ? write(recipe, each) : (contents[at] ?? ''),
		),
	);
	// As it is read: in one piece.
	return Buffer.from(document).toString();
}

/** Reads a document once. */
export async function measured(kind: Kind, document: string): Promise<Measured> {
	globalThis.gc?.();
	const before = process.memoryUsage().heapUsed;
	let seconds = 0;
	const outcome = await kind.read(document, async (work) => {
		const held = watchLoop();
		try {
			return await work();
		} finally {
			seconds = Math.max(seconds, held() / 1000);
		}
	});
	globalThis.gc?.();
	const mebibytes = Math.max(0, (process.memoryUsage().heapUsed - before) / 2 ** 20);
	// What is kept is in use until here.
	return {
		seconds,
		mebibytes,
		isRead: outcome.isRead && outcome.kept !== undefined,
		length: document.length,
	};
}

/** The least time of some measurements: a busy machine takes time, too. */
export async function leastOf(kind: Kind, document: string, times: number): Promise<Measured> {
	let least = await measured(kind, document);
	for (let i = 1; i < times; i += 1) {
		const again = await measured(kind, document);
		least = { ...least, seconds: Math.min(least.seconds, again.seconds) };
	}
	return least;
}
