/** Imports of the sources go down the layers of docs/dev/architecture.md, and never in a circle. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** The layers from the lowest to the highest; folders of one layer do not import each other. */
const LAYERS: ReadonlyArray<readonly string[]> = [
	['nodes/shared/errors'],
	['nodes/shared/contract'],
	['nodes/shared/host'],
	['nodes/shared/values'],
	['nodes/shared/credential'],
	['nodes/shared/http'],
	['nodes/shared/session'],
	['nodes/shared/exchange'],
	['nodes/shared/soap', 'nodes/shared/rest'],
	['nodes/shared/soap/wsdl'],
	['nodes/shared/form'],
	['nodes/shared/form/mapping'],
	['nodes/shared/messages'],
	['nodes/shared/run'],
	['nodes/shared/actions'],
	['nodes/shared/actions/builtIn'],
	[
		'nodes/shared/actions/addresses',
		'nodes/shared/actions/connection',
		'nodes/shared/actions/costCenters',
		'nodes/shared/actions/otherOperation',
	],
	['nodes/PayrollCompany', 'nodes/PayrollEmployee', 'nodes/PayrollHourCodes', 'credentials'],
];

/** An import of one source by another; both by their paths, without an extension. */
interface Import {
	readonly from: string;
	readonly to: string;
	readonly isType: boolean;
}

function importsOf(file: string, text: string): Import[] {
	const from = file.replace(/\.ts$/, '');
	const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
	return statements.flatMap((statement): Import[] => {
		const isImport = ts.isImportDeclaration(statement);
		if (!isImport && !ts.isExportDeclaration(statement)) return [];
		const { moduleSpecifier } = statement;
		if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
		if (!moduleSpecifier.text.startsWith('.')) return [];
		const to = normalize(join(dirname(file), moduleSpecifier.text));
		const clause = isImport ? statement.importClause : undefined;
		return [{ from, to, isType: clause?.isTypeOnly ?? false }];
	});
}

function layerOf(source: string): number {
	return LAYERS.findIndex((folders) => folders.includes(dirname(source)));
}

/** The imports that lead to a higher layer, or to another folder of the same one. */
function upward(imports: readonly Import[]): string[] {
	return imports
		.filter(({ from, to }) => dirname(from) !== dirname(to) && layerOf(to) >= layerOf(from))
		.map(({ from, to }) => `${from} imports ${to}`);
}

/** Circles of imports, each as the path from a source back to itself. */
function cycles(imports: readonly Import[]): string[] {
	const finished = new Set<string>();
	const found: string[] = [];
	const visit = (source: string, way: readonly string[]): void => {
		if (way.includes(source)) {
			found.push([...way.slice(way.indexOf(source)), source].join(' → '));
			return;
		}
		if (finished.has(source)) return;
		for (const { from, to } of imports) if (from === source) visit(to, [...way, source]);
		finished.add(source);
	};
	for (const { from } of imports) visit(from, []);
	return found;
}

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);
const imports = sources.flatMap((file) => importsOf(file, readFileSync(file, 'utf8')));

it('every folder of sources is in a layer', () => {
	const folders = new Set(sources.map((file) => dirname(file)));
	expect([...folders].sort()).toEqual(LAYERS.flat().sort());
});

it('every import goes down', () => {
	expect(upward(imports)).toEqual([]);
});

it('no sources import each other in a circle', () => {
	expect(cycles(imports)).toEqual([]);
});

it('run imports only types from the contract', () => {
	const values = imports.filter(
		({ from, to, isType }) =>
			dirname(from) === 'nodes/shared/run' && dirname(to) === 'nodes/shared/contract' && !isType,
	);
	expect(values).toEqual([]);
});

it('only the room host assumes something of a version of n8n', () => {
	const assuming = sources.filter(
		(file) =>
			dirname(file) !== 'nodes/shared/host' &&
			/\bn8n \(?[12]\b|\b1\.123\b|\b2\.41\b/.test(readFileSync(file, 'utf8')),
	);
	expect(assuming).toEqual([]);
});
