/** Checks whether the parameters of a node in a file match the node's form. */
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { workflow } from '../engine/index.mts';

/** Paths of the values that one tree has and another lacks. */
function missing(given: unknown, kept: unknown, path: string): string[] {
	if (typeof given !== 'object' || given === null) return kept === undefined ? [path] : [];
	if (typeof kept !== 'object' || kept === null) return [path];
	return Object.entries(given).flatMap(([name, value]) =>
		missing(value, (kept as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
	);
}

/**
 * Returns the problems of a node's parameters, by n8n's own rules: values that the form does not
 * have or does not show next to the other values, and empty required fields.
 */
export function parameterProblems(description: INodeTypeDescription, node: INode): string[] {
	const { properties } = description;
	const { getNodeParameters, getNodeParametersIssues } = workflow.NodeHelpers;
	// n8n keeps what the form shows, and adds the defaults.
	const parameters =
		getNodeParameters(properties, node.parameters, true, false, node, description) ?? {};
	const issues = getNodeParametersIssues(properties, { ...node, parameters }, description);
	return [
		...missing(node.parameters, parameters, '').map((path) => `${path} is not in the form`),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}
