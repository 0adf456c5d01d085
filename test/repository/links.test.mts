/** Every link of a page leads to a file, and to a heading in it; every test that a page names exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const FOLDERS = ['.', 'docs', 'docs/dev', 'test', 'dev/n8n'];
const pages = FOLDERS.flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);
const tests = new Set(
	readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => basename(name)),
);

/** A page without its blocks of code. */
const textOf = (page: string): string =>
	readFileSync(page, 'utf8').replace(/^ *```[^]*?^ *```$/gm, '');

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
	const headings = textOf(page).matchAll(/^#+ (.+)$/gm);
	const slug = (heading: string): string =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-');
	return new Set([...headings].map(([, heading = '']) => slug(heading)));
}

/** What is wrong with a link of a page; `undefined` if it leads somewhere. */
function broken(page: string, link: string): string | undefined {
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? page : normalize(join(dirname(page), path));
	if (!existsSync(target)) return `${link}: there is no ${target}`;
	if (anchor === undefined || anchorsOf(target).has(anchor)) return undefined;
	return `${link}: there is no such heading`;
}

/** The links of a page to files of the repository, those of its pictures among them. */
const linksOf = (page: string): string[] =>
	[...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, link = '']) => link)
		.filter((link) => !/^[a-z]+:/.test(link));

it.each(pages)('%s', (page) => {
	expect(linksOf(page).flatMap((link) => broken(page, link) ?? [])).toEqual([]);
	const named = [...textOf(page).matchAll(/([\w-]+\.test\.mts)/g)].map(([, name = '']) => name);
	expect(named.filter((name) => !tests.has(name))).toEqual([]);
});

it('a link to a missing file or heading is found', () => {
	expect(broken('docs/errors.md', '../missing.md')).toBe('../missing.md: there is no missing.md');
	expect(broken('docs/errors.md', 'batches.md#nowhere')).toContain('no such heading');
	expect(broken('docs/errors.md', 'batches.md#retries')).toBeUndefined();
	expect(linksOf('docs/batches.md')).toContain('dry-run.png');
});
