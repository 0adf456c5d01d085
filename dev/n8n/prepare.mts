/** Installs the versions of n8n given as arguments, or all of them. */
import { installN8n, n8nVersions } from './install.mts';

async function main(): Promise<void> {
	const given = process.argv.slice(2);
	const wanted = n8nVersions.filter((version) => given.length === 0 || given.includes(version));
	// Side by side: each is mostly one download and one compiler after the other.
	const installations = wanted.map(async (version) => {
		const { folder, runtime } = await installN8n(version);
		console.log(`n8n ${version}, Node.js ${runtime.version}: ${folder}`);
	});
	const failed = (await Promise.allSettled(installations)).find(
		({ status }) => status === 'rejected',
	);
	if (failed?.status === 'rejected') throw failed.reason;
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
