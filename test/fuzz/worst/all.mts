/** Searches the worst documents of all kinds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, run } from '../child.mts';
import { kinds } from './kinds.mts';
import type { Reported } from './search.mts';

/** How long one document may be measured, by the clock, several times. */
const HANG_MS = 60_000;

/** What was found of one kind. */
export interface Searched {
	readonly kind: string;
	/** What takes too much, in words. */
	readonly found: readonly string[];
	/** What is allowed, in words: the ordinary document, and the worst. */
	readonly allowed: readonly string[];
}

function inWords({ recipes, seconds, mebibytes, length, isRead, over, tried }: Reported): string {
	const size = `${(length / 2 ** 20).toFixed(1)} MiB${isRead ? '' : ', refused'}`;
	const excess = over === undefined ? '' : `too many ${over}: `;
	return `${excess}${seconds.toFixed(2)} s, ${mebibytes.toFixed(0)} MiB kept (${size}; after ${tried}): ${JSON.stringify(recipes)}`;
}

/** Searches one kind; after a crash, on with another seed. */
async function search(
	kind: string,
	heap: number,
	seed: number,
	seconds: number,
): Promise<Searched> {
	const program = await bundle(join('worst', 'search.mts'));
	const folder = mkdtempSync(join(tmpdir(), 'payroll-worst-'));
	const file = join(folder, 'recipe');
	const until = Date.now() + seconds * 1000;
	const flags = ['--expose-gc', `--max-old-space-size=${heap}`];
	const found: string[] = [];
	const allowed: string[] = [];
	for (let n = 0; n === 0 || Date.now() + 5000 < until; n += 1) {
		const left = String(Math.max(1, Math.round((until - Date.now()) / 1000)));
		const { lines, failure } = await run(
			program,
			[kind, String(seed + n), left],
			file,
			flags,
			() => HANG_MS,
		);
		for (const line of lines as Reported[]) (line.over ? found : allowed).push(inWords(line));
		if (failure === undefined) break;
		found.push(`${readFileSync(file, 'utf8')}: ${failure.slice(0, 2000)}`);
	}
	rmSync(folder, { recursive: true });
	return { kind, found, allowed };
}

/**
 * Searches each kind in turn.
 *
 * @param seconds for all of them
 */
export async function searchAll(
	seed: number,
	seconds: number,
	names: readonly string[] = Object.keys(kinds),
): Promise<Searched[]> {
	const searched: Searched[] = [];
	for (const name of names) {
		const heap = kinds[name]?.heap ?? 0;
		searched.push(await search(name, heap, seed, seconds / names.length));
	}
	return searched;
}
