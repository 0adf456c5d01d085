/** What n8n needs of a node: its description, and the class that runs its operations. */
import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { toolDescriptions } from '../form/tool';
import type { Action, Resources } from '../run/action';
import { runNode } from '../run/node';

/** The operations of a node, each with its resource. */
const offeredBy = (resources: Resources) =>
	Object.entries(resources).flatMap(([resource, { name: resourceName, operations }]) =>
		Object.entries(operations).map(([operation, action]) => {
			return { resource, resourceName, operation, action };
		}),
	);

/**
 * Returns the subtitle of a node, for example "Get Many: Cost Center", or with the operation that the builder chose,
 * "Call: Wage_GetHistory". It is an expression, which must not contain `}}` before its end.
 */
export function nodeSubtitle(resources: Resources): string {
	const key = '$parameter["resource"] + "." + $parameter["operation"]';
	let chosen = '';
	const subtitles = offeredBy(resources).map(({ resource, resourceName, operation, action }) => {
		const own = `${resource}.${operation}`;
		if (action.kind === 'chosen') {
			// In an expression, a resource locator is its value.
			const value = `$parameter["${action.namedBy}"]`;
			chosen += `${key} === "${own}" && ${value} ? "${action.name}: " + ${value} : `;
		}
		return [own, `${action.name}: ${resourceName}`] as const;
	});
	return `={{ ${chosen}(${JSON.stringify(Object.fromEntries(subtitles))})[${key}] }}`;
}

/** Returns what the descriptions of all nodes share, with the parameters of this node's operations. */
export function nodeDescription(
	resources: Resources,
): Omit<INodeTypeDescription, 'defaults' | 'description' | 'displayName' | 'name'> {
	const offered = offeredBy(resources);
	// What only reads does no harm.
	const defaultOf = (of: typeof offered, key: 'operation' | 'resource'): string =>
		(of.find(({ action }) => action.effect === 'read') ?? of[0])?.[key] ?? '';
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(resources).map(([value, { name }]) => ({ name, value })),
		default: defaultOf(offered, 'resource'),
	};
	const operations = Object.keys(resources).map((name): INodeProperties => {
		const all = offered.filter(({ resource: own }) => own === name);
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [name] } },
			options: all.map(({ operation, action: { name, action, description, kind } }) => ({
				...{ name, value: operation, action, description },
				...(kind === 'once' && { displayOptions: { hide: { '@tool': [true] } } }),
			})),
			default: defaultOf(all, 'operation'),
		};
	});
	/** Shows properties only for their operation, in addition to their own conditions. */
	const shown = (propertiesOf: (action: Action) => readonly INodeProperties[]) =>
		offered.flatMap(({ resource: name, operation, action }) =>
			propertiesOf(action).map(({ displayOptions, ...property }) => {
				const show = { resource: [name], operation: [operation], ...displayOptions?.show };
				return { ...property, displayOptions: { ...displayOptions, show } };
			}),
		);
	const tools = shown((action) =>
		action.kind === 'once' ? [] : toolDescriptions({ ...action, output: action.outputSchema() }),
	);
	return {
		group: ['transform'],
		version: 1,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: [...tools, resource, ...operations, ...shown(({ properties }) => properties)],
	};
}

/** Returns the class that a node extends: with the methods that the editor calls for its forms. */
export function payrollNode(
	resources: Resources,
): new () => Required<Pick<INodeType, 'execute' | 'methods'>> {
	const all = offeredBy(resources).flatMap(({ action: { methods = {} } }) => methods);
	return class {
		methods: NonNullable<INodeType['methods']> = {
			listSearch: Object.assign({}, ...all.map(({ listSearch }) => listSearch)),
			resourceMapping: Object.assign({}, ...all.map(({ resourceMapping }) => resourceMapping)),
		};

		async execute(this: IExecuteFunctions): ReturnType<typeof runNode> {
			return await runNode(this, resources);
		}
	};
}
