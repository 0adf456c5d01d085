/** docs/errors.md has all errors, as the functions that make them give them. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { resources as companies } from '../../nodes/PayrollCompany/actions.ts';
import { resources as employees } from '../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/actions.ts';
import * as answerErrors from '../../nodes/shared/errors/answerErrors.ts';
import * as setupErrors from '../../nodes/shared/errors/setupErrors.ts';
import * as InputError from '../../nodes/shared/errors/InputError.ts';
import * as requestErrors from '../../nodes/shared/errors/requestErrors.ts';
import * as ServiceError from '../../nodes/shared/errors/ServiceError.ts';

type Source = Readonly<Record<string, unknown>>;

const { errorsParts } = createRequire(import.meta.url)('../../dev/pages/errors.cjs') as {
	errorsParts: (read: (name: string) => Source) => Record<string, Record<string, string>>;
};

const folder = 'nodes/shared/errors';
const sources: Readonly<Record<string, Source>> = {
	...{ answerErrors, requestErrors, setupErrors },
	...{ InputError, ServiceError },
};
const makers = Object.entries(sources).flatMap(([file, source]) =>
	/Errors$/.test(file)
		? Object.keys(source).filter((name) => typeof source[name] === 'function')
		: [],
);

/** A source that notes which of its functions are called. */
const called = new Set<string>();
const noting = (source: Source): Source =>
	new Proxy(source, {
		get(target, name: string) {
			called.add(name);
			return target[name];
		},
	});
const pages = errorsParts((name) => noting(sources[name] ?? {}));

it.each(Object.entries(pages))('%s is current (npm run readme writes it)', (name, parts) => {
	const page = readFileSync(name, 'utf8');
	const marked = (part: string) => page.split(new RegExp(`<!-- ${part}:(?:start|end) -->`))[1];
	const written = Object.keys(parts).map((part) => [part, marked(part)?.trim()]);
	expect(Object.fromEntries(written)).toEqual(parts);
});

it('the page has every error', () => {
	const files = readdirSync(folder).filter((name) => name.endsWith('Errors.ts'));
	expect(Object.keys(sources)).toEqual(
		expect.arrayContaining(files.map((name) => name.slice(0, -3))),
	);
	expect(makers.length).toBeGreaterThan(40);
	expect(makers.filter((name) => !called.has(name))).toEqual([]);
});

const codeOf = /'([A-Z\d]{3,}(?:_[A-Z\d]+)*)'/g;
const page = readFileSync('docs/errors.md', 'utf8');

it('the page has the code of each error', () => {
	const sourceOf = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
	const codes = readdirSync(folder).flatMap((file) =>
		[...sourceOf(file).matchAll(codeOf)].map(([, code]) => code ?? ''),
	);
	expect(codes.length).toBeGreaterThan(40);
	expect(codes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
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
	const errors = Object.values(pages).flatMap(Object.values).join('\n');
	expect(errors.match(/\brun it again\b/gi)).toBeNull();
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
	const quoted = [...literals.matchAll(/(?<![\w'"`])'([A-Z][^'\n$]*)'/g)].map(([, name]) => name);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((name) => !labels.includes(name ?? ''))).toEqual([]);
});
