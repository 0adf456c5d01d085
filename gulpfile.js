// The build: `gulp` (or `npm run build`) turns credentials/, nodes/ and icons/ into dist/, the
// published package. `gulp dist` does so only if it has to.
const { createHash } = require('node:crypto');
const { execFile } = require('node:child_process');
const { cp, mkdir, readFile, readdir, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, join, relative } = require('node:path');
const { promisify } = require('node:util');
const { build: bundle } = require('esbuild');
const { parallel, series } = require('gulp');
const ts = require('typescript');
const { n8n, repository } = require('./package.json');

const BUNDLE = 'dist/payroll.js';
const MODULES = '.build/modules';
/** Of the XML library: it reads no numbers and decodes no entities here (soap/xml), so this code is never called. */
const UNUSED = ['@nodable/entities', 'is-unsafe', 'strnum'];
const UNUSED_CODE = 'dev/build/unused.cjs';
/** Of both libraries: a document type is refused before the XML library reads it (soap/xml), and no JSON is written. */
const UNUSED_FILES = /\/(?:DocTypeReader\.js|stringify\.mjs)$/;
const withoutUnused = {
	name: 'unused',
	setup: ({ onLoad }) => onLoad({ filter: UNUSED_FILES }, () => ({ contents: 'export default class {}\nexport const stringify = undefined;\n' })),
};
const STAMP = '.build/dist.sha256';
const SCHEMA_VERSION = 'v1.0.0';
const nodeFolders = n8n.nodes.map((file) => dirname(file));

const clean = () => rm('dist', { recursive: true, force: true });

/** Type-checks, and compiles each source to a module: the build and the benchmark read those. */
async function compile() {
	await rm(MODULES, { recursive: true, force: true });
	const tsc = require.resolve('typescript/bin/tsc');
	await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', MODULES]).catch((error) => {
		throw new Error(`TypeScript found errors:\n${error.stdout}${error.stderr}`);
	});
}

/**
 * Bundles the sources, so that all nodes share one copy of them, and the XML library, since n8n allows
 * no runtime dependency. The files that n8n loads take their classes from the bundle.
 */
async function bundlePackage() {
	const entries = [...n8n.nodes, ...n8n.credentials].map((file) => [file, basename(file).split('.')[0]]);
	const contents = entries.map(([file, name]) => `export { ${name} } from '${file.replace(/^dist(.*)\.js$/, '.$1')}';`);
	const { metafile, outputFiles: [{ text }] } = await bundle({
		stdin: { contents: contents.join('\n'), resolveDir: '.', sourcefile: 'package.ts', loader: 'ts' },
		write: false,
		bundle: true,
		alias: Object.fromEntries(UNUSED.map((name) => [name, `./${UNUSED_CODE}`])),
		external: ['n8n-workflow'],
		plugins: [withoutUnused],
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		legalComments: 'none',
		// A copy of the checkout may link to the packages of another (dev/guide): the bundle names them all the same.
		preserveSymlinks: true,
		minifySyntax: true,
		metafile: true,
		logLevel: 'warning',
	});
	const [{ inputs }] = Object.values(metafile.outputs);
	const foreign = Object.keys(inputs).filter((file) => /(?:^|\/)node_modules\//.test(file) && inputs[file].bytesInOutput > 0);
	await mkdir('dist');
	await writeFile(BUNDLE, withoutComments(text));
	await writeFile('dist/THIRD-PARTY-NOTICES.txt', await notices(foreign));
	for (const [file, name] of entries) {
		await mkdir(dirname(file), { recursive: true });
		const path = relative(dirname(file), BUNDLE).replace(/\.js$/, '');
		await writeFile(file, `'use strict';\nexports.${name} = require('${path}').${name};\n`);
	}
}

/** Removes a bundle's comments, a fifth of its size, except those that name the bundled files. */
function withoutComments(bundled) {
	const compilerOptions = { removeComments: true, target: ts.ScriptTarget.ES2022 };
	const parts = bundled.split(/^(\/\/ (?:credentials|nodes|node_modules)\/.*\n)/m);
	return parts.map((part, i) => (i % 2 === 1 ? part : ts.transpileModule(part, { compilerOptions }).outputText)).join('');
}

/** Returns the names and licences of the packages that own the given files of node_modules. */
async function notices(files) {
	const folders = new Set(files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)[0]));
	const texts = [...folders].sort().map(async (folder) => {
		const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
		if (license !== 'MIT') throw new Error(`${name} is under the licence ${license}`);
		const licence = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
		// If a package names its licence without the text, use our own licence text with its author.
		const text = licence
			? await readFile(join(folder, licence), 'utf8')
			: (await readFile('LICENSE.md', 'utf8')).replace(/^# /, '').replace(/Copyright .*/, `Copyright (c) ${author}`);
		return `${name} ${version}\n\n${text.trim()}\n`;
	});
	const intro = 'This package contains the following software, bundled into it.\n';
	return [intro, ...(await Promise.all(texts))].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Fails if a published file imports anything but its own modules, n8n-workflow, which n8n provides,
 * and node:crypto, which n8n allows.
 */
async function checkImports() {
	for (const file of await filesOf('dist', '.js')) {
		const { importedFiles } = ts.preProcessFile(await readFile(file, 'utf8'), true, true);
		const foreign = importedFiles.find(({ fileName }) => !/^(\.\.?\/|n8n-workflow$|node:crypto$)/.test(fileName));
		if (foreign) throw new Error(`${file} requires "${foreign.fileName}", which n8n does not provide`);
	}
}

/** Indents with tabs, as the sources are: that is a fiftieth of the tarball. No text begins a line with spaces. */
async function indentWithTabs() {
	for (const file of await filesOf('dist', '.js')) {
		const code = await readFile(file, 'utf8');
		await writeFile(file, code.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)));
	}
}

