/** The environment variables of n8n: no traffic to other machines, otherwise its defaults. */
import { delimiter, dirname } from 'node:path';

/** What makes one n8n process different from another. */
export interface Place {
	version: string;
	/** The Node.js program it runs with. */
	node: string;
	port: number;
	/** Where the broker of its task runners listens. */
	brokerPort: number;
	userFolder: string;
	encryptionKey: string;
	logLevel: 'error' | 'warn' | 'info' | 'debug';
}

/** The variables of this process that n8n inherits; no others, proxies in particular. */
const inherited = ['HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE'];

/** Turns off what n8n would fetch or send by itself. */
const quiet: NodeJS.ProcessEnv = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	// The list of packages that n8n has verified; packages already installed are not affected.
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

const only1: NodeJS.ProcessEnv = {
	// As n8n 2 has them by default; without them n8n 1 prints warnings.
	DB_SQLITE_POOL_SIZE: '4',
	N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
	N8N_GIT_NODE_DISABLE_BARE_REPOS: 'true',
	N8N_RUNNERS_ENABLED: 'true',
};

const only2: NodeJS.ProcessEnv = {
	// It fetches a list of public MCP servers. n8n does not start when it does not know a name in here.
	N8N_DISABLED_MODULES: 'mcp-registry',
};

/** Gives the whole environment of a process; `changes` come last, an undefined one takes away. */
export function environment(place: Place, changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
	const { version, node, port, brokerPort, userFolder, encryptionKey, logLevel } = place;
	return {
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		PATH: [dirname(node), process.env.PATH].join(delimiter),
		...quiet,
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		// These three make every address that n8n shows, the redirect address of OAuth among them.
		N8N_PROTOCOL: 'http',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// A worker has no port for people, and answers only questions after its health.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		// The session cookie, over plain HTTP.
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		...(version.startsWith('1.') ? only1 : only2),
		GENERIC_TIMEZONE: 'Europe/Amsterdam',
		TZ: 'Europe/Amsterdam',
		N8N_LOG_LEVEL: logLevel,
		N8N_LOG_OUTPUT: 'console',
		NO_COLOR: '1',
		...changes,
	};
}
