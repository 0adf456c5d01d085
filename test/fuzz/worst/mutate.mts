/** Random changes of recipes. */
import { many, wrap, type Part, type Recipe } from './recipe.mts';

/** What the recipes of a kind consist of. */
export interface Vocabulary {
	readonly texts: readonly string[];
	readonly wraps: ReadonlyArray<readonly [open: string, close: string]>;
}

const TIMES = [0, 0, 0, 2, 16, 60, 200, 250, 2000, 50_000];
const DEPTHS = [0, 1, 1, 2, 8, 20, 55, 60];

const isText = (part: Part): part is string => typeof part === 'string';

/** Counts the lists of parts in a recipe. */
function lists(recipe: Recipe): number {
	return recipe.reduce((sum, part) => sum + (isText(part) ? 0 : lists(part.inner)), 1);
}

/** Changes the n-th list of parts. */
function changeList(recipe: Recipe, n: number, change: (parts: Recipe) => Recipe): Recipe {
	if (n === 0) return change(recipe);
	let left = n - 1;
	return recipe.map((part) => {
		if (isText(part)) return part;
		const own = lists(part.inner);
		const at = left;
		left -= own;
		return at >= 0 && at < own ? { ...part, inner: changeList(part.inner, at, change) } : part;
	});
}

/** Returns a function that changes a recipe at random. */
export function mutator(
	{ texts, wraps }: Vocabulary,
	dice: () => number,
): (recipe: Recipe, other: Recipe) => Recipe {
	const pick = <T,>(list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;

	/** Changes how often a part repeats, or how deep it nests. */
	function resized(part: Part): Recipe {
		if (isText(part)) return [part, pick(texts)];
		return ['times' in part ? { ...part, times: pick(TIMES) } : { ...part, depth: pick(DEPTHS) }];
	}

	const changes: ReadonlyArray<(part: Part, other: Recipe) => Recipe> = [
		(part) => [part, pick(texts)],
		(part) => [pick(texts), part],
		() => [pick(texts)],
		() => [],
		(part) => [wrap(pick(wraps), [part], pick(DEPTHS))],
		(part) => [part, wrap(pick(wraps), [many([pick(texts)])], pick(DEPTHS))],
		(part) => [many([part], pick(TIMES))],
		(part) => [part, many([pick(texts)], pick(TIMES))],
		(part) => (isText(part) ? [part] : part.inner),
		resized,
		(part, other) => [part, ...other],
		(_, other) => other,
	];

	return (recipe, other) => {
		const list = Math.floor(dice() * lists(recipe));
		return changeList(recipe, list, (parts) => {
			if (parts.length === 0) return [pick(texts)];
			const at = Math.floor(dice() * parts.length);
			const part = parts[at] as Part;
			return [...parts.slice(0, at), ...pick(changes)(part, other), ...parts.slice(at + 1)];
		});
	};
}
