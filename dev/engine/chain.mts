import type {
	IConnections,
	IDataObject,
	INode,
	INodeParameters,
	NodeConnectionType,
} from 'n8n-workflow';

import { helperNames } from './nodes.mts';
import type { ToolCall } from './tool.mts';

/** A node to be placed: everything the editor would fill in by itself may be left out. */
export type NodeDraft = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A workflow's drawing. */
export interface Drawing {
	nodes: INode[];
	connections: IConnections;
}

function place(draft: NodeDraft, index: number): INode {
	const position: [number, number] = [index * 220, 0];
	return { id: `node-${index}`, typeVersion: 1, position, parameters: {}, ...draft };
}

/** Starts a workflow by hand. */
export function trigger(name = 'Start'): NodeDraft {
	return { name, type: helperNames.manualTrigger };
}

/** A source of items: one item per given JSON object. */
export function items(list: IDataObject[], name = 'Items'): NodeDraft {
	return { name, type: helperNames.items, parameters: { items: JSON.stringify(list) } };
}

/** Sets fields of each item, by dotted names, and keeps its others. */
export function editFields(values: Record<string, unknown>, name = 'Edit Fields'): NodeDraft {
	const assignments = Object.entries(values).map(([field, value]) => ({
		id: field,
		name: field,
		value,
		type: typeof value === 'number' ? 'number' : 'string',
	}));
	return {
		name,
		type: helperNames.editFields,
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, includeOtherFields: true } as INodeParameters,
	};
}

/** Takes items and hands them on unchanged: an end where a test looks at what arrived. */
export function collect(name = 'Collect'): NodeDraft {
	return { name, type: helperNames.noOp };
}

/** An agent that makes the given tool calls, in this order; connect tools to it with `addTool`. */
export function agent(calls: ToolCall[], name = 'Agent'): NodeDraft {
	return { name, type: helperNames.agent, parameters: { calls: JSON.stringify(calls) } };
}

/** Adds a line of one kind between two nodes. */
function line(
	connections: IConnections,
	from: string,
	node: string,
	output: number,
	type: NodeConnectionType,
): IConnections {
	const lines = [...(connections[from]?.[type] ?? [])];
	while (lines.length <= output) lines.push([]);
	lines[output] = [...(lines[output] ?? []), { node, type, index: 0 }];
	return { ...connections, [from]: { ...connections[from], [type]: lines } };
}

/** Draws a line from one node's output to another node. Returns a new drawing. */
export function connect(
	{ nodes, connections }: Drawing,
	from: string,
	to: NodeDraft | string,
	output = 0,
): Drawing {
	const name = typeof to === 'string' ? to : to.name;
	return {
		nodes: typeof to === 'string' ? nodes : [...nodes, place(to, nodes.length)],
		connections: line(connections, from, name, output, 'main'),
	};
}

/** Puts a tool node (type `<package>.<node>Tool`) on an agent. Returns a new drawing. */
export function addTool({ nodes, connections }: Drawing, to: string, tool: NodeDraft): Drawing {
	return {
		nodes: [...nodes, place(tool, nodes.length)],
		connections: line(connections, tool.name, to, 0, 'ai_tool'),
	};
}

/**
 * Draws a linear workflow. A list in place of the first node stands for a manual start followed by
 * a source of these items.
 */
export function chain(first: NodeDraft | IDataObject[], ...rest: NodeDraft[]): Drawing {
	const [start, ...others] = Array.isArray(first)
		? [trigger(), items(first), ...rest]
		: [first, ...rest];
	if (!start) return { nodes: [], connections: {} };
	let drawing: Drawing = { nodes: [place(start, 0)], connections: {} };
	let previous = start.name;
	for (const node of others) {
		drawing = connect(drawing, previous, node);
		previous = node.name;
	}
	return drawing;
}
