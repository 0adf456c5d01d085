/** Workflow files, mainly those of the folder `examples`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeCredentials, IWorkflowBase } from 'n8n-workflow';

/** Contents of an exported file. */
export type WorkflowDraft = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> &
	Partial<Pick<IWorkflowBase, 'settings' | 'pinData'>>;

/** Returns the workflows of the folder `examples`, by file name. */
export function exampleWorkflows(): Map<string, WorkflowDraft> {
	const folder = join(process.cwd(), 'examples');
	const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
	return new Map(
		files.sort().map((file) => {
			return [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowDraft];
		}),
	);
}

/** Returns the workflow of one file in the folder `examples`. */
export function exampleWorkflow(file: string): WorkflowDraft {
	const draft = exampleWorkflows().get(file);
	if (!draft) throw new Error(`There is no examples/${file}`);
	return draft;
}

/** A workflow in which a node has other parameters. */
export function withParameters(
	draft: WorkflowDraft,
	name: string,
	change: (parameters: INode['parameters']) => INode['parameters'],
): WorkflowDraft {
	if (!draft.nodes.some((node) => node.name === name))
		throw new Error(`There is no node "${name}"`);
	const nodes = draft.nodes.map((node) =>
		node.name === name ? { ...node, parameters: change(node.parameters) } : node,
	);
	return { ...draft, nodes };
}

/** A workflow in which an Edit Fields node sets other values. */
export function withFields(
	draft: WorkflowDraft,
	name: string,
	values: Record<string, unknown>,
): WorkflowDraft {
	interface Assignments {
		assignments: Array<{ name: string; value: unknown }>;
	}
	return withParameters(draft, name, (parameters) => {
		const { assignments } = parameters.assignments as unknown as Assignments;
		const missing = Object.keys(values).find((key) => !assignments.some((one) => one.name === key));
		if (missing) throw new Error(`"${name}" does not set ${missing}`);
		const changed = assignments.map((one) =>
			one.name in values ? { ...one, value: values[one.name] } : one,
		);
		return { ...parameters, assignments: { assignments: changed } } as INode['parameters'];
	});
}

/** The nodes with the credentials of the given ids (by type) in place of those that they name. */
export function linked(nodes: readonly INode[], ids: Record<string, string>): INode[] {
	return nodes.map((node) => {
		if (!node.credentials) return node;
		const credentials = Object.entries(node.credentials).map(([type, named]) => {
			const id = ids[type];
			return [type, id ? { ...named, id } : named];
		});
		return { ...node, credentials: Object.fromEntries(credentials) as INodeCredentials };
	});
}
