/** docs/errors.md lists every text of an error in the sources, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { INodeProperties } from 'n8n-workflow';
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { resources as companies } from '../../nodes/PayrollCompany/actions.ts';
import { resources as employees } from '../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/actions.ts';
import { errorRows, patternOf, quotedTexts } from '../support/error-table.mts';

const SHARED = join(process.cwd(), 'nodes', 'shared');
const FOLDERS = [
	'errors',
	'transport',
	'soap',
	'soap/description',
	'rest',
	'identity',
	'run',
	'actions',
];

/** In the contract, the rules of values: its other texts are descriptions. */
const RULES = [
	'checkValues.ts',
	'codec.ts',
	'facets.ts',
	'numbers.ts',
	'scalars.ts',
	'temporal.ts',
	'untyped.ts',
].map((name) => join('contract', name));

/** Hints are no errors; the table of outcomes has its own test (test/unit/errors/outcomes.test.mts). */
const OTHER_TEXTS = new Set(['hints.ts', 'outcomes.ts']);

/** Log lines, mistakes in the contract and patterns that are not checked are no errors of a user. */
const NOT_ERRORS = new Set(['debug', 'rate', 'SyntaxError', 'TypeError']);

/** How a sentence begins, also after the name of a value; labels and parts of sentences begin otherwise. */
const SENTENCE =
	/^(?:[A-Z][a-z']*|n8n|: expected|of …|may have|were refused|values|was|is|has|contains|contradicts|needs|no current|current records|refers|cannot|does) /;

/** A literal's text on one line, with `…` for what is filled in. */
function textOf(node: ts.Node): string | undefined {
	const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
		return oneLine(node.text);
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(({ literal }) => `…${literal.text}`);
	return oneLine(node.head.text + spans.join(''));
}

function calleeOf(node: ts.Node): string {
	if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return '';
	const { expression } = node;
	return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

function textsIn(file: string, isText: (node: ts.Node) => boolean): string[] {
	const source = readFileSync(file, 'utf8');
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		const isName =
			ts.isPropertyAssignment(node) && ['operation', 'formHint'].includes(node.name.getText());
		if (isName || NOT_ERRORS.has(calleeOf(node))) return;
		const text = isText(node) ? textOf(node) : undefined;
		if (text !== undefined) texts.push(text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
	return texts;
}

/** Single sentences, without the full stop. */
function sentences(text: string): string[] {
	return text
		.split(/(?<=\.)\s+/)
		.map((sentence) =>
			sentence
				.replace(/^(?:…\s*)+(?!:)/, '')
				.replace(/\.?$/, '')
				.trim(),
		)
		.filter((sentence) => sentence.split(/[\s…]+/).filter(Boolean).length > 2);
}

const ofFolders = FOLDERS.flatMap((folder) =>
	readdirSync(join(SHARED, folder))
		.filter((name) => name.endsWith('.ts') && !OTHER_TEXTS.has(name))
		.map((name) => join(SHARED, folder, name)),
);
const files = [...ofFolders, ...RULES.map((name) => join(SHARED, name))];
const advice = textsIn(
	join(SHARED, 'contract', 'operations.ts'),
	({ parent }) =>
		parent !== undefined && ts.isPropertyAssignment(parent) && parent.name.getText() === 'text',
);
/** In the form, only the errors: its other texts are labels and descriptions. */
const ofForm = readdirSync(join(SHARED, 'form')).flatMap((name) =>
	textsIn(join(SHARED, 'form', name), (node) => {
		for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
			if (['invalid', 'faulty', 'InputError'].includes(calleeOf(outer))) return true;
		}
		return false;
	}),
);
const inSources = [...files.flatMap((file) => textsIn(file, () => true)), ...ofForm, ...advice]
	.flatMap(sentences)
	.filter((sentence) => SENTENCE.test(sentence.replace(/^[…\s]+/, '')));
const inPage = [...errorRows().map(({ title }) => title), ...quotedTexts()].flatMap(sentences);

it.each([...new Set(inSources)])('the page has: %s', (sentence) => {
	expect(inPage.filter((text) => patternOf(sentence).test(text))).not.toEqual([]);
});

it.each([...new Set(inPage)])('the sources have: %s', (sentence) => {
	expect(inSources.filter((text) => patternOf(text).test(sentence))).not.toEqual([]);
});

it('only the advice for reads suggests to run the call again', () => {
	const invitations = inSources.filter((sentence) => /\brun\b.*\bagain\b/i.test(sentence));
	expect(invitations).toEqual(['Run it again later']);
});

describe('a name in quotes is a label of the credential or of a form, or a resource:', () => {
	const labelsOf = ({ displayName, modes = [], options = [] }: INodeProperties): string[] => [
		displayName,
		...modes.map((mode) => mode.displayName),
		...options.flatMap((option) => ('displayName' in option ? [option.displayName] : [])),
	];
	const actions = [companies, employees, hourCodes].flatMap((resources) =>
		Object.values(resources).flatMap(({ operations }) => Object.values(operations)),
	);
	const properties = [
		...new PayrollOAuth2Api().properties,
		...actions.flatMap((action) => action.properties),
	];
	const names = [companies, employees, hourCodes].flatMap((resources) =>
		Object.values(resources).map(({ name }) => name),
	);
	const labels = new Set([...properties.flatMap(labelsOf), ...names]);
	const quoted = [...inSources, ...inPage].flatMap((text) =>
		[...text.matchAll(/(["'])([A-Z].*?)\1/g)].map(([, , label = '']) => label),
	);

	it.each([...new Set(quoted)])('%s', (label) => {
		expect(labels).toContain(label);
	});
});
