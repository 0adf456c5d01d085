/** n8n's REST API as the editor uses it, in both supported versions of n8n. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorize } from '../sandbox/login.mts';
import { linked, type WorkflowDraft } from '../package/workflow-file.mts';
import {
	execution,
	hasEnded,
	type Execution,
	type ExecutionSummary,
	type Status,
	type StoredExecution,
} from './execution.mts';
import { Session } from './session.mts';

export { ApiError } from './session.mts';
export type { Execution, ExecutionSummary, Status } from './execution.mts';
export type { WorkflowDraft } from '../package/workflow-file.mts';

/** The owner that every n8n of the tests is set up with. */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Anna',
	lastName: 'Owner',
	password: 'Payroll-2026',
};

/** A workflow as n8n has it. */
type StoredWorkflow = WorkflowDraft & { id: string; versionId: string; active: boolean };

/** The progress of n8n 2 in starting the triggers of a workflow. */
interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

/** A page of the list of executions. */
interface ExecutionPage {
	results: ExecutionSummary[];
	/** The next page in n8n 2; null at the end. */
	nextCursor?: string | null;
}

/** Which n8n to talk to; an `N8n` of host.mts is one. */
interface Address {
	url: string;
	version: string;
}

/** The owner of one n8n, logged in. */
export class N8nApi {
	readonly session: Session;

	private constructor(readonly n8n: Address) {
		this.session = new Session(n8n.url);
	}

	/** Sets up the owner of a fresh n8n, who is then logged in; still so after a restart on the same port. */
	static async open(n8n: Address): Promise<N8nApi> {
		const api = new N8nApi(n8n);
		await api.session.rest('POST', '/owner/setup', owner);
		return api;
	}

	/** The types of nodes (or of credentials) that this n8n has loaded, by name; the newest of each. */
	async types(kind: 'nodes' | 'credentials' = 'nodes'): Promise<Map<string, INodeTypeDescription>> {
		return new Map((await this.allTypes(kind)).map((type) => [type.name, type]));
	}

	/** The types of nodes in the nodes' own versions; nothing for one that this n8n does not have. */
	async typesOf(nodes: readonly INode[]): Promise<Array<INodeTypeDescription | undefined>> {
		const all = await this.allTypes('nodes');
		return nodes.map(({ type, typeVersion }) =>
			all.find(({ name, version }) => name === type && [version].flat().includes(typeVersion)),
		);
	}

	/** Reads the types; again if n8n is just writing them, as it does when a package is installed. */
	private async allTypes(
		kind: 'nodes' | 'credentials',
		tries = 5,
	): Promise<INodeTypeDescription[]> {
		const response = await this.session.fetch(`/types/${kind}.json`);
		try {
			return (await response.json()) as INodeTypeDescription[];
		} catch (error) {
			if (tries === 1) throw error;
			await sleep(500);
			return await this.allTypes(kind, tries - 1);
		}
	}

	/** Stores a credential; gives its id. */
	async createCredential(
		type: string,
		data: ICredentialDataDecryptedObject,
		name = 'Payroll account',
	): Promise<string> {
		const { id } = await this.session.rest<{ id: string }>('POST', '/credentials', {
			name,
			type,
			data,
		});
		return id;
	}

	/** A credential with its data, in which n8n has made secrets unreadable. */
	async credential(id: string): Promise<{ name: string; type: string; data: IDataObject }> {
		return await this.session.rest('GET', `/credentials/${id}?includeData=true`);
	}

	/** Changes a credential's data: what is given is changed, the rest stays. */
	async updateCredential(id: string, changes: ICredentialDataDecryptedObject): Promise<void> {
		const { name, type, data } = await this.credential(id);
		await this.session.rest('PATCH', `/credentials/${id}`, {
			name,
			type,
			data: { ...data, ...changes },
		});
	}

	/** Where "Connect my account" sends the user: the identity server's authorization address. */
	async authorizationUrl(credential: string): Promise<string> {
		return await this.session.rest('GET', `/oauth2-credential/auth?id=${credential}`);
	}

