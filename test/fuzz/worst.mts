/**
 * Looks for the answers and descriptions within the limits that take most processor time or memory:
 * `worst.mts <seconds> [<seed> [<kind> …]]`. It fails if one takes more than its kind allows (`worst/kinds.mts`).
 */
import { searchAll } from './worst/all.mts';

const [seconds = '600', seed = '1', ...names] = process.argv.slice(2);
const searched = await searchAll(
	Number(seed),
	Number(seconds),
	names.length > 0 ? names : undefined,
);
for (const { kind, found, allowed } of searched) {
	console.log(`${kind}: ${found.length} found, seed ${seed}`);
	for (const line of allowed) console.log(`  allowed: ${line}`);
	for (const line of found) console.log(`  FOUND ${line}`);
}
process.exitCode = searched.every(({ found }) => found.length === 0) ? 0 : 1;
