import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { toolDescriptions } from '../form/toolDescription';
import type { Action, Resources } from '../run/action';
import { runNode } from '../run/node';

/** The name of the first entry with an operation that only reads, otherwise of the first one. */
function defaultName(entries: ReadonlyArray<[string, readonly Action[]]>): string {
	const reading = entries.find(([, actions]) => actions.some(({ effect }) => effect === 'read'));
	return (reading ?? entries[0])?.[0] ?? '';
}

/** Shows properties only for one resource and operation, in addition to their own conditions. */
function shownFor(
	resource: string,
	operation: string,
	properties: readonly INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { resource: [resource], operation: [operation], ...property.displayOptions?.show },
		},
	}));
}

/** The parameters of all operations, each shown only for its own operation. */
function propertiesOfActions(
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
 * The parameters of a node: tool descriptions, resource, operation, and the form of each
 * operation.
 */
function nodeProperties(resources: Resources): INodeProperties[] {
	const entries = Object.entries(resources);
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: entries.map(([value, { name }]) => ({ name, value })),
		default: defaultName(
			entries.map(([name, { operations }]) => [name, Object.values(operations)]),
		),
	};
	const operations = entries.map(([value, offered]): INodeProperties => {
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [value] } },
			options: Object.entries(offered.operations).map(
				([operation, { name, action, description, kind }]) => ({
					name,
					value: operation,
					action,
					description,
					...(kind === 'once' && { displayOptions: { hide: { '@tool': [true] } } }),
				}),
			),
			default: defaultName(
				Object.entries(offered.operations).map(([name, action]) => [name, [action]]),
			),
		};
	});
	const forms = propertiesOfActions(resources, ({ properties }) => properties);
	const tools = propertiesOfActions(resources, (action) =>
		action.kind === 'once' ? [] : toolDescriptions({ ...action, output: action.outputSchema() }),
	);
	return [...tools, resource, ...operations, ...forms];
}

/**
 * Returns the subtitle below a node's name on the canvas: operation and resource, for example "Get
 * Many: Cost Center", or the operation that the builder chose: "Call: Wage_GetHistory". It is an
 * expression, which must not contain `}}` before its end.
 */
export function nodeSubtitle(resources: Resources): string {
	const actions = Object.entries(resources).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(([operation, action]) => {
			return { ...action, resource: name, key: `${resource}.${operation}` };
		}),
	);
	const key = '$parameter["resource"] + "." + $parameter["operation"]';
	const subtitles = actions.map((one) => [one.key, `${one.name}: ${one.resource}`]);
	// In an expression, a resource locator is its value.
	const chosen = actions.flatMap(({ key: own, name, ...action }) => {
		if (action.kind !== 'chosen') return [];
		const value = `$parameter["${action.namedBy}"]`;
		return [`${key} === "${own}" && ${value} ? "${name}: " + ${value} : `];
	});
	const subtitle = `(${JSON.stringify(Object.fromEntries(subtitles))})[${key}]`;
	return `={{ ${chosen.join('')}${subtitle} }}`;
}

/** Returns what the descriptions of all nodes share, and the parameters of a node's operations. */
export function nodeDescription(
	resources: Resources,
): Omit<INodeTypeDescription, 'defaults' | 'description' | 'displayName' | 'name'> {
	return {
		group: ['transform'],
		version: 1,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: nodeProperties(resources),
	};
}

/** Returns the methods that n8n calls for the forms of all operations. */
function mergedMethods(actions: readonly Action[]): NonNullable<INodeType['methods']> {
	const all = actions.flatMap(({ methods = {} }) => methods);
	return {
		listSearch: Object.assign({}, ...all.map(({ listSearch }) => listSearch)),
		resourceMapping: Object.assign({}, ...all.map(({ resourceMapping }) => resourceMapping)),
	};
}

/**
 * Returns the class that a node extends: it runs the node's operations, and has the methods that the
 * editor calls for their forms.
 */
export function payrollNode(
	resources: Resources,
): new () => Required<Pick<INodeType, 'execute' | 'methods'>> {
	const actions = Object.values(resources).flatMap(({ operations }) => Object.values(operations));
	return class {
		methods = mergedMethods(actions);

		async execute(this: IExecuteFunctions): ReturnType<typeof runNode> {
			return await runNode(this, resources);
		}
	};
}
