/** The cost of having the package installed: its size, and the time to load its nodes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { figureOf } from '../measure.mts';
import { goal, type Part } from '../report.mts';

const run = promisify(execFile);

const ROUNDS = 15;

/** What a fresh process reports about loading. */
interface Loaded {
	readonly milliseconds: number;
	readonly modules: number;
	readonly bytes: number;
}

/** n8n loads its own library before any node. */
const LOAD = `
	const { statSync } = require('node:fs');
	const { join } = require('node:path');
	const { n8n } = require('./package.json');
	require('n8n-workflow');
	const start = performance.now();
	for (const file of [...n8n.nodes, ...n8n.credentials]) require(join(process.cwd(), file));
	const milliseconds = performance.now() - start;
	const dist = join(process.cwd(), 'dist');
	const files = Object.keys(require.cache).filter((file) => file.startsWith(dist));
	const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
	console.log(JSON.stringify({ milliseconds, modules: files.length, bytes }));
`;

async function load(): Promise<Loaded> {
	const { stdout } = await run(process.execPath, ['-e', LOAD]);
	return JSON.parse(stdout) as Loaded;
}

interface Packed {
	readonly size: number;
	readonly unpackedSize: number;
	readonly entryCount: number;
}

/** What npm would publish. */
async function pack(): Promise<Packed> {
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
	const [packed] = JSON.parse(stdout) as Packed[];
	if (packed === undefined) throw new Error('npm packed nothing');
	return packed;
}

export const start: Part = {
	name: 'start',
	title: 'Start',
	about:
		'The three nodes and the credential, loaded in a fresh process that already has n8n-workflow, as n8n has.',
	async measure() {
		const packed = await pack();
		const loads: Loaded[] = [];
		for (let round = 0; round < ROUNDS; round += 1) loads.push(await load());
		const time = figureOf(loads.map(({ milliseconds }) => milliseconds));
		const one = (bytes: number) => figureOf([bytes / 1000]);
		const { modules = 0, bytes = 0 } = loads[0] ?? {};
		return {
			tables: [
				{
					title: 'Start',
					columns: ['Time', 'Size', 'Files'],
					rows: [
						{
							name: 'Loaded',
							cells: [
								{ figure: time, unit: 'ms' },
								{ figure: one(bytes), unit: 'kB' },
								{ figure: figureOf([modules]), unit: '' },
							],
						},
						{
							name: 'Tarball',
							cells: [
								'',
								{ figure: one(packed.size), unit: 'kB' },
								{ figure: figureOf([packed.entryCount]), unit: '' },
							],
						},
						{
							name: 'Installed',
							cells: ['', { figure: one(packed.unpackedSize), unit: 'kB' }, ''],
						},
					],
				},
			],
			goals: [
				goal('Start: loading the three nodes', time, 'ms', { atMost: 30 }),
				goal('Start: tarball', one(packed.size), 'kB', { atMost: 140 }),
			],
		};
	},
};
