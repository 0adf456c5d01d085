/**
 * `npm run guide`: follows "Add an operation" of CONTRIBUTING.md in a copy of this checkout, block by block,
 * and runs the tests that the guide promises to pass.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text goes behind what the pattern finds. */
type Insertion = readonly [behind: RegExp, text: string];

const COPY = '.build/guide';

/** Where each block of code goes, in the order of the guide: behind the text that the pattern finds. */
const places: ReadonlyArray<readonly [file: string, behind: RegExp, ...more: Insertion[]]> = [
	['docs/dev/interface.md', /^\| `EmployeeService` \| `Address_Insert` .*\n/m],
	[
		'nodes/shared/contract/operations.ts',
		/^export const addressInsert = [^]*?^\} as const satisfies Operation;\n/m,
		[/^\taddressInsert,\n/m, '\taddressDelete,\n'],
	],
	[
		'nodes/PayrollEmployee/actions.ts',
		/^\t\t\tcreate: createAddress\([^]*?^\t\t\t\}\),\n/m,
		[/^import \{ (?=addressGetListCurrent,)/m, 'addressDelete, '],
		[
			/^import .*builtIn\/soap';\n/m,
			"import { writeAction } from '../shared/actions/builtIn/write';\n",
		],
	],
	[
		'dev/sandbox/schemas/EmployeeService.xsd',
		/^\t<s:element name="Address_InsertResponse">\n[^]*?^\t<\/s:element>\n/m,
	],
	['dev/sandbox/operations.mts', /^\tAddress_Insert: \{\n[^]*?^\t\},\n/m],
	['dev/package/calls.mts', /^\t\{\n\t\tname: 'Address_Insert',\n[^]*?^\t\},\n/m],
];

/** What the guide says to run, without what the other steps of the gate prove of any operation. */
const commands: ReadonlyArray<readonly [program: string, ...args: string[]]> = [
	['gulp', 'readme', '-L'],
	['tsx', 'dev/pages/main.mts'],
	['tsc', '-p', 'dev/tsconfig.json'],
	[
		'jest',
		'test/unit/contract',
		'test/repository',
		'test/package/nodes/(operations|items-page|as-tool|dry-run)',
	],
	['jest', '-c', 'test/dev/jest.config.cjs', 'test/dev/sandbox/(soap|description)'],
];

copyCheckout();
const blocks = blocksOf(readFileSync('CONTRIBUTING.md', 'utf8'));
if (blocks.length !== places.length) {
	throw new Error(
		`The guide has ${blocks.length} blocks of code, and ${places.length} places for them`,
	);
}
places.forEach(([file, behind, ...more], index) => {
	insert(file, [[behind, blocks[index] ?? ''], ...more]);
});
for (const [program, ...args] of commands) {
	console.log(`\n${program} ${args.join(' ')}`);
	if (run(program, args) !== 0) {
		console.error(`The guide fails at: ${program}`);
		process.exit(1);
	}
}
rmSync(COPY, { recursive: true });

/** Copies the files of the repository as they are now; the packages are shared. */
function copyCheckout(): void {
	rmSync(COPY, { recursive: true, force: true });
	const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = String(execFileSync('git', args)).split('\0');
	for (const file of files.filter((name) => name !== '' && existsSync(name))) {
		cpSync(file, join(COPY, file));
	}
	// A repository of its own: tests ask git for its files.
	for (const args of [['init', '--quiet'], ['add', '--all']]) {
		execFileSync('git', args, { cwd: COPY });
	}
	symlinkSync(join(process.cwd(), 'node_modules'), join(COPY, 'node_modules'));
}

/** The blocks of code of the guide, without the indentation of its list. */
function blocksOf(page: string): string[] {
	const [, guide = ''] = /^## Add an operation[^\n]*\n([^]*?)\n## /m.exec(page) ?? [];
	return [...guide.matchAll(/^ {3}```\w+\n([^]*?)^ {3}```$/gm)].map(([, block = '']) =>
		block.replace(/^ {3}/gm, ''),
	);
}

/** Inserts each text into a file of the copy, behind what its pattern finds, and as far to the right. */
function insert(file: string, insertions: readonly Insertion[]): void {
	let text = readFileSync(join(COPY, file), 'utf8');
	for (const [pattern, block] of insertions) {
		const found = pattern.exec(text);
		if (!found) throw new Error(`${file} has nothing like ${pattern}`);
		const [indent = ''] = /^\t*/.exec(found[0]) ?? [];
		const end = found.index + found[0].length;
		const isIndented = /^\t/.test(block);
		const inserted = isIndented ? block : block.replace(/^(?=.)/gm, indent);
		text = `${text.slice(0, end)}${inserted}${text.slice(end)}`;
	}
	writeFileSync(join(COPY, file), text);
}

/** Runs a program of node_modules in the copy; returns its exit code. */
function run(program: string, args: readonly string[]): number | null {
	const options = { cwd: COPY, stdio: 'inherit', shell: process.platform === 'win32' } as const;
	if (program !== 'jest')
		return spawnSync(join('node_modules', '.bin', program), args, options).status;
	const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
	return spawnSync(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...args], options)
		.status;
}
