/** Recipes: texts of any size from a few parts that repeat, count and nest. */

/** Parts that repeat. */
interface Many {
	/** How often; 0 for as often as the size allows. */
	readonly times: number;
	readonly inner: Recipe;
}

/** Parts within others. */
interface Wrap {
	readonly open: string;
	readonly close: string;
	/** How deep; 0 for as deep as the size allows. */
	readonly depth: number;
	readonly inner: Recipe;
}

/** A text: `%i` is its number among those that repeat, `%n` the next number, `%o` the number of those around it. */
export type Part = string | Many | Wrap;

export type Recipe = readonly Part[];

export const many = (inner: Recipe, times = 0): Many => ({ times, inner });

export const wrap = ([open, close]: readonly [string, string], inner: Recipe, depth = 1): Wrap => ({
	open,
	close,
	depth,
	inner,
});

interface Numbers {
	readonly index: number;
	readonly outer: number;
}

function numbered(text: string, { index, outer }: Numbers): string {
	if (!text.includes('%')) return text;
	return text
		.replaceAll('%i', String(index))
		.replaceAll('%n', String(index + 1))
		.replaceAll('%o', String(outer));
}

/** Whether a part takes what is left of the size. */
function grows(part: Part): boolean {
	if (typeof part === 'string') return false;
	const own = 'times' in part ? part.times : part.depth;
	return own === 0 || part.inner.some(grows);
}

/** A fixed number of parts that would be longer is left out. */
const MAX_LENGTH = 2 ** 25;

const lengths = new WeakMap<Recipe, Map<number, number>>();

/** Returns the length of parts of this size with a long number. */
function lengthOf(recipe: Recipe, size: number): number {
	const known = lengths.get(recipe) ?? new Map<number, number>();
	lengths.set(recipe, known);
	const length = known.get(size) ?? write(recipe, size, { index: 100_000, outer: 100_000 }).length;
	known.set(size, length);
	return length;
}

function manyOf({ times, inner }: Many, size: number, { index }: Numbers): string {
	const list = (count: number, share: number): string =>
		Array.from({ length: count }, (_, at) => write(inner, share, { index: at, outer: index })).join(
			'',
		);
	if (times > 0) {
		const length = times * lengthOf(inner, size / times);
		return length === 0 || length > MAX_LENGTH ? '' : list(times, size / times);
	}
	const share = inner.some(grows) ? Math.sqrt(size) : 0;
	const length = lengthOf(inner, share);
	return length === 0 ? '' : list(Math.floor(size / length), share);
}

function wrapOf({ open, close, depth, inner }: Wrap, size: number, numbers: Numbers): string {
	const both = open.length + close.length + 4;
	const inside = inner.some(grows) ? size / 2 : 0;
	const levels = depth === 0 ? Math.floor((size - inside) / both) : depth;
	const level = (text: string, at: number): string =>
		numbered(text, levels === 1 ? numbers : { index: at, outer: numbers.index });
	const indexes = Array.from({ length: levels }, (_, at) => at);
	const content = write(inner, size - levels * both, numbers);
	const [opened, closed] = [
		indexes.map((at) => level(open, at)),
		indexes.reverse().map((at) => level(close, at)),
	];
	return opened.join('') + content + closed.join('');
}

/** Writes a recipe as a text of about this many characters, unless it does not grow so far. */
export function write(
	recipe: Recipe,
	size: number,
	numbers: Numbers = { index: 0, outer: 0 },
): string {
	const fixed = recipe.map((part) =>
		typeof part === 'string'
			? numbered(part, numbers)
			: grows(part)
				? undefined
				: writePart(part, 0, numbers),
	);
	const taken = fixed.reduce((sum, text = '') => sum + text.length, 0);
	const share = Math.max(0, size - taken) / Math.max(1, recipe.filter(grows).length);
	return recipe.map((part, at) => fixed[at] ?? writePart(part, share, numbers)).join('');
}

function writePart(part: Part, size: number, numbers: Numbers): string {
	if (typeof part === 'string') return numbered(part, numbers);
	return 'times' in part ? manyOf(part, size, numbers) : wrapOf(part, size, numbers);
}
