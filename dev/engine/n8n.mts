import './environment.cjs';

import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * Loads n8n by Node.js's own `require`, as n8n's server does, in tests too: test/support/environment.cjs. n8n-workflow exists as an ES module too, but
 * importing that module would load a second copy of every class, and `instanceof` checks in
 * n8n-core would fail on the errors of this package.
 */
const { createNativeRequire = createRequire } = globalThis as {
	createNativeRequire?: typeof createRequire;
};
const load = createNativeRequire(join(process.cwd(), 'package.json'));

/*
 * Dependencies of n8n-core are resolved from its folder: other versions may be installed next to
 * it, and the service container must be the one that n8n-core uses.
 */
const loadForCore = createNativeRequire(load.resolve('n8n-core'));
const di = loadForCore('@n8n/di') as typeof import('@n8n/di');

/** n8n's services, one of each. */
export const container = di.Container;

/** n8n-core: the execution engine, the node loader, the request helpers. */
export const core = load('n8n-core') as typeof import('n8n-core');

/** n8n-workflow: the data model and the expression engine. The same copy n8n-core uses. */
export const workflow = load('n8n-workflow') as typeof import('n8n-workflow');

/** The OAuth2 client n8n's server and request helpers use. */
export const oauth2 = loadForCore('@n8n/client-oauth2') as typeof import('@n8n/client-oauth2');

/** The search of the editor's node panel. */
export const { sublimeSearch } = loadForCore(
	'@n8n/utils/search/sublime-search',
) as typeof import('@n8n/utils/search/sublime-search');

/** What turns a tool into what a chat model's API is sent. */
export const functionCalling = loadForCore(
	'@langchain/core/utils/function_calling',
) as typeof import('@langchain/core/utils/function_calling');

/** Gives the engine the one key of its instance, as a server without key rotation does. */
function provideEncryptionKey(): void {
	const { encryptionKey } = di.Container.get(core.InstanceSettings);
	const value = di.Container.get(core.Cipher).encryptDEKWithInstanceKey(encryptionKey);
	const key = { id: 'instance', value, algorithm: 'aes-256-cbc', format: 'no-prefix' as const };
	const provide = async () => key;
	di.Container.get(core.EncryptionKeyProxy).setProvider({
		getActiveKey: provide,
		getKeyById: provide,
		getLegacyKey: provide,
	});
}

provideEncryptionKey();
