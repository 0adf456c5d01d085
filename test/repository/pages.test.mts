/** The versions that the pages name are those of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { n8nVersions } from '../../dev/n8n/install.mts';

const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	version: string;
	engines: { node: string };
};
const read = (page: string): string => readFileSync(page, 'utf8');
const users = readdirSync('docs')
	.filter((name) => name.endsWith('.md'))
	.map((name) => `docs/${name}`);

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
