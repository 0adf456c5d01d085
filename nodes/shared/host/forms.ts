/** What n8n makes of the forms and expressions of nodes and credentials (1.123 and 2.41). */
import { NodeHelpers } from 'n8n-workflow';

/**
 * Condition of what is shown, or hidden, if the node is a tool of an AI agent: `getPropertyValues` in
 * `node-helpers.ts` of n8n-workflow.
 */
export const AS_TOOL = { '@tool': [true] };

/**
 * Returns a text for the description of a tool that depends on other parameters, as far as n8n evaluates an
 * expression there: 2.41 does, with a third parameter of this function, and 1.123 gives it to the model as it is.
 */
export function evaluatedDescription(expression: string, otherwise: string): string {
	return NodeHelpers.getToolDescriptionForNode.length > 2 ? `=${expression}` : otherwise;
}

/** The mode of the mapper in which columns are found by their names. */
export const AUTOMATIC = 'autoMapInputData';
