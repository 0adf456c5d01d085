/**
 * Searches the documents of one kind that take most, in a process of its own: `search.mts <kind> <seed>
 * <seconds> <file>`. What takes more than the kind allows is a line of JSON on stdout; so is, in the
 * end, the worst that is allowed.
 *
 * A recipe is measured in two small documents, from which follows what the largest one would take. The
 * recipes that take most are changed further. In turn, the one that may take most is measured in larger
 * and larger documents.
 */
import { writeFileSync } from 'node:fs';
import { randomFrom } from '../../support/random.mts';
import type { Kind, Recipes } from './kind.mts';
import { kinds } from './kinds.mts';
import { documentOf, leastOf, measured, type Measured } from './measure.mts';
import { mutator } from './mutate.mts';
import { largestList, xml } from './xml.mts';

/** Length of the two documents that a recipe is measured in first. */
const SAMPLES = [32 * 1024, 128 * 1024] as const;

/** How many recipes are changed further, by time and by memory. */
const KEPT = 10;

/** Shorter times, and less memory, say nothing about how they grow. */
const NOISE = { seconds: 0.004, mebibytes: 1 } as const;

const KEYS = ['seconds', 'mebibytes'] as const;
type Key = (typeof KEYS)[number];

/** A recipe, and what its largest document takes, estimated from samples or measured. */
interface Scored extends Readonly<Record<Key, number>> {
	readonly recipes: Recipes;
}

/** A line of the output. */
export interface Reported extends Measured {
	readonly recipes: Recipes;
	/** What it takes too much of. */
	readonly over: Key | undefined;
	readonly tried: number;
}

const [name = '', seed = '1', seconds = '60', file = ''] = process.argv.slice(2);

/** How a measurement grows with the size: as its square with 2, and at least with the size. */
function exponentOf(key: Key, small: Measured, large: Measured): number {
	if (large[key] < NOISE[key]) return 1;
	const growth = large[key] / Math.max(small[key], NOISE[key] / 8);
	return Math.min(3, Math.max(1, Math.log(growth) / Math.log(large.length / small.length)));
}

class Search {
	readonly #until = Date.now() + Number(seconds) * 1000;
	readonly #dice = randomFrom(Number(seed));
	readonly #change: ReturnType<typeof mutator>;
	/** Recipes that were measured. */
	readonly #known = new Set<string>();
	readonly #best: Record<Key, Scored[]> = { seconds: [], mebibytes: [] };
	/** Recipes whose largest documents may take too much. */
	#suspects: Scored[] = [];
	/** How long samples were measured, and larger documents, in milliseconds. */
	readonly #spent = { samples: 0, climbs: 0 };
	#tried = 0;
	#worst: readonly [Recipes, Measured] | undefined;

	constructor(
		private readonly kind: Kind,
		private readonly largest: Measured,
		private readonly limits: Readonly<Record<Key, number>>,
	) {
		this.#change = mutator(kind, this.#dice);
	}

