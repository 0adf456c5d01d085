/**
 * `npm run bench [-- <part> …]`: measures all parts or the given ones, prints their tables, and
 * replaces their figures in bench/results.json and docs/dev/benchmark.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parts } from './parts/index.mts';
import { goalsText, resultText, type Result } from './report.mts';
import { PAGE, readResults, withFigures, writeResults } from './results.mts';

function chosen(names: readonly string[]): typeof parts {
	const unknown = names.filter((name) => !parts.some((part) => part.name === name));
	if (unknown.length > 0) {
		const known = parts.map(({ name }) => name).join(', ');
		throw new Error(`Unknown part ${unknown.join(', ')}: expected any of ${known}`);
	}
	return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

const machine = `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
const kept = new Map((await readResults()).map((result) => [result.name, result]));
for (const { measure, ...part } of chosen(process.argv.slice(2))) {
	process.stderr.write(`${part.title} …\n`);
	const date = new Date().toISOString();
	const result: Result = { ...part, date, machine, ...(await measure()) };
	process.stdout.write(`\n${resultText(result)}\n\n${goalsText([result])}\n\n`);
	kept.set(part.name, result);
	await writeResults(parts.flatMap(({ name }) => kept.get(name) ?? []));
	// The stored figures are rounded.
	await writeFile(PAGE, withFigures(await readFile(PAGE, 'utf8'), await readResults()));
}
