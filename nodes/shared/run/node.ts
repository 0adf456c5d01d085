/** What n8n needs of a node: its description, and the class that runs its operations. */
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { RequestHost } from '../host/requests';
import { CancelledError, type ServiceError, serviceError } from '../errors/ServiceError';
import { readsColumns } from '../form/fields';
import { InputItem, type InputItems } from '../form/inputItem';
import { briefRecords, tableOf, toolDescriptions } from '../form/tool';
import { answersWithError, isTool, toToolError } from '../host/nodes';
import { inTurns } from '../http/wait';
import { describeError } from '../messages/describe';
import {
	type Action,
	type CompletedCall,
	type EndedCall,
	type EndedRun,
	isPreview,
	type Resources,
} from './action';
import { runCalls } from './calls';
import { failedItems, runError } from './errors';
import { executionHints } from './hints';
import { WriteRecord } from './writeRecord';

/** n8n adds this to the lists of a node, to refer to HTTP Request: `load-nodes-and-credentials.ts` of its server. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Returns what an AI model reads of a call: of a file its name, type and size. */
function answerForModel(
	action: Action,
	[item]: InputItems,
	{ keys, records: all, files, status, leftOut }: CompletedCall & Pick<EndedCall, 'keys'>,
): readonly IDataObject[] {
	const records = all.map((record, i) => {
		const ofRecord = Object.entries(files?.[i] ?? {});
		const described = ofRecord.map(([field, { fileName, mimeType, fileSize }]) => {
			return [field, { name: fileName, type: mimeType, size: fileSize }] as const;
		});
		return { ...record, ...Object.fromEntries(described) };
	});
	if (action.kind === 'write' || isPreview(status)) return briefRecords(records);
	return [tableOf(item, action.keysInItems?.(item, keys) ?? keys, records, leftOut)];
}

/**
 * Returns the output items of the calls, in input order; also of failed ones with `continuesOnFail`.
 *
 * @throws {NodeApiError | NodeOperationError | CancelledError} the first failure, unless items continue: of a
 * batch of writes, it also says how much was applied
 */
async function outputOf(run: EndedRun, continuesOnFail: boolean): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for await (const call of inTurns(run.calls)) {
		const { items, status } = call;
		if (status === 'notBegun') continue;
		if (status === 'failed') {
			if (call.error instanceof CancelledError) throw call.error;
			if (!continuesOnFail) throw runError(run);
			for await (const [i, json] of inTurns(failedItems(call, run).entries())) {
				output.push({ json, pairedItem: { item: (items[i] as InputItem).index } });
			}
			continue;
		}
		const [{ index: item, node }] = items;
		const pairedItem = items.length > 1 ? items.map(({ index }) => ({ item: index })) : { item };
		const ofTool = isTool(node) && answerForModel(run.action, items, call);
		for (const [i, json] of (ofTool || call.records).entries()) {
			const binary = ofTool ? undefined : call.files?.[i];
			output.push({ json, ...(binary && { binary }), pairedItem });
		}
	}
	return output;
}

async function runItems(
	context: IExecuteFunctions,
	resources: Resources,
	items: InputItems,
	record: WriteRecord,
): Promise<INodeExecutionData[]> {
	const [first] = items;
	const { node } = first;
	const resource = first.read('resource') as string;
	const operation = first.read('operation', '') as string;
	const chosen = resources[resource]?.operations[operation];
	let unusable: ServiceError | undefined;
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		unusable = serviceError('OPERATION_UNUSABLE/customApiCall');
	} else if (chosen?.kind === 'once' && isTool(node)) {
		unusable = serviceError('OPERATION_UNUSABLE/agent', { operation: chosen.name, resource });
	} else if (chosen !== undefined && isTool(node) && readsColumns(first)) {
		unusable = serviceError('OPERATION_UNUSABLE/columnsOfAgent');
	}
	if (unusable !== undefined || chosen === undefined) {
		unusable ??= serviceError('OPERATION_UNUSABLE/unknown', { operation, resource });
		const [title, description] = describeError(unusable);
		const error = new NodeOperationError(node, title, { description });
		error.context.data = { code: unusable.code };
		throw toToolError(node, error);
	}
	const action: Action =
		chosen.kind === 'chosen' ? { ...chosen, effect: chosen.declaredEffect(first) } : chosen;
	const host = new RequestHost(context, context.getExecutionCancelSignal());
	// The input of a tool is that of its agent: it must not be part of an answer.
	const continuesOnFail = context.continueOnFail() && !isTool(node);
	const run = await runCalls({ items, action, host, record, continuesOnFail });
	const states = run.calls.map(({ status }) => status);
	if (states.includes('failed') || states.includes('notBegun')) record.markFailed();
	const hints = executionHints(run);
	if (hints.length > 0) context.addExecutionHints(...hints);
	const output = await outputOf(run, continuesOnFail);
	// With *Retry On Fail*, n8n runs the node again if the JSON of the first item has an `error`:
	// `workflow-execute.ts` of n8n-core.
	const mayRunAgain = node.retryOnFail === true && output[0]?.json.error !== undefined;
	if (action.effect === 'write' && !states.every(isPreview) && !mayRunAgain) record.drop();
	return output;
}

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

/**
 * Returns the class that a node extends: with the methods that the editor calls for its forms. Each input item is one
 * call, or each group of items if the operation groups them. A failed call ends the run; with "continue on fail", it
 * becomes one item per input item, with the input and the error.
 */
export function payrollNode(
	resources: Resources,
): new () => Required<Pick<INodeType, 'execute' | 'methods'>> {
	const all = offeredBy(resources).flatMap(({ action: { methods = {} } }) => methods);
	return class {
		methods: NonNullable<INodeType['methods']> = {
			listSearch: Object.assign({}, ...all.map(({ listSearch }) => listSearch)),
			resourceMapping: Object.assign({}, ...all.map(({ resourceMapping }) => resourceMapping)),
		};

		/**
		 * @throws {NodeApiError | NodeOperationError} the first failure in input order
		 * @throws {CancelledError} if the user cancelled the run
		 */
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const [first, ...others] = this.getInputData().map((_, index) => new InputItem(this, index));
			if (first === undefined) return [[]];
			const record = new WriteRecord(this);
			const run = runItems(this, resources, [first, ...others], record);
			return [
				await run.catch((error: unknown) => {
					// For n8n's retry of a run that failed, it says that the run has ended, and what it wrote.
					record.open();
					// Of a tool that an agent calls, the answer is then the text of the error alone.
					if (error instanceof CancelledError || !answersWithError(this)) throw error;
					return [{ json: { error: (error as Error).message } }];
				}),
			];
		}
	};
}
