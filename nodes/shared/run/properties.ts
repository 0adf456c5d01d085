import type { INodeProperties } from 'n8n-workflow';
import { shownFor } from '../form/properties';
import type { Resources } from './action';

/** The parameters of a node: resource, operation, and each operation's own form. */
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
			options: actions.map(([operation, { name, action, description }]) => ({
				name,
				value: operation,
				action,
				description,
			})),
			default: firstOperation,
		};
	});
	const forms = entries.flatMap(([value, { operations: offered }]) =>
		Object.entries(offered).flatMap(([operation, { properties }]) =>
			shownFor(value, operation, properties),
		),
	);
	return [resource, ...operations, ...forms];
}
