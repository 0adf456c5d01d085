/** A sandbox and a real n8n that is connected to it: what most tests, and people who try it out, start from. */
import { launchSandbox, type SandboxClient, type SandboxOptions } from '../sandbox/client.mts';
import { credentialData, CREDENTIAL_TYPE } from '../package/payroll.mts';
import { N8nApi, type WorkflowDraft } from './api.mts';
import { freePort } from '../listen.mts';
import { startN8n, type N8n, type N8nOptions } from './host.mts';

/** What to start. */
export interface StageOptions extends N8nOptions {
	sandbox?: SandboxOptions;
}

/** A running sandbox and a running n8n with an owner who has connected a credential. */
export interface Stage {
	readonly sandbox: SandboxClient;
	/** The n8n that runs now; to be set by who restarts it. */
	n8n: N8n;
	/** The owner, logged in; still so after a restart on the same port. */
	readonly api: N8nApi;
	/** The id of the connected credential. */
	readonly credential: string;
	/** Creates a workflow whose payroll nodes use the connected credential; gives its id. */
	create(draft: WorkflowDraft): Promise<string>;
	/** Stops both, and deletes n8n's temporary user folder. */
	close(): Promise<void>;
}

/** Starts a sandbox that knows n8n's redirect address, and n8n; sets up the owner and connects a credential. */
export async function openStage(options: StageOptions): Promise<Stage> {
	const port = options.port ?? (await freePort());
	const redirectUris = ['127.0.0.1', 'localhost'].map(
		(host) => `http://${host}:${port}/rest/oauth2-credential/callback`,
	);
	const started = await Promise.allSettled([
		launchSandbox({ redirectUris, schemaValidation: true, ...options.sandbox }),
		startN8n({ ...options, port }),
	]);
	const [sandbox, n8n] = started;
	try {
		if (sandbox.status === 'rejected') throw sandbox.reason;
		if (n8n.status === 'rejected') throw n8n.reason;
		return await connected(sandbox.value, n8n.value);
	} catch (error) {
		if (n8n.status === 'fulfilled') await n8n.value.remove();
		if (sandbox.status === 'fulfilled') await sandbox.value.stop();
		throw error;
	}
}

async function connected(sandbox: SandboxClient, n8n: N8n): Promise<Stage> {
	const api = await N8nApi.open(n8n);
	const credential = await api.createCredential(CREDENTIAL_TYPE, credentialData(sandbox));
	await api.connect(credential, sandbox);
	const stage: Stage = {
		sandbox,
		n8n,
		api,
		credential,
		create: async (draft) => await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential }),
		async close() {
			await stage.n8n.remove();
			await sandbox.stop();
		},
	};
	return stage;
}
