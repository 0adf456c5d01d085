import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** Describes a node with one main input (unless it starts the workflow) and one main output. */
export function describe(
	name: string,
	displayName: string,
	properties: INodeProperties[],
	group: 'trigger' | 'transform' = 'transform',
): INodeTypeDescription {
	return {
		name,
		displayName,
		group: [group],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: group === 'trigger' ? [] : ['main'],
		outputs: ['main'],
		properties,
	};
}

/** A parameter, called in the form as in the file. */
export function parameter(
	name: string,
	type: INodeProperties['type'],
	fallback: INodeProperties['default'],
): INodeProperties {
	return { displayName: name, name, type, default: fallback };
}
