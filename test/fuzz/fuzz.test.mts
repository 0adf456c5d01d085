import { targets } from './targets.mts';
import { fuzz, type Watched } from './watch.mts';

// The seed decides the inputs; the seconds are how long it takes in all.
const seed = Number(process.env.FUZZ_SEED ?? 1);
const seconds = Number(process.env.FUZZ_SECONDS ?? 15);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let watched: Watched;

beforeAll(async () => {
	print(`FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds}`);
	watched = await fuzz(seed, seconds);
});

it.each(Object.entries(targets).map(([name, { target }], i) => [name, target, i] as const))(
	'%s',
	(name, target, i) => {
		const found = watched.findings[i];
		if (found === undefined) throw new Error('An earlier failure ended the fuzzer');
		const { failure, runs = 0, bytes = 0, outcomes = {}, slowest } = found;
		const counts = Object.entries(outcomes).map(([kind, count]) => `${count} ${kind}`);
		print(
			`${name}: ${runs} runs, ${(bytes / 2 ** 20).toFixed(1)} MiB; ${counts.join(', ')}; ` +
				`slowest ${slowest?.msPerBlock} ms for each 64 kB (${slowest?.bytes} bytes)`,
		);
		if (failure !== undefined) {
			const { file } = watched;
			throw new Error(`${failure}\nThe input is in ${file}; FUZZ_SEED=${seed} finds it again.`);
		}
		expect(Object.keys(outcomes).sort()).toEqual([...target.expected].sort());
	},
);