	/**
	 * "Connect my account": logs in and consents at the identity server, and returns to n8n.
	 *
	 * @throws Error with n8n's message when it could not connect
	 */
	async connect(credential: string, user: { user: string; password: string }): Promise<void> {
		const callback = await authorize(await this.authorizationUrl(credential), user);
		const response = await this.session.fetch(callback);
		const page = await response.text();
		// Only the page says whether it worked: n8n answers with 200 either way.
		if (page.includes("postMessage('success')")) return;
		throw new Error(`Not connected: HTTP ${response.status}, ${visibleText(page)}`);
	}

	/**
	 * Creates a workflow; gives its id. Nodes name their credentials by type only, as in an example file: they get
	 * those given here.
	 *
	 * @param credentials ids of credentials, by type
	 */
	async createWorkflow(
		draft: WorkflowDraft,
		credentials: Record<string, string> = {},
	): Promise<string> {
		const { id } = await this.session.rest<StoredWorkflow>('POST', '/workflows', {
			name: draft.name,
			// n8n 1 has no default for it.
			active: false,
			nodes: linked(draft.nodes, credentials),
			connections: draft.connections,
			settings: { executionOrder: 'v1', ...draft.settings },
			...(draft.pinData && { pinData: draft.pinData }),
		});
		return id;
	}

