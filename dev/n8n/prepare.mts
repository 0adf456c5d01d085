/** Installs the versions of n8n that are tested. */
import { installN8n, n8nVersions } from './install.mts';

async function main(): Promise<void> {
	// Side by side: each is mostly one download and one compiler after the other.
	const installations = n8nVersions.map(async (version) => {
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
