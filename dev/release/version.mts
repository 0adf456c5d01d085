/** What a version needs before it can be published: the same number everywhere, and an entry in the changelog. */

/** What the checks compare. */
export interface Release {
	/** The version in package.json. */
	readonly version: string;
	/** The version in package-lock.json. */
	readonly lockedVersion: string;
	/** The address of the repository in package.json. */
	readonly repository: string;
	/** The repository whose workflow publishes, as owner/name; undefined outside of a workflow. */
	readonly workflowRepository?: string | undefined;
	/** The text of CHANGELOG.md. */
	readonly changelog: string;
	/** The tag that is to be published; undefined on a dry run before there is one. */
	readonly tag?: string | undefined;
}

const VERSION = /^\d+\.\d+\.\d+$/;
const DATED = /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/;

/**
 * Returns what is wrong with a version; an empty list if it can be published.
 *
 * Without a tag, the newest entry of the changelog may still be `## Unreleased`.
 */
export function versionProblems({
	version,
	lockedVersion,
	repository,
	workflowRepository,
	changelog,
	tag,
}: Release): string[] {
	const problems: string[] = [];
	if (!VERSION.test(version)) {
		problems.push(`package.json: ${version} is not a version such as 1.2.3`);
	}
	if (lockedVersion !== version) {
		problems.push(`package-lock.json has version ${lockedVersion}, package.json ${version}`);
	}
	if (workflowRepository !== undefined && !repository.endsWith(`/${workflowRepository}.git`)) {
		problems.push(
			`package.json names ${repository}, but this is ${workflowRepository}: npm would refuse the provenance`,
		);
	}
	if (tag !== undefined && tag !== `v${version}`) {
		problems.push(`The tag is ${tag}, but package.json has version ${version}`);
	}
	return [...problems, ...changelogProblems(changelog, version, tag !== undefined)];
}

function changelogProblems(changelog: string, version: string, isFinal: boolean): string[] {
	const [, heading = '', text = ''] = /^## (.*)\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
	const problems: string[] = [];
	if (text.trim() === '') problems.push(`"${heading}" has no text`);
	if (heading === 'Unreleased') {
		if (isFinal)
			problems.push(`"Unreleased" must become "${version} - " and the day of the release`);
		return problems.map((problem) => `CHANGELOG.md: ${problem}`);
	}
	const [, named, day = ''] = DATED.exec(heading) ?? [];
	if (named === undefined || Number.isNaN(Date.parse(day))) {
		problems.push(`"${heading}" is not a heading such as 1.2.3 - 2026-11-30`);
	} else if (named !== version) {
		problems.push(`the newest entry is "${heading}" instead of ${version} or Unreleased`);
	}
	return problems.map((problem) => `CHANGELOG.md: ${problem}`);
}