	/** A workflow as it is stored. */
	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.session.rest('GET', `/workflows/${id}`);
	}

	/** Changes parameters of a node of a workflow, and saves it. */
	async changeNode(id: string, name: string, parameters: INodeParameters): Promise<void> {
		const { nodes, connections, versionId } = await this.workflow(id);
		const changed = nodes.map((node) =>
			node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node,
		);
		const body = { nodes: changed, connections, versionId };
		await this.session.rest('PATCH', `/workflows/${id}`, body);
	}

	/** Makes a workflow run by its own triggers, from its stored version. */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		if (this.is1) await this.session.rest('PATCH', `/workflows/${id}`, { active: true, versionId });
		else await this.session.rest('POST', `/workflows/${id}/activate`, { versionId });
		await this.published(id);
	}

	/** Ends what `activate` began. */
	async deactivate(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		if (this.is1)
			await this.session.rest('PATCH', `/workflows/${id}`, { active: false, versionId });
		else await this.session.rest('POST', `/workflows/${id}/deactivate`, {});
		await this.published(id);
	}

	/** n8n 2 answers first, and starts and stops a workflow's triggers after that. */
	private async published(id: string): Promise<void> {
		if (this.is1) return;
		for (;;) {
			const found = await this.session.rest<Publication>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			const error = found.triggers.find(({ status }) => status === 'failed')?.errorMessage;
			if (error) throw new Error(`Not activated: ${error}`);
			if (found.status !== 'in_progress') return;
			await sleep(100);
		}
	}

	/**
	 * Starts a workflow as the editor's button does, from the first node that looks like a trigger; gives the execution's id.
	 *
	 * @param item what arrived at the trigger, such as a message in the editor's chat
	 */
	async start(id: string, item?: IDataObject): Promise<string> {
		const workflow = await this.workflow(id);
		const name = workflow.nodes.find(({ type }) => /trigger$/i.test(type))?.name;
		if (!name) throw new Error(`No trigger in the workflow "${workflow.name}"`);
		const data = item && {
			...{ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [] },
			data: { main: [[{ json: item }]] },
		};
		const { executionId } = await this.session.rest<{ executionId?: string }>(
			'POST',
			`/workflows/${id}/run`,
			{
				triggerToStartFrom: { name, ...(data && { data }) },
				// n8n 1 runs what the editor sends, n8n 2 what it has stored.
				...(this.is1 && { workflowData: workflow }),
			},
		);
		if (!executionId) throw new Error(`"${name}" waits for an event and cannot be started`);
		return executionId;
	}

	/** Starts a workflow as the editor's button does, and waits until it succeeds or fails. */
	async run(
		id: string,
		{ item, timeout }: { item?: IDataObject; timeout?: number } = {},
	): Promise<Execution> {
		return await this.finished(await this.start(id, item), timeout);
	}

	/**
	 * Waits for the end of an execution; gives it with its data.
	 *
	 * @param timeout milliseconds
	 * @throws Error when it has not ended by then
	 */
	async finished(id: string, timeout = 60_000): Promise<Execution> {
		const limit = Date.now() + timeout;
		for (;;) {
			const found = await this.execution(id);
			if (hasEnded(found)) return found;
			if (Date.now() > limit) throw new Error(`Execution ${id} is ${found.status} for too long`);
			await sleep(200);
		}
	}

	/** An execution with its data so far. */
	async execution(id: string): Promise<Execution> {
		return execution(await this.session.rest<StoredExecution>('GET', `/executions/${id}`));
	}

	/** All executions, the latest first. */
	async executions(
		filter: { workflowId?: string; status?: Status[] } = {},
	): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ filter: JSON.stringify(filter), limit: '100' });
		const all: ExecutionSummary[] = [];
		for (;;) {
			const path = `/executions?${query.toString()}`;
			const { results, nextCursor } = await this.session.rest<ExecutionPage>('GET', path);
			all.push(...results);
			const last = results.at(-1);
			if (!last || results.length < 100) return all;
			if (this.is1) query.set('lastId', last.id);
			else if (nextCursor) query.set('cursor', nextCursor);
			else return all;
		}
	}

	/**
	 * Waits until this many executions of a workflow have ended, whoever started them; gives all of them without
	 * their data, the latest first.
	 *
	 * @param timeout milliseconds
	 */
	async endedSummaries(
		workflowId: string,
		count: number,
		timeout = 60_000,
	): Promise<ExecutionSummary[]> {
		const limit = Date.now() + timeout;
		for (;;) {
			const all = (await this.executions({ workflowId })).filter(hasEnded);
			if (all.length >= count) return all;
			if (Date.now() > limit) throw new Error(`${all.length} of ${count} executions have ended`);
			await sleep(300);
		}
	}

	/** As {@link endedSummaries}, each execution with its data. */
	async ended(workflowId: string, count: number, timeout?: number): Promise<Execution[]> {
		const all = await this.endedSummaries(workflowId, count, timeout);
		return await Promise.all(all.map(({ id }) => this.execution(id)));
	}

	/**
	 * Retries a failed execution, as the list of executions in the editor offers it; waits for its end.
	 *
	 * @param workflow the one that the execution was started with, or the one that is saved now
	 */
	async retry(id: string, workflow: 'original' | 'saved'): Promise<Execution> {
		const loadWorkflow = workflow === 'saved';
		const path = `/executions/${id}/retry`;
		const retried = await this.session.rest<ExecutionSummary>('POST', path, { loadWorkflow });
		return await this.finished(retried.id);
	}

	/** The paths of all data tables, by their names. */
	async tables(): Promise<Map<string, string>> {
		interface Table {
			id: string;
			name: string;
			projectId: string;
		}
		const { data } = await this.session.rest<{ data: Table[] }>('GET', '/data-tables-global');
		return new Map(
			data.map(({ id, name, projectId }) => [name, `/projects/${projectId}/data-tables/${id}`]),
		);
	}

	/** All rows of a data table, by the table's name; none if there is no such table. */
	async tableRows(name: string): Promise<IDataObject[]> {
		const path = (await this.tables()).get(name);
		const rows: IDataObject[] = [];
		while (path !== undefined) {
			const query = `/rows?take=100&skip=${rows.length}`;
			const page = await this.session.rest<{ data: IDataObject[] }>('GET', `${path}${query}`);
			if (page.data.length === 0) break;
			rows.push(...page.data);
		}
		return rows;
	}

	/** Makes a data table of the owner, with the types of its columns by their names; gives its id. */
	async createTable(name: string, columns: Record<string, string>): Promise<string> {
		const { id } = await this.session.rest<{ id: string }>('GET', '/projects/personal');
		const list = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const path = `/projects/${id}/data-tables`;
		return (await this.session.rest<{ id: string }>('POST', path, { name, columns: list })).id;
	}

	/** Deletes all data tables. */
	async deleteTables(): Promise<void> {
		for (const path of (await this.tables()).values()) await this.session.rest('DELETE', path);
	}

	private get is1(): boolean {
		return this.n8n.version.startsWith('1.');
	}
}

/** The text that a page shows. */
function visibleText(page: string): string {
	return page
		.replace(/<(script|style|title)[^]*?<\/\1>/g, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}
