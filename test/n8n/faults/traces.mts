/** What n8n stores: its files, its log, and the rows of its database. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { installN8n } from '../../../dev/n8n/install.mts';
import type { N8n } from '../../../dev/n8n/host.mts';

/** A row of a table. */
export interface Row {
	readonly table: string;
	readonly row: Readonly<Record<string, unknown>>;
}

/** Folders in n8n's user folder that npm has written. */
const installed = ['package', join('.n8n', 'nodes', 'node_modules')];

/** Every file in n8n's user folder that n8n wrote, including its log, by its path. */
export function* files({ userFolder }: N8n): Iterable<[string, Buffer]> {
	const entries = readdirSync(userFolder, { recursive: true, withFileTypes: true });
	for (const entry of entries) {
		const path = join(entry.parentPath, entry.name);
		const name = relative(userFolder, path);
		const isInstalled = installed.some((folder) => name.startsWith(`${folder}/`));
		if (entry.isFile() && !isInstalled) yield [name, readFileSync(path)];
	}
}

/** Every row of every table of the database; n8n has to be stopped. */
export async function* rows({ userFolder, version }: N8n): AsyncIterable<Row> {
	const database = join(userFolder, '.n8n', 'database.sqlite');
	if (!existsSync(database)) throw new Error(`No database: ${database}`);
	const { runtime } = await installN8n(version);
	const program = join(process.cwd(), 'test', 'n8n', 'faults', 'rows.mjs');
	const child = spawn(runtime.node, ['--no-warnings', program, database], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exited = new Promise<number | null>((done, failed) => {
		child.once('error', failed);
		child.once('exit', done);
	});
	for await (const line of createInterface(child.stdout)) yield JSON.parse(line) as Row;
	const status = await exited;
	if (status !== 0) throw new Error(`The rows could not be read: ${status}`);
}
