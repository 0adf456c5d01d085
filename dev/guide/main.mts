/**
 * `npm run guide`: follows "Add an operation" of CONTRIBUTING.md in a copy of this checkout, block by block, and runs the
 * commands that it names.
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
		'nodes/PayrollEmployee/PayrollEmployee.node.ts',
		/^\t\t\tcreate: writeAction\([^]*?^\t\t\t\),\n/m,
		[/^import \{\n(?=\taddressGetListCurrent,)/m, '\taddressDelete,\n'],
	],
	[
		'dev/sandbox/schemas/EmployeeService.xsd',
		/^\t<s:element name="Address_InsertResponse">\n[^]*?^\t<\/s:element>\n/m,
	],
	['dev/sandbox/operations.mts', /^\tAddress_Insert: \{\n[^]*?^\t\},\n/m],
	['dev/package/calls.mts', /^\t\{\n\t\tname: 'Address_Insert',\n[^]*?^\t\},\n/m],
	['dev/pages/operations.cjs', /^\t'Payroll Employee Address: Create': \{\n[^]*?^\t\},\n/m],
];

/** A block of code of the guide: commands in `sh`, or what goes into a file. */
interface Block {
	readonly language: string;
	readonly text: string;
}

copyCheckout();
const blocks = blocksOf(readFileSync('CONTRIBUTING.md', 'utf8'));
const isCommands = ({ language }: Block): boolean => language === 'sh';
const inserted = blocks.filter((block) => !isCommands(block));
if (inserted.length !== places.length) {
	throw new Error(
		`The guide has ${inserted.length} blocks of code, and ${places.length} places for them`,
	);
}
places.forEach(([file, behind, ...more], index) => {
	insert(file, [[behind, inserted[index]?.text ?? ''], ...more]);
});
for (const command of blocks.filter(isCommands).flatMap(({ text }) => text.trim().split('\n'))) {
	console.log(`\n${command}`);
	const { status } = spawnSync(command, { cwd: COPY, stdio: 'inherit', shell: true });
	if (status !== 0) {
		console.error(`The guide fails at: ${command}`);
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
	for (const args of [
		['init', '--quiet'],
		['add', '--all'],
	]) {
		execFileSync('git', args, { cwd: COPY });
	}
	symlinkSync(join(process.cwd(), 'node_modules'), join(COPY, 'node_modules'));
}

/** The blocks of code of the guide, without the indentation of its list. */
function blocksOf(page: string): Block[] {
	const [, guide = ''] = /^## Add an operation[^\n]*\n([^]*?)\n## /m.exec(page) ?? [];
	const found = guide.matchAll(/^ {3}```(\w+)\n([^]*?)^ {3}```$/gm);
	return [...found].map(([, language = '', text = '']) => ({
		language,
		text: text.replace(/^ {3}/gm, ''),
	}));
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
