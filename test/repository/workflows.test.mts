/** The workflows of .github: what they run, and the rules that keep them safe. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { gate, gateInN8n, night, nightInN8n } from '../../dev/check/steps.mts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	env?: Record<string, string>;
	'timeout-minutes'?: number;
	permissions?: Record<string, string>;
	services?: Record<string, { image: string }>;
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: Record<string, string>;
	concurrency?: { group: string; 'cancel-in-progress': boolean | string };
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';
const texts = new Map(
	readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
);
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	scripts: Record<string, string>;
	engines: { node: string };
};

/** Triggers that run with the repository's secrets on the code of a fork. */
const UNSAFE_TRIGGERS = ['pull_request_target', 'workflow_run'];

const PINNED = /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const textOf = (file: string): string => {
	const text = texts.get(file);
	if (text === undefined) throw new Error(`There is no ${file}`);
	return text;
};

const stepsOf = (text: string): Step[] =>
	Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps);

const scriptsOf = (text: string): string[] =>
	[...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test)\b)/g)].map(
		([, script, test]) => script ?? test ?? '',
	);

/** The scripts that a workflow runs, in order. */
const runBy = (file: string): string[] =>
	stepsOf(textOf(file)).flatMap(({ run = '' }) => scriptsOf(run));

/** The broken rules of a workflow. */
function problems(text: string): string[] {
	const { on, permissions, concurrency, jobs } = parse(text) as Workflow;
	const found: string[] = [];
	const check = (isKept: boolean, rule: string): void => {
		if (!isKept) found.push(rule);
	};
	const unsafe = UNSAFE_TRIGGERS.filter((trigger) => trigger in on);
	check(unsafe.length === 0, `${unsafe.join()} runs foreign code with secrets`);
	check(JSON.stringify(permissions) === '{"contents":"read"}', 'it may do more than read');
	check(concurrency !== undefined, 'its runs may overlap');
	for (const [, used = ''] of text.matchAll(/\buses: (.*)/g)) {
		check(PINNED.test(used), `${used} is not pinned to a commit`);
	}
	for (const [name, job] of Object.entries(jobs)) {
		const minutes = job['timeout-minutes'] ?? Infinity;
		check(minutes > 0 && minutes <= 90, `${name} has no time limit`);
		const granted = Object.entries(job.permissions ?? {}).map((entry) => entry.join(': '));
		const isPublishing = job.steps.some(({ run }) => run?.startsWith('npm publish'));
		check(
			granted.join() === (isPublishing ? 'id-token: write' : ''),
			`${name} has the permissions ${granted.join()}`,
		);
		for (const [service, { image }] of Object.entries(job.services ?? {})) {
			check(/:\d+(\.\d+)+$/.test(image), `${service} has no version`);
		}
	}
	for (const { uses = '', run = '', with: inputs } of stepsOf(text)) {
		const keepsToken = inputs?.['persist-credentials'] !== false;
		check(!uses.startsWith('actions/checkout@') || !keepsToken, 'checkout keeps its token');
		// GitHub inserts the value into the script, where a branch's name can become a command.
		check(!run.includes('${{'), `"${run}" contains an expression`);
		for (const script of scriptsOf(run)) check(script in scripts, `there is no ${script}`);
	}
	return found;
}

it.each([...texts])('%s keeps the rules', (_, text) => {
	expect(stepsOf(text).length).toBeGreaterThan(0);
	expect(problems(text)).toEqual([]);
});

it('one action has the same version everywhere', () => {
	const used = [...texts.values()].flatMap((text) => text.match(/\buses: .*/g) ?? []);
	const actions = new Set(used.map((line) => line.split('@')[0]));
	expect(actions.size).toBeGreaterThan(2);
	expect(new Set(used).size).toBe(actions.size);
});

