/**
 * `npm run bench`: measures every part, or those named; prints their tables, and keeps them in
 * bench/results.json and docs/performance.md, in place of what stood there of these parts.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parts } from './parts/index.mts';
import { goalsText, resultText, type Result } from './report.mts';
import { RESULTS, readResults, withFigures } from './results.mts';

const PAGE = 'docs/performance.md';

function chosen(names: readonly string[]): typeof parts {
	const unknown = names.filter((name) => !parts.some((part) => part.name === name));
	if (unknown.length > 0) {
		const known = parts.map(({ name }) => name).join(', ');
		throw new Error(`Unknown part ${unknown.join(', ')}: expected any of ${known}`);
	}
	return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

const kept = new Map((await readResults()).results.map((result) => [result.name, result]));
for (const { measure, ...part } of chosen(process.argv.slice(2))) {
	process.stderr.write(`${part.title} …\n`);
	const result: Result = { ...part, date: new Date().toISOString(), ...(await measure()) };
	kept.set(part.name, result);
	process.stdout.write(`\n${resultText(result)}\n\n${goalsText([result])}\n\n`);
}

const results = parts.flatMap(({ name }) => kept.get(name) ?? []);
const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
await writeFile(RESULTS, `${JSON.stringify({ machine, results }, null, '\t')}\n`);
await writeFile(PAGE, withFigures(await readFile(PAGE, 'utf8'), { machine, results }));