/** Writes the codex files, with the addresses of the pages: of a node, its section of the page about operations. */
async function codexFiles() {
	const pages = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`;
	const credentialDocumentation = [{ url: `${pages}/docs/credentials.md` }];
	for (const file of n8n.nodes.map((node) => node.replace(/\.js$/, '.json'))) {
		const codex = JSON.parse(await readFile(file.replace(/^dist\//, ''), 'utf8'));
		const section = basename(dirname(file)).replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
		const primaryDocumentation = [{ url: `${pages}/docs/operations.md#${section}` }];
		const resources = { primaryDocumentation, credentialDocumentation };
		await writeFile(file, `${JSON.stringify({ ...codex, resources }, null, '\t')}\n`);
	}
}

const copyIcons = () => cp('icons', 'dist/icons', { recursive: true });

/**
 * Writes the output schemas where n8n expects them. The editor shows them before a node has run.
 */
async function schemas() {
	for (const folder of nodeFolders) {
		for (const [resource, { operations }] of Object.entries(resourcesOf(folder))) {
			for (const [operation, action] of Object.entries(operations)) {
				const file = join(folder, '__schema__', SCHEMA_VERSION, resource, `${operation}.json`);
				await mkdir(dirname(file), { recursive: true });
				await writeFile(file, `${JSON.stringify(action.outputSchema(), null, '\t')}\n`);
			}
		}
	}
}

/**
 * Writes the operations into README.md and docs/operations.md, from the actions that define the
 * forms.
 */
async function writeOperations() {
	const { operationsTable, operationsPages } = require('./dev/pages/operations.cjs');
	const resources = Object.fromEntries(nodeFolders.map((folder) => [folder.split('/').pop(), resourcesOf(folder)]));
	await writeMarked('README.md', 'operations', operationsTable(resources));
	await writeMarked('docs/operations.md', 'operations', operationsPages(resources));
}

/** Writes the codes of errors, and what is known of a write after each, into the page about errors. */
async function writeErrors() {
	const { errorsParts } = require('./dev/pages/errors.cjs');
	const pages = errorsParts((name) => require(`./${MODULES}/nodes/shared/${name}.js`));
	for (const [page, parts] of Object.entries(pages)) {
		for (const [name, text] of Object.entries(parts)) await writeMarked(page, name, text);
	}
}

async function writeMarked(file, name, text) {
	const marked = new RegExp(`(<!-- ${name}:start -->)[^]*(<!-- ${name}:end -->)`);
	const before = await readFile(file, 'utf8');
	if (!marked.test(before)) throw new Error(`${file} has no <!-- ${name}:start --> and <!-- ${name}:end -->`);
	await writeFile(file, before.replace(marked, (_, start, end) => `${start}\n\n${text}\n\n${end}`));
}

const resourcesOf = (folder) => require(`./${folder.replace(/^dist/, MODULES)}/${basename(folder)}.node.js`).resources;

async function filesOf(folder, extension) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && entry.name.endsWith(extension))
		.map(({ parentPath, name }) => join(parentPath, name));
}

/** Hashes everything that the build reads, and what it wrote. */
async function fingerprint() {
	const inputs = ['gulpfile.js', 'tsconfig.json', 'package.json', 'package-lock.json', 'LICENSE.md'];
	const folders = ['credentials', 'nodes', 'icons', 'dist', MODULES].map((folder) => filesOf(folder, ''));
	const hash = createHash('sha256');
	for (const file of [...inputs, ...(await Promise.all(folders)).flat().sort()]) {
		hash.update(`${file}\0`).update(await readFile(file));
	}
	return hash.digest('hex');
}

async function stamp() {
	await mkdir(dirname(STAMP), { recursive: true });
	await writeFile(STAMP, await fingerprint());
}

const build = series(
	clean,
	compile,
	bundlePackage,
	parallel(codexFiles, copyIcons, indentWithTabs),
	parallel(checkImports, schemas),
	stamp,
);

/** Builds, unless dist/ is what the last build made of these very sources. */
async function dist() {
	const isCurrent = await fingerprint()
		.then(async (now) => now === (await readFile(STAMP, 'utf8')))
		.catch(() => false);
	if (!isCurrent) await promisify(build)();
}

module.exports = { default: build, build, clean, dist, schemas, readme: series(dist, parallel(writeOperations, writeErrors)) };