describe('a broken rule is found:', () => {
	const ci = textOf('ci.yml');

	it.each<[string, string, RegExp | string, string]>([
		['a tag of an action', ci, /@[0-9a-f]{40} # v/, '@v'],
		['a commit without its version', ci, / # v7\.0\.1/, ''],
		['no time limit', ci, / {4}timeout-minutes: .*\n/, ''],
		['a permission', ci, 'contents: read', 'contents: write'],
		['a permission of a job', ci, '  oldest:\n', '  oldest:\n    permissions: { issues: write }\n'],
		['no permissions', ci, 'permissions:\n  contents: read\n', ''],
		['overlapping runs', ci, /\nconcurrency:\n(?: .*\n)+/, '\n'],
		['a token that stays', ci, 'persist-credentials: false', 'fetch-depth: 1'],
		['an expression in a command', ci, 'npm run demo', 'echo ${{ github.head_ref }}'],
		['an unknown script', ci, 'npm run demo', 'npm run dmeo'],
		['an unsafe trigger', ci, '  pull_request:', '  pull_request_target:'],
		['a service without a version', textOf('nightly.yml'), /redis:[\d.]+/, 'redis:latest'],
		[
			'a publishing job that may write',
			textOf('publish.yml'),
			'id-token: write',
			'contents: write',
		],
	])('%s', (_, text, from, to) => {
		const broken = text.replace(from, to);
		expect(broken).not.toBe(text);
		expect(problems(broken)).toHaveLength(1);
	});
});

describe('what runs', () => {
	const triggers = (file: string): Record<string, unknown> => (parse(textOf(file)) as Workflow).on;

	it('on every push: the gate, and the tests on the oldest Node.js', () => {
		expect(triggers('ci.yml')).toEqual({ push: { branches: ['**'] }, pull_request: null });
		expect(runBy('ci.yml')).toEqual(expect.arrayContaining(['check', 'test', 'demo']));
		const { check } = (parse(textOf('ci.yml')) as Workflow).jobs;
		expect(Object.keys(check?.services ?? {})).toEqual(['postgres', 'redis']);
		const [, oldest = ''] = /node-version: '(\d+\.\d+)'/.exec(textOf('ci.yml')) ?? [];
		expect(engines.node).toBe(`>=${oldest}`);
	});

	it('every night: everything', () => {
		expect(triggers('nightly.yml')).toHaveProperty('schedule');
		expect(runBy('nightly.yml')).toEqual(['check:all']);
	});

	it('every week: the newest n8n', () => {
		expect(triggers('weekly.yml')).toHaveProperty('schedule');
		expect(runBy('weekly.yml')).toEqual(['test:latest']);
	});

	it('.ci/run: the gate', () => {
		expect(scriptsOf(readFileSync('.ci/run', 'utf8'))).toContain('check');
	});

	it('every suite runs in the gate or at night', () => {
		const commands = [...gate, ...gateInN8n, ...night, ...nightInN8n].map(({ command }) => command);
		const suites = Object.keys(scripts).filter((name) => name.startsWith('test:'));
		const elsewhere = ['test:latest', 'test:mutation'];
		expect(suites.filter((name) => !commands.some((one) => one.includes(name)))).toEqual(elsewhere);
	});

	it('on the tag of a version: the checks of a release, then its tarball is published', () => {
		expect(triggers('publish.yml')).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
		expect(runBy('publish.yml').slice(0, 2)).toEqual(['release:check', 'test']);
		expect(textOf('publish.yml')).toContain(
			'--tag "$GITHUB_REF_NAME" --repository "$GITHUB_REPOSITORY"',
		);
		const { concurrency, jobs } = parse(textOf('publish.yml')) as Workflow;
		expect(concurrency?.['cancel-in-progress']).toBe(false);
		const { publish } = jobs;
		expect(publish).toMatchObject({ needs: 'check', environment: 'npm' });
		// The only job that may publish runs no code of this repository.
		expect(publish?.steps.flatMap(({ run = [] }) => run)).toEqual([
			'npm publish ./*.tgz --provenance --access public',
		]);
		expect(publish?.steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
	});
});
