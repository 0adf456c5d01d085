/** The workflows of the folder `examples` in a real n8n. */
import { CREDENTIAL_TYPE } from '../package/payroll.mts';
import type { WorkflowDraft } from './api.mts';
import type { Stage } from './stage.mts';

/** The login of the forms, and of the webhooks. */
export const formLogin = { user: 'clerk', password: 'Payroll-2026' };

/** The types of nodes, with their versions, that a workflow has and an n8n does not. */
export async function unknownNodes({ api }: Stage, { nodes }: WorkflowDraft): Promise<string[]> {
	const types = await api.typesOf(nodes);
	const missing = nodes.filter((_, index) => types[index] === undefined);
	return missing.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
}

/** A workflow whose deactivated nodes are active. */
export const activated = (draft: WorkflowDraft): WorkflowDraft => ({
	...draft,
	nodes: draft.nodes.map(({ disabled: _, ...node }) => node),
});

/**
 * Creates an example as a workflow, whose forms and webhooks ask for {@link formLogin}; gives its id.
 *
 * @param others the ids of further credentials by their types; with one for mail, the nodes that send it are activated
 */
export async function createExample(
	{ api, credential }: Pick<Stage, 'api' | 'credential'>,
	draft: WorkflowDraft,
	others: Readonly<Record<string, string>> = {},
): Promise<string> {
	const credentials: Record<string, string> = { ...others, [CREDENTIAL_TYPE]: credential };
	if (draft.nodes.some((node) => node.credentials?.httpBasicAuth)) {
		const data = { ...formLogin };
		credentials.httpBasicAuth = await api.createCredential('httpBasicAuth', data, 'Payroll form');
	}
	return await api.createWorkflow(others.smtp ? activated(draft) : draft, credentials);
}
