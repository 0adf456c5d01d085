import { targets } from './targets.mts';
import { fuzz, prepare } from './watch.mts';

// FUZZ_SEED repeats the inputs of an earlier run, FUZZ_SECONDS is how long it takes in all.
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const seconds = Number(process.env.FUZZ_SECONDS ?? 60);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

beforeAll(async () => {
	print(`FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds}`);
	await prepare();
});

it.each(Object.entries(targets))('%s', async (name, { target, share }) => {
	const { failure, file, ...found } = await fuzz(name, seed, seconds * share);
	const { runs = 0, bytes = 0, outcomes = {}, slowest } = found;
	const counts = Object.entries(outcomes).map(([kind, count]) => `${count} ${kind}`);
	print(
		`${name}: ${runs} runs, ${(bytes / 2 ** 20).toFixed(1)} MiB; ${counts.join(', ')}; ` +
			`slowest ${slowest?.msPerBlock} ms for each 64 kB (${slowest?.bytes} bytes)`,
	);
	if (failure !== undefined) {
		throw new Error(`${failure}\nThe input is in ${file}; FUZZ_SEED=${seed} finds it again.`);
	}
	expect(Object.keys(outcomes).sort()).toEqual([...target.expected].sort());
});
