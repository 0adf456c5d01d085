/** test/README.md lists the environment variables that the sources read, with their defaults. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '../support/markdown.mts';

/** Variables of the shell, npm and proxies, and the one that `.ci/run` passes to itself. */
const FOREIGN = /^(?:NO_PROXY|PATH|no_proxy|npm_\w+|report)$/;

/** A variable that is read, not set or deleted, with the text or number that replaces it if it is not set. */
const READ =
	/(?<!delete )process\.env\.(\w+)\b(?!\s*=[^=])(?:\s*(?:\?\?|\|\|)\s*(?:'([^']*)'|([\d_]+)))?/g;
/** Variables that are read by a computed name or by destructuring. */
const HIDDEN = /process\.env\[|\}\s*=\s*process\.env\b/;

const read = (text: string) =>
	[...text.matchAll(READ)].map(([, name = '', words, number]) => ({
		name,
		byDefault: words ?? number?.replaceAll('_', ''),
	}));

const inFolders = ['.ci', 'bench', 'dev', 'test'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !/\.(?:json|md|xsd)$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name)),
);
const inRoot = readdirSync('.').filter((name) => /\.[cm]?js$/.test(name));
const sources = [...inFolders, ...inRoot].map((file) => ({
	file,
	text: readFileSync(file, 'utf8'),
}));
const used = sources.flatMap(({ text }) => read(text)).filter(({ name }) => !FOREIGN.test(name));

const [, section = ''] = readFileSync('test/README.md', 'utf8').split('## Environment variables');
const listed = rowsOf(section.split('\n## ')[0] ?? '');

it('the table has the variables that the sources read, in alphabetical order', () => {
	const names = [...new Set(used.map(({ name }) => name))].sort();
	expect(listed.map(([name]) => name)).toEqual(names);
});

it.each(used.filter(({ byDefault = '' }) => byDefault !== ''))(
	'$name is $byDefault by default',
	({ name, byDefault }) => {
		expect(listed.find(([variable]) => variable === name)?.[2]).toBe(byDefault);
	},
);

it('only what n8n inherits is read by a computed name', () => {
	const hidden = sources.filter(({ text }) => HIDDEN.test(text)).map(({ file }) => file);
	expect(hidden).toEqual(['dev/n8n/environment.mts']);
});

it('a variable is found with its default', () => {
	const environment = ['process', 'env'].join('.');
	expect(
		read(`Number(${environment}.A ?? 1_000) + ${environment}.B || 'x' + ${environment}.C`),
	).toEqual([
		{ name: 'A', byDefault: '1000' },
		{ name: 'B', byDefault: 'x' },
		{ name: 'C', byDefault: undefined },
	]);
	expect(read(`delete ${environment}.A; ${environment}.B = 'x';`)).toEqual([]);
	expect(`const { A } = ${environment};`).toMatch(HIDDEN);
	expect(`${environment}[name]`).toMatch(HIDDEN);
});
