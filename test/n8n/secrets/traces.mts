/** What a stopped n8n has left behind: its files, its log, and the rows of its database. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { N8n } from '../../../dev/n8n/host.mts';
import { installN8n } from '../../../dev/n8n/install.mts';

/** A row of a table. */
export interface Row {
	readonly table: string;
	readonly row: Readonly<Record<string, unknown>>;
}

/** Folders in n8n's user folder that npm has written. */
const installed = ['package', join('.n8n', 'nodes', 'node_modules')];

/** Every file in n8n's user folder that n8n wrote, including its log, by its path. */
export function filesOf({ userFolder }: N8n): Map<string, Buffer> {
	const entries = readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(userFolder, join(entry.parentPath, entry.name)))
		.filter((name) => !installed.some((folder) => name.startsWith(`${folder}/`)));
	return new Map(entries.map((name) => [name, readFileSync(join(userFolder, name))]));
}

/** Every row of every table of the database. */
export async function rowsOf({ userFolder, version }: N8n): Promise<Row[]> {
	const database = join(userFolder, '.n8n', 'database.sqlite');
	if (!existsSync(database)) throw new Error(`No database: ${database}`);
	const { runtime } = await installN8n(version);
	const program = join(process.cwd(), 'test', 'n8n', 'secrets', 'rows.mjs');
	const { status, stdout, stderr } = spawnSync(runtime.node, ['--no-warnings', program, database], {
		encoding: 'utf8',
		maxBuffer: 1 << 30,
	});
	if (status !== 0) throw new Error(`The rows could not be read: ${stderr}`);
	const lines = stdout.trimEnd().split('\n');
	return lines.map((line) => JSON.parse(line) as Row);
}
