const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/*
 * n8n reads its settings from the environment during import, so this file must be evaluated before
 * any module of n8n. `n8n.mts` imports it first; import n8n from there.
 */

/** The folder that n8n takes for the user's home: inside the checkout, never the real one. */
const userFolder = join(process.cwd(), 'node_modules', '.cache', 'n8n-nodes-payroll', 'engine');

// Test data: this key encrypts credentials that exist only in the memory of one process.
const encryptionKey = 'engine-of-the-tests';

/** Puts the settings file in place, so that parallel engines read it and none writes it. */
function writeSettings() {
	const folder = join(userFolder, '.n8n');
	mkdirSync(folder, { recursive: true });
	const draft = join(folder, `config.${process.pid}.${Date.now()}`);
	writeFileSync(draft, JSON.stringify({ encryptionKey }), { mode: 0o600 });
	renameSync(draft, join(folder, 'config'));
}

/** Connects to this machine's names directly, even if the environment sets a proxy. */
function withoutProxy(hosts) {
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
