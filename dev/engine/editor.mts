import type {
	ICredentialsHelper,
	ILoadOptionsFunctions,
	INodeCredentials,
	INodeListSearchResult,
	INodeParameters,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalData, workflowRecord } from './additional.mts';
import type { Host } from './host.mts';
import { core, workflow as n8n } from './n8n.mts';

/** A node in the editor, as the browser sends it to n8n's server. */
export interface EditedNode {
	host: Pick<Host, 'nodeTypes'>;
	credentials: ICredentialsHelper;
	type: string;
	/** Its parameters at this moment; the browser has evaluated expressions where it could. */
	parameters: INodeParameters;
	nodeCredentials?: INodeCredentials;
}

/** Does something in the context that n8n's server gives the lists of a node's form. */
export async function inEditor<T>(
	{ host, credentials, type, parameters, nodeCredentials }: EditedNode,
	work: (context: ILoadOptionsFunctions) => Promise<T>,
): Promise<T> {
	const node = {
		id: 'uuid-1234',
		name: 'Temp-Node',
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters,
		...(nodeCredentials && { credentials: nodeCredentials }),
	};
	const record = workflowRecord({ id: 'editor', nodes: [node], connections: {} });
	const workflow = new n8n.Workflow({ ...record, nodeTypes: host.nodeTypes });
	const execution = { executionId: 'editor', mode: 'internal', workflowData: record } as const;
	const additional = {
		...additionalData(credentials, execution),
		currentNodeParameters: parameters,
	};
	const [edited] = Object.values(workflow.nodes);
	if (edited === undefined) throw new Error('The workflow has no node');
	const { LoadOptionsContext } = core;
	const context = new LoadOptionsContext(workflow, edited, additional, 'parameters');
	return await workflow.expression.withIsolate(
		async () => await work(context as ILoadOptionsFunctions),
	);
}

/** Has a node list what its form offers to choose from, as n8n's server does for the editor. */
export async function listSearch(
	edited: EditedNode,
	method: string,
	filter?: string,
): Promise<INodeListSearchResult> {
	const type = edited.host.nodeTypes.getByNameAndVersion(edited.type);
	const search = type.methods?.listSearch?.[method];
	if (search === undefined) throw new Error(`${edited.type} has no list ${method}`);
	return await inEditor(edited, async (context) => await search.call(context, filter));
}

/** Has a node list the fields that its form maps values to, as n8n's server does for the editor. */
export async function resourceMapping(
	edited: EditedNode,
	method: string,
): Promise<ResourceMapperFields> {
	const type = edited.host.nodeTypes.getByNameAndVersion(edited.type);
	const mapping = type.methods?.resourceMapping?.[method];
	if (mapping === undefined) throw new Error(`${edited.type} has no fields ${method}`);
	return await inEditor(edited, async (context) => await mapping.call(context));
}
