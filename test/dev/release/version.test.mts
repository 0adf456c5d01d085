/** `npm run release:check` refuses a version that is not ready. */
import { versionProblems, type Release } from '../../../dev/release/version.mts';

const ready: Release = {
	version: '0.2.0',
	lockedVersion: '0.2.0',
	repository: 'git+https://github.com/owner/name.git',
	workflowRepository: 'owner/name',
	changelog: '# Log\n## 0.2.0 - 2026-11-30\n- New.\n## 0.1.0 - 2026-11-22\n- First.\n',
	tag: 'v0.2.0',
};

const changelog = (from: string, to: string): Partial<Release> => ({
	changelog: ready.changelog.replace(from, to),
});
const unreleased = changelog('0.2.0 - 2026-11-30', 'Unreleased');
const versioned = (version: string): Partial<Release> => ({ version, lockedVersion: version });

it.each<[string, Partial<Release>]>([
	['with its tag', {}],
	['without a workflow', { workflowRepository: undefined }],
	['without a tag', { tag: undefined }],
])('a version is accepted %s', (_, changes) => {
	expect(versionProblems({ ...ready, ...changes })).toEqual([]);
});

it.each<[string, Partial<Release>, RegExp]>([
	['that is none', { ...versioned('v0.2'), tag: 'vv0.2' }, /v0\.2 is not/],
	['of another lock file', { lockedVersion: '0.1.0' }, /package-lock\.json has version 0\.1\.0/],
	['with another tag', { tag: '0.2.0' }, /tag is 0\.2\.0/],
	['of another repository', { workflowRepository: 'ner/name' }, /but this is ner\/name/],
	['that is a prerelease', { ...versioned('0.2.0-rc.0'), tag: 'v0.2.0-rc.0' }, /^package/],
	['that is still unreleased', unreleased, /"Unreleased" must become "0\.2\.0 - /],
	['without an entry', changelog('## 0.2.0 - 2026-11-30\n- New.\n', ''), /0\.1\.0.*instead of/],
	['whose entry has no text', changelog('- New.\n', ''), /"0\.2\.0 - .*has no text/],
	['without a day', changelog(' - 2026-11-30', ''), /"0\.2\.0" is not a heading/],
	['with a day that is none', changelog('11-30', '13-30'), /2026-13-30" is not a heading/],
])('a version is refused %s', (_, changes, problem) => {
	expect(versionProblems({ ...ready, ...changes }).join('\n')).toMatch(problem);
});
