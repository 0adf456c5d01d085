/** What the published tarball may hold, and what it must. */

/** The fields of package.json that name published files. */
export interface Manifest {
	readonly n8n: { readonly nodes: readonly string[]; readonly credentials: readonly string[] };
}

const OUTSIDE_DIST = ['LICENSE.md', 'README.md', 'package.json'];

const IN_DIST = [
	/^dist\/payroll\.js$/,
	/^dist\/(nodes|credentials)\/[\w/.]+\.js$/,
	/^dist\/nodes\/(\w+)\/\1\.node\.json$/,
	/^dist\/nodes\/\w+\/__schema__\/v1\.0\.0\/\w+\/\w+\.json$/,
	/^dist\/icons\/[\w-]+(\.dark)?\.svg$/,
	/^dist\/THIRD-PARTY-NOTICES\.txt$/,
];

/** Compiled tests and programs, which are of a kind that may ship. */
const DEVELOPMENT = /[/.](tests?|docs|dev)[/.]/;

/**
 * Returns what is wrong with the files of a tarball: files that must not ship, and files that n8n or a user needs and
 * that are missing.
 */
export function contentProblems(files: readonly string[], { n8n }: Manifest): string[] {
	const needed = [
		...OUTSIDE_DIST,
		'dist/THIRD-PARTY-NOTICES.txt',
		...n8n.credentials,
		...n8n.nodes.flatMap((file) => [file, file.replace(/\.js$/, '.json')]),
	];
	return [
		...files.filter((file) => !mayShip(file)).map((file) => `${file} must not be published`),
		...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
	];
}

function mayShip(file: string): boolean {
	if (OUTSIDE_DIST.includes(file)) return true;
	return IN_DIST.some((kind) => kind.test(file)) && !DEVELOPMENT.test(file);
}
