/** The package as a user installs it: packed by npm, and installed by npm into n8n's folder for community nodes. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './cache.mts';

/**
 * Packs the built checkout into a folder; gives the tarball.
 *
 * @throws Error when the checkout is not built
 */
export async function packTarball(folder: string): Promise<string> {
	if (!existsSync(join(process.cwd(), 'dist', 'nodes'))) {
		throw new Error('Not built: npm run build');
	}
	mkdirSync(folder, { recursive: true });
	await npm(['pack', process.cwd()], folder);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack made no tarball');
	return join(folder, tarball);
}

/**
 * Installs a tarball into a user folder of n8n, as n8n's guide to installing community nodes by hand says.
 * Nothing is downloaded: the package has no dependencies, and n8n itself offers n8n-workflow.
 */
export async function installTarball(userFolder: string, tarball: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	const manifest = join(nodes, 'package.json');
	// As n8n writes it at its first start.
	if (!existsSync(manifest)) {
		writeFileSync(manifest, '{"name":"installed-nodes","private":true,"dependencies":{}}\n');
	}
	await npm(['install', tarball], nodes);
}
