/** Whether the parameters of a node in a file are those of its form. */
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { workflow } from '../engine/index.mts';

/** The paths of values that stand in one tree and not in another. */
function missing(given: unknown, kept: unknown, path: string): string[] {
	if (typeof given !== 'object' || given === null) return kept === undefined ? [path] : [];
	if (typeof kept !== 'object' || kept === null) return [path];
	return Object.entries(given).flatMap(([name, value]) =>
		missing(value, (kept as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
	);
}

/**
 * What is wrong with the parameters of a node, by n8n's own rules: values that its form does not
 * have, or does not show with the other values, and required fields that are empty.
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
