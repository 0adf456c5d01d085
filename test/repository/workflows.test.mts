/** The workflows of .github: what runs when, and how a version is published. `npm run lint` checks their syntax. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { gate, gateInN8n, night, nightInN8n } from '../../dev/check/steps.mts';

interface Job {
	permissions?: Record<string, string>;
	steps: Array<{ uses?: string; run?: string }>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(FOLDER);
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const jobsOf = (file: string) => (parse(read(file)) as { jobs: Record<string, Job> }).jobs;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	scripts: Record<string, string>;
};

it.each([
	['ci.yml', 'npm run check'],
	['nightly.yml', 'npm run check:all'],
	['weekly.yml', 'npm run test:latest'],
	['publish.yml', 'npm run release:check'],
])('%s runs "%s"', (file, command) => {
	expect(read(file)).toMatch(new RegExp(`run: (?:>-\\s+)?${command}\\b`));
});

it('every suite runs in the gate or at night', () => {
	const commands = [...gate, ...gateInN8n, ...night, ...nightInN8n].map(({ command }) => command);
	const suites = Object.keys(scripts).filter((name) => name.startsWith('test:'));
	const elsewhere = ['test:latest', 'test:mutation'];
	expect(suites.filter((name) => !commands.some((one) => one.includes(name)))).toEqual(elsewhere);
});

it.each(files)('%s only reads, and runs actions of a known commit', (file) => {
	expect(read(file)).toContain('\npermissions:\n  contents: read\n');
	for (const [, used] of read(file).matchAll(/\buses: (.*)/g)) {
		expect(used).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	}
	const granted = Object.values(jobsOf(file)).flatMap(({ permissions }) =>
		permissions === undefined ? [] : [permissions],
	);
	expect(granted).toEqual(file === 'publish.yml' ? [{ 'id-token': 'write' }] : []);
});

it('a version is published with provenance, by a job that runs no code of this repository', () => {
	const { publish } = jobsOf('publish.yml');
	expect(publish).toMatchObject({ needs: 'check', environment: 'npm' });
	expect(publish?.steps.flatMap(({ run = [] }) => run)).toEqual([
		'npm publish ./*.tgz --provenance --access public',
	]);
	expect(publish?.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
});
