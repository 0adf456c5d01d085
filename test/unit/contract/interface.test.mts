import { type Field, type Fields, rowElement } from '../../../nodes/shared/contract/fields.ts';
import {
	hourCodesGet,
	identityServer,
	paging,
	soapOperations,
} from '../../../nodes/shared/contract/operations.ts';
import { type Operation, subjectOf } from '../../../nodes/shared/contract/operation.ts';
import { rowsOf } from '../../support/markdown.mts';
import { readFileSync } from 'node:fs';

const HEADING = /^#{2,3} (\d+(?:\.\d+)?)\.? .*$/m;

/** The text before the first numbered heading, then numbers and texts alternately. */
const [, ...parts] = readFileSync('docs/dev/interface.md', 'utf8').split(HEADING);

/**
 * Returns the text between a section's heading and the next numbered heading.
 *
 * @throws {Error} if the page has no such section
 */
function section(number: string): string {
	const at = parts.findIndex((part, index) => index % 2 === 0 && part === number);
	const text = parts[at + 1];
	if (at < 0 || text === undefined)
		throw new Error(`docs/dev/interface.md has no section ${number}`);
	return text;
}

/** The fields of a resource by docs/dev/interface.md, section 2: `Id int, Type (HomeAddress|…)`. */
function fieldsOf(text: string): string {
	return rowsOf(text)
		.map(([name, type, notes = '']) =>
			type === 'enumeration' ? `${name} (${notes.split(/, | or /).join('|')})` : `${name} ${type}`,
		)
		.join(', ');
}

/** The page's resources by type; the heading of a resource is one word. */
const resourcesOnPage = Object.fromEntries(
	[...section('2').matchAll(/^### (\w+)\n([^#]*)/gm)].map(([, type = '', text = '']) => [
		type,
		fieldsOf(text),
	]),
);

function typeName(field: Field): string {
	if (field.kind === 'record') return field.type;
	if (field.kind === 'list') return `repeated ${rowElement(field)}`;
	if (field.kind === 'country') return 'string';
	return field.kind === 'enumeration' ? `(${field.values.join('|')})` : field.kind;
}

const table = (fields: Fields) =>
	Object.entries(fields)
		.map(([name, field]) => `${name} ${typeName(field)}`)
		.join(', ');

const operations: readonly Operation[] = soapOperations;

/** Every record inside these fields, nested ones included, by its type's name. */
function records(fields: Fields): Array<readonly [string, Fields]> {
	return Object.values(fields).flatMap((field) => {
		const record = field.kind === 'list' ? field.of : field;
		if (record.kind !== 'record') return [];
		return [[record.type, record.fields] as const, ...records(record.fields)];
	});
}

describe('the contract matches docs/dev/interface.md:', () => {
	it('resources (section 2), field by field, in order', () => {
		const used = operations.flatMap(({ request, response }) =>
			records({ ...request.fields, ...response.fields }),
		);
		for (const [type, fields] of used)
			expect([type, table(fields)]).toEqual([type, resourcesOnPage[type]]);
		expect([...new Set(used.map(([type]) => type))].sort()).toEqual(
			Object.keys(resourcesOnPage).sort(),
		);
	});

	it('SOAP operations (section 4.3): effect, request elements in order, and responses', () => {
		expect(
			operations.map(({ service, name, effect, request, response }) => [
				service,
				name,
				effect,
				table(request.fields),
				table(response.fields).replace(' ', ': ') || 'Empty',
			]),
		).toEqual(
			rowsOf(section('4.3')).map(([service, name, purpose = '', request, response]) => [
				service,
				name,
				purpose.startsWith('Reads ') ? 'read' : 'write',
				request,
				response,
			]),
		);
	});

	it.each(operations)('$name is about the first element of its request', (operation) => {
		const [[subject = '', { isKey }] = ['', { isKey: false }]] = Object.entries<Field>(
			operation.request.fields,
		);
		expect([subject, isKey]).toEqual([subjectOf(operation.request.fields), true]);
	});

	it('the REST call (section 4.2)', () => {
		const { method, path, pathParameters } = hourCodesGet;
		const [[onPage, pathOnPage = '', query] = []] = rowsOf(section('4.2'));
		expect([method, path]).toEqual([onPage, pathOnPage]);
		expect(Object.keys(pathParameters).map((name) => `{${name}}`)).toEqual(
			pathOnPage.match(/\{\w+\}/g),
		);
		expect(`${paging.pageNumber} (integer), ${paging.pageSize} (integer)`).toBe(query);
	});

	it('the endpoints of the identity server that are used (section 4.1)', () => {
		const endpoints = rowsOf(section('4.1')).map(([method, path]) => `${method} ${path}`);
		expect(endpoints).toEqual(
			expect.arrayContaining([
				`GET ${identityServer.consent}`,
				`POST ${identityServer.token}`,
				`Not specified ${identityServer.revocation}`,
			]),
		);
	});

	it('scopes (section 5.4)', () => {
		const scopes = [...section('5.4').matchAll(/^- `(.+)`$/gm)].map(([, scope]) => scope);
		expect(identityServer.scopes).toEqual(scopes);
	});
});
