/** `npm run release:check` refuses a version that is not ready. */
import { versionProblems, type Release } from '../../../dev/release/version.mts';

const entries = `
## 0.2.0 - 2026-11-30

- Something new.

## 0.1.0 - 2026-11-22

- First version.
`;
const unreleased = entries.replace('0.2.0 - 2026-11-30', 'Unreleased');

const repository = 'git+https://github.com/owner/name.git';
const ready: Release = {
	version: '0.2.0',
	lockedVersion: '0.2.0',
	repository,
	workflowRepository: 'owner/name',
	changelog: `# Changelog\n${entries}`,
	tag: 'v0.2.0',
	npmVersion: '11.5.1',
};

it.each<[string, Partial<Release>]>([
	['its tag', {}],
	['no tag', { tag: undefined }],
	['no tag, and an unreleased entry', { tag: undefined, changelog: unreleased }],
	['no tag, and a first entry', { tag: undefined, changelog: '## Unreleased\n\n- First.\n' }],
	[
		'no tag, as a prerelease',
		{ tag: undefined, version: '0.2.0-rc.0', lockedVersion: '0.2.0-rc.0', changelog: unreleased },
	],
	['no tag, with an old npm', { tag: undefined, npmVersion: '10.8.2' }],
	['no workflow', { workflowRepository: undefined }],
	['an npm with more digits', { npmVersion: '11.19.1' }],
])('accepts a version with %s', (_, changes) => {
	expect(versionProblems({ ...ready, ...changes })).toEqual([]);
});

const changelog = (from: string, to: string): Partial<Release> => ({
	changelog: ready.changelog.replace(from, to),
});

it.each<[string, Partial<Release>, RegExp]>([
	['that is no version', { version: 'v0.2', lockedVersion: 'v0.2', tag: 'vv0.2' }, /v0\.2 is not/],
	['of another lock file', { lockedVersion: '0.1.0' }, /package-lock\.json has version 0\.1\.0/],
	['with another tag', { tag: 'v0.2.1' }, /tag is v0\.2\.1/],
	['whose tag has no v', { tag: '0.2.0' }, /tag is 0\.2\.0/],
	['published by an old npm', { npmVersion: '11.4.9' }, /npm 11\.4\.9 cannot/],
	['of another repository', { workflowRepository: 'fork/name' }, /but this is fork\/name/],
	['of a part of a name', { workflowRepository: 'ner/name' }, /but this is ner\/name/],
	['that is still unreleased', { changelog: unreleased }, /"Unreleased" must become "0\.2\.0 - /],
	[
		'without an entry',
		changelog('## 0.2.0 - 2026-11-30\n\n- Something new.\n', ''),
		/0\.1\.0.*inst/,
	],
	['without any entry', { changelog: '# Changelog\n' }, /newest entry is "" instead of 0\.2\.0/],
	['whose entry has no text', changelog('- Something new.\n', ''), /"0\.2\.0 - .*has no text/],
	['without a day', changelog(' - 2026-11-30', ''), /"0\.2\.0" is not a heading/],
	['with a day that does not exist', changelog('11-30', '02-30'), /2026-02-30" is not a heading/],
	['older than the one before', changelog('## 0.1.0', '## 0.10.0'), /0\.10\.0.*must stand above/],
	['before the day of the one before', changelog('11-22', '12-01'), /12-01" must stand above/],
])('refuses a version %s', (_, changes, problem) => {
	expect(versionProblems({ ...ready, ...changes }).join('\n')).toMatch(problem);
});

it('refuses a tag of a prerelease', () => {
	const version = '0.2.0-rc.0';
	const problems = versionProblems({
		...ready,
		version,
		lockedVersion: version,
		tag: `v${version}`,
	});
	expect(problems[0]).toMatch(/0\.2\.0-rc\.0 is not a version/);
});

it('refuses an unreleased version that is not newer', () => {
	const old = { version: '0.1.0', lockedVersion: '0.1.0', tag: undefined, changelog: unreleased };
	expect(versionProblems({ ...ready, ...old })).toEqual([
		'CHANGELOG.md: 0.1.0 is not newer than "0.1.0 - 2026-11-22"',
	]);
});
