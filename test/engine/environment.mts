import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * n8n reads its settings from the environment while it is being imported, so this file has to be
 * evaluated before any of n8n's modules (`n8n.mts` imports it first; import n8n through there).
 */

/** The folder the engine takes for the user's home: inside the checkout, never the real one. */
const userFolder = join(process.cwd(), 'node_modules', '.cache', 'n8n-nodes-payroll', 'engine');

// Test data only: it encrypts credentials that live in the memory of one process.
const encryptionKey = 'engine-of-the-tests';

/** Puts the settings file in place, so that engines starting at once read it and none writes it. */
function writeSettings(): void {
	const folder = join(userFolder, '.n8n');
	mkdirSync(folder, { recursive: true });
	const draft = join(folder, `config.${process.pid}.${Date.now()}`);
	writeFileSync(draft, JSON.stringify({ encryptionKey }), { mode: 0o600 });
	renameSync(draft, join(folder, 'config'));
}

/** Names of this machine are reached directly, whatever proxy the surroundings have set. */
function withoutProxy(hosts: string | undefined): string {
	return [...new Set([...(hosts ?? '').split(','), '127.0.0.1', 'localhost'])]
		.filter((host) => host !== '')
		.join(',');
}

Object.assign(process.env, {
	N8N_USER_FOLDER: userFolder,
	N8N_ENCRYPTION_KEY: encryptionKey,
	N8N_LOG_LEVEL: process.env.N8N_LOG_LEVEL ?? 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	NO_PROXY: withoutProxy(process.env.NO_PROXY),
	no_proxy: withoutProxy(process.env.no_proxy ?? process.env.NO_PROXY),
});
// The engine runs workflows, so a test must not inherit another expression engine from outside.
delete process.env.N8N_EXPRESSION_ENGINE;

writeSettings();
