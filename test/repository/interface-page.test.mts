/** Citations of docs/dev/interface.md have one form, and name sections and rules that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { section } from '../support/interface-page.mts';

const FOLDERS = ['nodes', 'credentials', 'dev', 'test', 'bench', 'docs'];
const TEXT = /\.(?:[cm]?[jt]s|md|xsd)$/;

/** The page's name with the path before it, and enough of what follows to hold a citation. */
const MENTION = /[\w./]*interface\.md.{0,60}/g;
/** `docs/dev/interface.md, sections 4.1 and 5`, `docs/dev/interface.md, section 4.3, rules 2 to 5`, or the page alone. */
const CITATION =
	/^docs\/dev\/interface\.md(?:, sections? ([\d.]+\d|\d)(?: and ([\d.]+\d|\d))?(?:, rules? (\d)(?: (?:to|and) (\d))?)?|(?!,? ?(?:sections?\b|\d)))/;

/** The mentions in a file, whether wrapped in a comment, in code or the text of a link. */
function mentionsIn(file: string): string[] {
	const text = readFileSync(file, 'utf8')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll('`', '')
		.replace(/\s*\n\s*(?:\* |\/\/ )?/g, ' ');
	return text.match(MENTION) ?? [];
}

const files = FOLDERS.flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const citing = [...files, 'README.md', 'CONTRIBUTING.md'].filter(
	(file) => TEXT.test(file) && mentionsIn(file).length > 0,
);

it.each(citing)('%s', (file) => {
	for (const mention of mentionsIn(file)) {
		expect(mention).toMatch(CITATION);
		const [, first, last = first, ...rules] = CITATION.exec(mention) ?? [];
		const cited = [first, last].filter((number) => number !== undefined).map(section);
		for (const rule of rules.filter(Boolean)) expect(cited.at(-1)).toContain(`\n${rule}. `);
	}
});
