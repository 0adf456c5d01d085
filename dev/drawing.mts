/** Draws workflows: nodes, and the lines between them. */
import type { IConnections, INode, NodeConnectionType } from 'n8n-workflow';

/** A node to place; whatever the editor fills in by itself may be left out. */
export type NodeDraft = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** The nodes and lines of a workflow. */
export interface Drawing {
	readonly nodes: INode[];
	readonly connections: IConnections;
}

function place(draft: NodeDraft, index: number): INode {
	const position: [number, number] = [index * 220, 0];
	return { id: `node-${index}`, typeVersion: 1, position, parameters: {}, ...draft };
}

/** Adds a line from a node's output to another node. */
function addLine(
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

/** Draws nodes that follow each other. */
export function sequence(...[first, ...rest]: NodeDraft[]): Drawing {
	if (!first) return { nodes: [], connections: {} };
	let drawing: Drawing = { nodes: [place(first, 0)], connections: {} };
	let previous = first.name;
	for (const node of rest) {
		drawing = connect(drawing, previous, node);
		previous = node.name;
	}
	return drawing;
}

/** Draws a line from one node's output to another node, which may be new. Returns a new drawing. */
export function connect(
	{ nodes, connections }: Drawing,
	from: string,
	to: NodeDraft | string,
	output = 0,
): Drawing {
	const name = typeof to === 'string' ? to : to.name;
	return {
		nodes: typeof to === 'string' ? nodes : [...nodes, place(to, nodes.length)],
		connections: addLine(connections, from, name, output, 'main'),
	};
}

/** Attaches a new node to an agent or a chain, as its model, say. Returns a new drawing. */
export function attach(
	{ nodes, connections }: Drawing,
	to: string,
	node: NodeDraft,
	type: NodeConnectionType,
): Drawing {
	return {
		nodes: [...nodes, place(node, nodes.length)],
		connections: addLine(connections, node.name, to, 0, type),
	};
}

/** Attaches a tool node (type `<package>.<node>Tool`) to an agent. Returns a new drawing. */
export function addTool(drawing: Drawing, to: string, tool: NodeDraft): Drawing {
	return attach(drawing, to, tool, 'ai_tool');
}
