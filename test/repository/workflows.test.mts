/** The workflows of .github: what runs when, and how a version is published. `npm run lint` checks their syntax. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';
import { gate, gateInN8n, night, nightInN8n } from '../../dev/check/steps.mts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

interface Job {
	needs?: string | string[];
	permissions?: Record<string, string>;
	outputs?: Record<string, string>;
	steps: Step[];
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';
const COMPOSE = 'dev/n8n/docker-compose.yml';
const files = readdirSync(FOLDER);
const read = (file: string): string => readFileSync(file, 'utf8');
const workflow = (file: string) => parse(read(`${FOLDER}/${file}`)) as Workflow;
const jobsOf = (file: string): Job[] => Object.values(workflow(file).jobs);
const runs = ({ steps }: Job): string[] => steps.flatMap(({ run }) => run?.trim() ?? []);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

it.each([
	['ci.yml', 'npm run check'],
	['nightly.yml', 'npm run check:all'],
	['weekly.yml', 'npm run test:latest'],
	['weekly.yml', 'npm run advisories'],
	['publish.yml', 'npm run release:check'],
])('%s runs "%s"', (file, command) => {
	const commands = jobsOf(file).flatMap(runs);
	expect(commands.filter((one) => one === command || one.startsWith(`${command} `))).toHaveLength(
		1,
	);
});

it('every suite runs in the gate or at night', () => {
	const commands = [...gate, ...gateInN8n, ...night, ...nightInN8n].map(({ command }) => command);
	const suites = Object.keys(scripts).filter((name) => name.startsWith('test:'));
	const elsewhere = ['test:latest', 'test:mutation'];
	expect(suites.filter((name) => !commands.some((one) => one.includes(name)))).toEqual(elsewhere);
});

it.each(files)('%s only reads, and runs actions of a known commit', (file) => {
	const { permissions } = workflow(file);
	expect(permissions).toEqual({ contents: 'read' });
	for (const [, used] of read(`${FOLDER}/${file}`).matchAll(/\buses: (.*)/g)) {
		expect(used).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	}
	const granted = jobsOf(file).flatMap((job) => (job.permissions ? [job.permissions] : []));
	expect(granted).toEqual(file === 'publish.yml' ? [{ 'id-token': 'write' }] : []);
});

it.each(files)('%s puts no text from outside into a command', (file) => {
	for (const command of jobsOf(file).flatMap(runs)) expect(command).not.toContain('${{');
});

describe('a version', () => {
	const { jobs } = workflow('publish.yml');
	const { pack, check, publish } = jobs as Record<'pack' | 'check' | 'publish', Job>;
	const using = ({ steps }: Job, action: string): Step[] =>
		steps.filter(({ uses }) => uses?.startsWith(`actions/${action}@`));

	it('is packed and uploaded before a test or a tool of the tests runs', () => {
		expect(Object.keys(jobs)).toEqual(['pack', 'check', 'publish']);
		expect(pack).not.toHaveProperty('needs');
		const commands = runs(pack).flatMap((lines) => lines.split('\n'));
		expect(commands.map((command) => command.split(' ').slice(0, 3).join(' '))).toEqual([
			'npm ci --ignore-scripts',
			'npm run build',
			'mkdir release',
			'npm pack --ignore-scripts',
			expect.stringContaining('echo "sha256=$(sha256sum'),
		]);
		expect(pack.steps.at(-1)).toBe(using(pack, 'upload-artifact')[0]);
		for (const job of [check, publish]) expect(using(job, 'upload-artifact')).toEqual([]);
		// A cache would bring what another run wrote.
		for (const { steps } of Object.values(jobs)) {
			for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@'))) {
				expect(step.with).toMatchObject({ 'package-manager-cache': false });
				expect(step.with).not.toHaveProperty('cache');
			}
		}
	});

	it('is tested as it was uploaded', () => {
		expect(check.needs).toBe('pack');
		expect(runs(check).find((command) => command.includes('release:check'))).toMatch(
			/ --tarball release\/\*\.tgz$/,
		);
		expect(runs(check)).toContain('npm test');
	});

	it('is published as it was uploaded, once it is tested, by a job that runs no code of this repository', () => {
		expect(publish).toMatchObject({ needs: ['pack', 'check'], environment: 'npm' });
		expect(runs(publish)).toEqual([
			'sha256sum --check --strict <<< "$SHA256  $(echo *.tgz)"',
			// The first version has a token, all others none.
			expect.stringMatching(/^\[ -z "\$NPM_TOKEN" \] \|\| npm config set /),
			'npm publish ./*.tgz --provenance --access public --ignore-scripts',
		]);
		expect(using(publish, 'checkout')).toEqual([]);
	});

	it('is known to the jobs by the number and the digest of its upload', () => {
		const { outputs = {} } = pack;
		expect(outputs).toEqual({
			artifact: '${{ steps.upload.outputs.artifact-id }}',
			sha256: '${{ steps.pack.outputs.sha256 }}',
		});
		for (const job of [check, publish]) {
			const [download, ...more] = using(job, 'download-artifact');
			expect(download?.with?.['artifact-ids']).toBe('${{ needs.pack.outputs.artifact }}');
			expect(download?.with).not.toHaveProperty('name');
			expect(more).toEqual([]);
		}
		const compare = publish.steps.find(({ run }) => run?.includes('sha256sum'));
		expect(compare?.env).toEqual({ SHA256: '${{ needs.pack.outputs.sha256 }}' });
	});
});

describe('what is downloaded', () => {
	const tracked = (...patterns: string[]): string[] =>
		String(execFileSync('git', ['ls-files', ...patterns]))
			.trim()
			.split('\n');
	const { updates } = parse(read('.github/dependabot.yml')) as {
		updates: Array<{
			'package-ecosystem': string;
			directory?: string;
			directories?: string[];
			groups: object;
		}>;
	};
	const watched = (ecosystem: string): string[] =>
		updates
			.filter((update) => update['package-ecosystem'] === ecosystem)
			.flatMap(({ directory, directories = [] }) => [directory ?? [], directories].flat());
	const folders = (paths: string[]): string[] =>
		paths.map((file) => `/${dirname(file)}`.replace('/.', '/'));

	it('images are known by their digests', () => {
		const { services } = parse(read(COMPOSE)) as { services: Record<string, { image: string }> };
		for (const { image } of Object.values(services)) {
			expect(image).toMatch(/^[\w/-]+:\d+\.[\d.]+@sha256:[0-9a-f]{64}$/);
		}
		for (const job of files.flatMap(jobsOf)) {
			expect(job).not.toHaveProperty('services');
			expect(job).not.toHaveProperty('container');
		}
		for (const file of tracked('*.md', 'dev/*.mts', '.github')) {
			expect(read(file)).not.toMatch(/\bdocker (?:run|pull)\b|^\s*image:|docker:\/\//m);
		}
	});

	it('newer versions are proposed, in groups, for every lock file, image and action', () => {
		const locks = folders(tracked('package-lock.json', '*/package-lock.json'));
		expect(watched('npm').sort()).toEqual(locks.sort());
		expect(watched('docker-compose')).toEqual(folders(tracked('*docker-compose.yml')));
		expect(watched('github-actions')).toEqual(['/']);
		for (const { groups } of updates) expect(groups).not.toEqual({});
	});
});
