/** What the advisories of `npm audit` mean for this package. */

/** An advisory, as `npm audit --json` states it. */
export interface Advisory {
	/** The package that the advisory is about. */
	readonly name: string;
	readonly title: string;
	readonly url: string;
	readonly severity: string;
	/** The versions that it is about. */
	readonly range: string;
	readonly cwe?: readonly string[];
}

/** The report of `npm audit --json`. */
export interface AuditReport {
	/** A package for each entry; `via` has its own advisories, and the names of others that it depends on. */
	readonly vulnerabilities?: Readonly<
		Record<
			string,
			{ readonly via: ReadonlyArray<Advisory | string>; readonly nodes: readonly string[] }
		>
	>;
	/** What went wrong, instead of a report. */
	readonly message?: string;
}

/** Embedded malicious code: the kind of weakness of a package that was taken over or made for an attack. */
const MALICIOUS = 'CWE-506';

/**
 * Separates the advisories that need action from those that are information.
 *
 * An advisory needs action if it is about a package that is bundled into what ships, whatever its severity, or about
 * malicious code in any locked package: that code runs where versions are built. All others are about what developers
 * run on their own machines.
 *
 * @param report the report about one lock file
 * @param bundled the folders of the bundled packages, such as `node_modules/fast-xml-parser`
 * @throws Error when the report holds none, since no advisory was then looked up
 */
export function sortAdvisories(
	{ vulnerabilities, message }: AuditReport,
	bundled: ReadonlySet<string>,
): { urgent: Advisory[]; others: Advisory[] } {
	if (vulnerabilities === undefined) {
		throw new Error(`npm audit found out nothing: ${message ?? 'it made no report'}`);
	}
	const urgent: Advisory[] = [];
	const others: Advisory[] = [];
	for (const { via, nodes } of Object.values(vulnerabilities)) {
		const ships = nodes.some((node) => bundled.has(node));
		for (const advisory of via) {
			if (typeof advisory === 'string') continue;
			const isUrgent = ships || advisory.cwe?.includes(MALICIOUS) === true;
			(isUrgent ? urgent : others).push(advisory);
		}
	}
	return { urgent, others };
}

/** The folders of the packages that a bundle holds, from the comments that name its files. */
export function bundledFolders(bundle: string): Set<string> {
	const marks = bundle.matchAll(/^\/\/ ((?:node_modules\/(?:@[^/\n]+\/)?[^/\n]+\/)+)/gm);
	return new Set([...marks].map(([, folder = '']) => folder.slice(0, -1)));
}
