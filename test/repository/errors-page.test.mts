/** docs/errors.md and docs/dev/error-texts.md have the texts of the catalogue, and the code uses each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { resources as companies } from '../../nodes/PayrollCompany/actions.ts';
import { resources as employees } from '../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/actions.ts';
import * as catalogue from '../../nodes/shared/errors/catalogue.ts';
import * as outcomes from '../../nodes/shared/errors/outcomes.ts';

const { errorsParts } = createRequire(import.meta.url)('../../dev/pages/errors.cjs') as {
	errorsParts: (read: (name: string) => unknown) => Record<string, Record<string, string>>;
};
const pages = errorsParts((name) => (name === 'outcomes' ? outcomes : catalogue));

it.each(Object.entries(pages))('%s is current (npm run readme writes it)', (name, parts) => {
	const page = readFileSync(name, 'utf8');
	const marked = (part: string) => page.split(new RegExp(`<!-- ${part}:(?:start|end) -->`))[1];
	const written = Object.keys(parts).map((part) => [part, marked(part)?.trim()]);
	expect(Object.fromEntries(written)).toEqual(parts);
});

it('the pages have every text', () => {
	const plain = (text: string) =>
		text
			.replaceAll('\\_', '_')
			.replace(/(?:\{\w+\})+/g, '…')
			.replace(/^… /, '');
	const written = plain(Object.values(pages).flatMap(Object.values).join('\n'));
	const given = Object.values(catalogue.texts).flatMap((entries) =>
		Object.values(entries).flatMap((entry: string | { title: string; advice?: string }) =>
			typeof entry === 'string' ? [entry] : [entry.title, entry.advice ?? ''],
		),
	);
	const templates = ['{fault}', '{failure}', '{value}'];
	const missing = given.filter(
		(text) => !templates.includes(text) && !written.includes(plain(text)),
	);
	expect(missing).toEqual([]);
});

const names = Object.entries(catalogue.texts).flatMap(([section, entries]) =>
	Object.keys(entries).map((key) => `texts.${section}.${key}`),
);

it('the code uses every text', () => {
	const files = readdirSync('nodes/shared', { recursive: true, encoding: 'utf8' });
	const code = files
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(`nodes/shared/${file}`, 'utf8'));
	const used = new Set(code.join('\n').match(/\btexts\.\w+\.\w+/g));
	expect(names.filter((name) => !used.has(name))).toEqual([]);
});

const all = JSON.stringify(catalogue.texts);

it('only the advice for reads suggests to run the call again', () => {
	expect(all.match(/[^".]*\brun\b[^".]*\bagain\b[^".]*/gi)).toEqual(['Run it again later']);
});

it('a name in quotes is a label of the credential or of a form', () => {
	const labelsOf = ({ displayName, modes = [], options = [] }: INodeProperties): string[] => [
		displayName,
		...modes.map((mode) => mode.displayName),
		...options.flatMap((option) => ('displayName' in option ? [option.displayName] : [])),
	];
	const actions = [companies, employees, hourCodes].flatMap((resources) =>
		Object.values(resources).flatMap(({ operations }) => Object.values(operations)),
	);
	const properties = actions.flatMap((action) => action.properties);
	const labels = [...new PayrollOAuth2Api().properties, ...properties].flatMap(labelsOf);
	const quoted = [...all.matchAll(/(?<!\w)'([A-Z][^'\n]*)'/g)].map(([, name]) => name);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((name) => !labels.includes(name ?? ''))).toEqual([]);
});
