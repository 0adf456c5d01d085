/** docs/errors.md has all errors, and their words name what the forms have. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { resources as companies } from '../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { resources as employees } from '../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import * as InputError from '../../nodes/shared/values/InputError.ts';
import * as ServiceError from '../../nodes/shared/errors/ServiceError.ts';
import * as catalog from '../../nodes/shared/messages/catalog.ts';

type Source = Readonly<Record<string, unknown>>;

const { errorsParts } = createRequire(import.meta.url)('../../dev/pages/errors.cjs') as {
	errorsParts: (read: (name: string) => Source) => Record<string, Record<string, string>>;
};

const sources: Readonly<Record<string, Source>> = {
	'errors/ServiceError': ServiceError,
	'messages/catalog': catalog,
	'values/InputError': InputError,
};
const pages = errorsParts((name) => sources[name] ?? {});

it.each(Object.entries(pages))('%s is current (npm run readme writes it)', (name, parts) => {
	const page = readFileSync(name, 'utf8');
	const marked = (part: string) => page.split(new RegExp(`<!-- ${part}:(?:start|end) -->`))[1];
	const written = Object.keys(parts).map((part) => [part, marked(part)?.trim()]);
	expect(Object.fromEntries(written)).toEqual(parts);
});

it('at most 45 codes, each with one outcome', () => {
	const failures = Object.entries(ServiceError.traitsOf);
	const codes = failures.map(([failure, { outcome }]) => `${failure.split('/')[0]} ${outcome}`);
	const ofService = new Set(codes.map((text) => text.split(' ')[0]));
	expect(new Set(codes).size).toBe(ofService.size);
	const ofValues = Object.keys(InputError.problemCodes);
	expect(ofService.size + ofValues.length).toBeLessThanOrEqual(45);
});

/** The literals of the sources, where builders read them. */
const files = readdirSync('nodes/shared', { recursive: true, encoding: 'utf8' });
const literals = files
	.filter((file) => file.endsWith('.ts'))
	.flatMap((file) => {
		const code = readFileSync(`nodes/shared/${file}`, 'utf8').replace(
			/^\s*(?:\*|\/\/|\/\*\*).*$/gm,
			'',
		);
		return code.match(/"[^"\n]*"|`[^`]*`/g) ?? [];
	})
	.join('\n');

it('only the advice for reads suggests to run the call again', () => {
	const words = readFileSync('nodes/shared/messages/catalog.ts', 'utf8');
	expect(words.match(/\brun it again\b/gi)).toBeNull();
});

it('a name in quotes is a label of the credential or of a form', () => {
	const labelsOf = ({ displayName, modes = [], options = [] }: INodeProperties): string[] => [
		displayName,
		...modes.map((mode) => mode.displayName),
		...options.flatMap((option) =>
			'displayName' in option ? [option.displayName] : [option.name],
		),
		...options.flatMap((option) => ('values' in option ? option.values.flatMap(labelsOf) : [])),
	];
	const actions = [companies, employees, hourCodes].flatMap((resources) =>
		Object.values(resources).flatMap(({ operations }) => Object.values(operations)),
	);
	const properties = actions.flatMap((action) => action.properties);
	const own = [...new PayrollOAuth2Api().properties, ...properties].flatMap(labelsOf);
	// The buttons and the banner of n8n's credential window.
	const ofHost = [
		'Account connected',
		'Connect',
		'Connect my account',
		'Reconnect',
		'Switch account',
	];
	const labels = [...own, ...actions.map(({ name }) => name), ...ofHost];
	const quoted = [...literals.matchAll(/(?<![\w'"`])'([A-Z][^'\n$_]*)'/g)].map(([, name]) => name);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((name) => !labels.includes(name ?? ''))).toEqual([]);
});
