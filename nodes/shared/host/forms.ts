/** What n8n makes of the forms of nodes (1.123 and 2.41). */
import {
	NodeHelpers,
	type IDisplayOptions,
	type INodeProperties,
	type INodePropertyTypeOptions,
} from 'n8n-workflow';

/**
 * Condition of what is shown, or hidden, if the node is a tool of an AI agent: `getPropertyValues` in
 * `node-helpers.ts` of n8n-workflow.
 */
export const AS_TOOL = { '@tool': [true] };

/**
 * The field of a number is one of text: n8n's field for numbers drops a decimal comma, so that "33,34"
 * becomes 3334, and marks no empty required field before the run (`ParameterInput.vue` of n8n's editor).
 */
export const NUMBER = { type: 'string', default: '' } as const;

/**
 * Returns the option for the title of a row: the editor of n8n shows it in
 * the new row design, which is behind a feature flag (2.41); elsewhere rows have no title.
 */
export function rowTitle(itemTitle: string): INodePropertyTypeOptions {
	return { fixedCollection: { itemTitle } };
}

/**
 * Returns a text for the description of a tool that depends on other parameters, as far as n8n evaluates an
 * expression there: 2.41 does, with a third parameter of this function, and 1.123 gives it to the model as it is.
 */
export function evaluatedDescription(expression: string, otherwise: string): string {
	return NodeHelpers.getToolDescriptionForNode.length > 2 ? `=${expression}` : otherwise;
}

/**
 * Returns the parameter that tells an AI model what an operation does, its input and its output. It is
 * shown if the node is a tool, and the builder can edit it.
 *
 * n8n gives the model the node's name; the parameter `toolDescription`, or without it only "<action of
 * the operation> in <name of the node>" (`getToolDescriptionForNode` in `node-helpers.ts` of
 * n8n-workflow); and a schema of the `$fromAI` calls in the node's parameters (`getSchema` in
 * `create-node-as-tool.ts` of n8n-core). The editor's button writes the label as key, one of four types,
 * and no description. So descriptions and placeholders of parameters, the names of a drop-down list and
 * the operation's description reach the model only in this text.
 */
export function toolDescriptionProperty(
	text: string,
	{ show = {}, hide }: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		required: true,
		default: text,
		typeOptions: { rows: 8 },
		description: 'Description of this tool for the AI model',
		displayOptions: { show: { ...AS_TOOL, ...show }, ...(hide && { hide }) },
	};
}

/**
 * Whether these are options of a node in the editor that n8n could not evaluate: n8n 1 (1.123) returns
 * `null` for all options if it cannot evaluate one of them.
 */
export function areUnknown(options: unknown): boolean {
	return options === null;
}
