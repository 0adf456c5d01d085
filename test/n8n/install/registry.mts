/** An npm registry on this machine that has nothing but this package, in two versions. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../../../dev/n8n/cache.mts';
import { packTarball } from '../../../dev/n8n/nodes-folder.mts';
import { close, listen } from '../../../dev/listen.mts';

/** A version of the package. */
interface Release {
	readonly manifest: { readonly name: string; readonly version: string };
	readonly tarball: string;
}

/** The name that the later version gives to a node. */
export const RENAMED = 'Payroll Hour Codes (Renamed)';

/** A running registry with the version of this checkout; it also has a later one once that is published. */
export interface Registry {
	readonly url: string;
	/** The version that a plain installation takes. */
	latest(): string;
	/** Publishes the later version; gives it. */
	publishNext(): string;
	/** Stops serving, and deletes the tarballs. */
	stop(): Promise<void>;
}

/** Packs the built checkout, and serves it. */
export async function startRegistry(): Promise<Registry> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-registry-'));
	const first = release(await packTarball(folder), '.');
	const next = await later(folder, first);
	const releases = [first];
	const latest = (): string => releases.at(-1)?.manifest.version ?? '';
	const server = createServer();
	const url = `http://127.0.0.1:${await listen(server)}`;
	const described = ({ manifest, tarball }: Release): object => {
		const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
		const dist = { tarball: `${url}/${basename(tarball)}`, integrity: `sha512-${digest}` };
		return { ...manifest, dist };
	};
	/** What is at a path: the package's description, or the tarball of a version. */
	const contentOf = (path: string): string | Buffer | undefined => {
		const found = releases.find(({ tarball }) => path === `/${basename(tarball)}`);
		if (found) return readFileSync(found.tarball);
		const { name } = next.manifest;
		if (path !== `/${name}`) return undefined;
		const versions = releases.map((each) => [each.manifest.version, described(each)] as const);
		const tags = { latest: latest() };
		return JSON.stringify({ name, 'dist-tags': tags, versions: Object.fromEntries(versions) });
	};
	server.on('request', ({ url: path = '' }, response) => {
		const found = contentOf(path);
		response.writeHead(found ? 200 : 404, { 'Cache-Control': 'no-cache' }).end(found ?? '{}');
	});
	return {
		url,
		latest,
		publishNext() {
			releases.push(next);
			return latest();
		},
		async stop() {
			await close(server);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function release(tarball: string, folder: string): Release {
	const text = readFileSync(join(folder, 'package.json'), 'utf8');
	return { manifest: JSON.parse(text) as Release['manifest'], tarball };
}

/** Makes a later version of a tarball: one of its nodes has another name. */
async function later(folder: string, { manifest, tarball }: Release): Promise<Release> {
	await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
	const contents = join(folder, 'package');
	const [major, minor, patch] = manifest.version.split('.').map(Number);
	const version = [major, minor, (patch ?? 0) + 1].join('.');
	writeFileSync(join(contents, 'package.json'), JSON.stringify({ ...manifest, version }));
	const bundle = join(contents, 'dist', 'payroll.js');
	const code = readFileSync(bundle, 'utf8');
	const renamed = code.replace('displayName: "Payroll Hour Codes"', `displayName: "${RENAMED}"`);
	if (renamed === code) throw new Error(`The name of the node is not found in ${bundle}`);
	writeFileSync(bundle, renamed);
	await npm(['pack', contents], folder);
	return release(join(folder, `${manifest.name}-${version}.tgz`), contents);
}
