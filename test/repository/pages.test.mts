/** The pages are as short as they are meant to be, and the versions that they name are those of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { n8nVersions } from '../../dev/n8n/install.mts';

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	version: string;
	engines: { node: string };
};
const read = (page: string): string => readFileSync(page, 'utf8');
/** The words of a page, without those that are generated: they grow with the operations. */
const words = (page: string): number =>
	read(page)
		.replace(/<!-- (\w+):start -->[^]*?<!-- \1:end -->/g, '')
		.split(/\s+/)
		.filter(Boolean).length;
const users = readdirSync('docs')
	.filter((name) => name.endsWith('.md'))
	.map((name) => `docs/${name}`);

it('the README has at most 700 words, the pages for users 10,000', () => {
	expect(words('README.md')).toBeLessThanOrEqual(700);
	expect(users.length).toBeGreaterThan(7);
	expect(users.reduce((sum, page) => sum + words(page), 0)).toBeLessThanOrEqual(10_000);
});

it('the glossary has twelve words, and the page about errors ten symptoms', () => {
	const [, glossary = ''] = read('docs/operations.md').split('## Glossary\n');
	expect(glossary.split('<!--')[0]?.match(/^- \*\*/gm)).toHaveLength(12);
	const [, symptoms = ''] = read('docs/errors.md').split('## What you see, and what to do\n');
	expect(symptoms.split('\n## ')[0]?.match(/^\| (?!What you see|---)/gm)).toHaveLength(10);
});

const NODE = engines.node.replace('>=', '');

it.each(['README.md', 'CONTRIBUTING.md', 'docs/installation.md'])(
	'%s names the oldest Node.js',
	(page) => {
		expect(read(page).match(/Node\.js \d+\.\d+/g)).toEqual([`Node.js ${NODE}`]);
	},
);

it('the installation names the versions of n8n that are tested, and no others', () => {
	const named = read('docs/installation.md').match(/\b[12]\.\d+\.\d+\b/g);
	expect([...new Set(named)].sort()).toEqual([...n8nVersions].sort());
});

it('the tarball of the commands is that of this version', () => {
	const named = [...users, 'README.md'].flatMap(
		(page) => read(page).match(/n8n-nodes-payroll-\d[\w.-]*?\.tgz/g) ?? [],
	);
	expect(new Set(named)).toEqual(new Set([`n8n-nodes-payroll-${version}.tgz`]));
});
