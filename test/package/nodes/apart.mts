/** Nodes in a process of its own, which reads its proxy and certificate authorities from the environment at its start. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Task } from './run-apart.mts';

/** Runs nodes one after the other in a process that trusts these certificates; returns what came of each. */
export async function runApart(
	tasks: readonly Task[],
	certificates: readonly string[],
	env: NodeJS.ProcessEnv = {},
): Promise<Array<Record<string, unknown>>> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-payroll-'));
	const authorities = join(folder, 'ca.pem');
	await writeFile(authorities, certificates.join('\n'));
	const trusts = certificates.length > 0 && { NODE_EXTRA_CA_CERTS: authorities };
	const script = join(process.cwd(), 'test/package/nodes/run-apart.mts');
	const args = ['--import', 'tsx', script, JSON.stringify(tasks)];
	const own = { env: { PATH: process.env.PATH, ...env, ...trusts } };
	try {
		const { stdout } = await promisify(execFile)(process.execPath, args, own);
		return JSON.parse(stdout) as Array<Record<string, unknown>>;
	} finally {
		await rm(folder, { recursive: true });
	}
}
