import type { INodeProperties } from 'n8n-workflow';
import { described } from '../form/describe';
import { shownFor } from '../form/properties';
import { toolDescriptions } from '../form/toolDescription';
import type { Action, Resources } from './action';

/** Options stay with the builder, who has less to read there. */
function forForm(property: INodeProperties): INodeProperties {
	return property.name === 'options' ? property : described(property);
}

/** Parameters of every operation, each shown for its own. */
function everyAction(
	resources: Resources,
	propertiesOf: (action: Action) => readonly INodeProperties[],
): INodeProperties[] {
	return Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, action]) =>
			shownFor(resource, operation, propertiesOf(action)),
		),
	);
}

/**
 * The parameters of a node: resource, operation, each operation's own form, and what a model is told
 * of it where the node is a tool.
 */
export function nodeProperties(resources: Resources): INodeProperties[] {
	const entries = Object.entries(resources);
	const firstResource = entries[0]?.[0] ?? '';
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: entries.map(([value, { name }]) => ({ name, value })),
		default: firstResource,
	};
	const operations = entries.map(([value, { operations: offered }]): INodeProperties => {
		const actions = Object.entries(offered);
		const firstOperation = actions[0]?.[0] ?? '';
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: actions.map(([operation, { name, action, description, isForPeople }]) => ({
				name,
				value: operation,
				action,
				description,
				...(isForPeople && { displayOptions: { hide: { '@tool': [true] } } }),
			})),
			default: firstOperation,
		};
	});
	const forms = everyAction(resources, ({ properties }) => properties.map(forForm));
	const tools = everyAction(resources, (action) =>
		action.isForPeople ? [] : toolDescriptions({ ...action, output: action.outputSchema() }),
	);
	return [...tools, resource, ...operations, ...forms];
}