	async run(): Promise<void> {
		const starts = [...this.kind.starts];
		while (Date.now() < this.#until) {
			const begun = Date.now();
			const isClimbing = this.#spent.climbs < this.#spent.samples && this.#suspects.length > 0;
			if (isClimbing) await this.#climbFirst();
			else await this.#sample(this.#take(starts) ?? this.#changed());
			this.#spent[isClimbing ? 'climbs' : 'samples'] += Date.now() - begun;
		}
		if (this.#worst !== undefined) this.report(...this.#worst, undefined);
	}

	report(recipes: Recipes, found: Measured, over: Reported['over']): void {
		const line: Reported = { recipes, ...found, over, tried: this.#tried };
		process.stdout.write(`${JSON.stringify(line)}\n`);
	}

	/** Takes one of a list at random, out of it. */
	#take<T>(list: T[]): T | undefined {
		return list.splice(Math.floor(this.#dice() * list.length), 1)[0];
	}

	#changed(): Recipes {
		const { starts } = this.kind;
		const known = [...this.#best.seconds, ...this.#best.mebibytes].map(({ recipes }) => recipes);
		const one = (): Recipes => this.#take([...known, ...known, ...starts]) ?? [];
		return one().map((recipe) =>
			this.#dice() < 0.6 ? this.#change(recipe, this.#take([...one()]) ?? []) : recipe,
		);
	}

	#overOf(found: Measured): Key | undefined {
		return KEYS.find((key) => found[key] > this.limits[key]);
	}

	/** Measures a recipe in samples. */
	async #sample(recipes: Recipes): Promise<void> {
		const text = JSON.stringify(recipes);
		if (this.#known.has(text)) return;
		this.#known.add(text);
		writeFileSync(file, text);
		const [short = '', long = ''] = SAMPLES.map((size) => documentOf(this.kind, recipes, size));
		// A number of parts is fixed, and they are large.
		if (long.length > 4 * SAMPLES[1]) return;
		this.#tried += 1;
		const small = await measured(this.kind, short);
		const large = await leastOf(this.kind, long, 2);
		const times = long.length < 2 * short.length ? 1 : this.kind.maxLength / long.length;
		const estimate = (key: Key): number => large[key] * times ** exponentOf(key, small, large);
		const scored = { recipes, seconds: estimate('seconds'), mebibytes: estimate('mebibytes') };
		this.#keep(scored);
		if (KEYS.some((key) => scored[key] > this.limits[key])) this.#suspects.push(scored);
	}

	#keep(scored: Scored): void {
		for (const key of KEYS) {
			const all = [...this.#best[key], scored].sort((one, other) => other[key] - one[key]);
			this.#best[key] = all.slice(0, KEPT);
		}
	}

	/** Measures the largest documents of the recipe that may take most. */
	async #climbFirst(): Promise<void> {
		const excess = (one: Scored): number =>
			Math.max(...KEYS.map((key) => one[key] / this.limits[key]));
		const [first, ...others] = this.#suspects.sort((one, other) => excess(other) - excess(one));
		if (first === undefined) return;
		this.#suspects = others.slice(0, 100);
		for (const key of KEYS) this.#best[key] = this.#best[key].filter((one) => one !== first);
		const { recipes } = first;
		const found = await this.#climb(recipes);
		if (found === undefined) return;
		// What was found would be found again, with small changes.
		const over = this.#overOf(found);
		if (over !== undefined) return this.report(recipes, found, over);
		this.#keep({ recipes, ...found });
		if (found.seconds > (this.#worst?.[1].seconds ?? 0)) this.#worst = [recipes, found];
	}

	/** Measures larger and larger documents, up to about the largest that is read; returns the worst. */
	async #climb(recipes: Recipes): Promise<Measured | undefined> {
		const { maxLength } = this.kind;
		let worst: Measured | undefined;
		let [size, step] = [4 * SAMPLES[1], 4];
		while (step > 1.3 && size <= maxLength) {
			writeFileSync(file, JSON.stringify({ recipes, size }));
			const document = documentOf(this.kind, recipes, 0.98 * size);
			const found = document.length > maxLength ? undefined : await this.#checked(document);
			if (found !== undefined && found.seconds >= (worst?.seconds ?? 0)) worst = found;
			if (found !== undefined && this.#overOf(found) !== undefined) return found;
			// It does not grow further.
			if (document.length < size / 4) break;
			// Between what is read and what is refused may be something that takes longer.
			if (found?.isRead !== true) [size, step] = [size / step, Math.sqrt(step)];
			else if (found.seconds > this.limits.seconds / 16) step = Math.min(step, 2);
			size *= step;
		}
		return worst;
	}

	/**
	 * Measures a document, again if it takes too much, and beside the largest list: a busy machine may be
	 * slower than in the beginning.
	 */
	async #checked(document: string): Promise<Measured> {
		const found = await measured(this.kind, document);
		if (this.#overOf(found) === undefined) return found;
		const least = await leastOf(this.kind, document, 3);
		if (this.#overOf(least) !== 'seconds') return least;
		const largest = await leastOf(xml, largestList(), 2);
		const slowness = Math.max(1, largest.seconds / this.largest.seconds);
		return { ...least, seconds: least.seconds / slowness };
	}
}

async function main(): Promise<void> {
	const kind = kinds[name];
	if (kind === undefined) throw new Error(`There is no kind ${name}`);
	const largest = await leastOf(xml, largestList(), 3);
	const { time, mebibytes } = kind.most;
	const search = new Search(kind, largest, { seconds: time * largest.seconds, mebibytes });
	search.report([['the largest list, in XML']], largest, undefined);
	await search.run();
}

void main();
