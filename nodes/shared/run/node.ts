import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { RequestHost } from '../host/requests';
import { CancelledError, type ServiceError, serviceError } from '../errors/ServiceError';
import { InputItem, type InputItems } from '../form/inputItem';
import { readsColumns } from '../form/names';
import { briefRecords, tableOf } from '../form/tool';
import { toToolError } from '../host/errors';
import { inTurns } from '../host/eventLoop';
import { answersWithError, isTool, subExecution } from '../host/runs';
import { describeError } from '../messages/catalog';
import {
	type Action,
	type CallOutput,
	type CompletedCall,
	isPreview,
	type Resources,
} from './action';
import { type EndedCalls, type Run, runCalls } from './calls';
import { failedItems, runError } from './errors';
import { executionHints } from './hints';
import { WriteRecord } from './writeRecord';

/**
 * n8n adds this value to the lists of resources and operations, to refer to its HTTP Request node:
 * `load-nodes-and-credentials.ts` of its server.
 */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Returns what an AI model reads of a call: of a file its name, type and size. */
function answerForModel(
	action: Action,
	item: InputItem,
	{ records: all, files, status, leftOut, keys = {} }: CompletedCall,
	prepared: IDataObject,
): CallOutput {
	const records = all.map((record, i) => {
		const ofRecord = Object.entries(files?.[i] ?? {});
		const described = ofRecord.map(([field, { fileName, mimeType, fileSize }]) => {
			return [field, { name: fileName, type: mimeType, size: fileSize }] as const;
		});
		return { ...record, ...Object.fromEntries(described) };
	});
	if (action.kind === 'write' || isPreview(status)) return { records: briefRecords(records) };
	const named = action.keysInItems(item, { ...prepared, ...keys });
	return { records: [tableOf(item, named, records, leftOut)] };
}

/**
 * Returns the output items of the calls, in input order, each paired with the items of its call.
 *
 * @throws {NodeApiError | NodeOperationError | CancelledError} the first failure, unless items continue: of a
 * batch of writes, it also says how much was applied
 */
async function outputOf(run: Run, ended: EndedCalls): Promise<INodeExecutionData[]> {
	const { action } = run;
	const { calls, redactor } = ended;
	const output: INodeExecutionData[] = [];
	for await (const call of inTurns(calls)) {
		const { items, keys, outcome } = call;
		if (outcome === undefined) continue;
		const [{ index: item, node }] = items;
		if (outcome.ok) {
			const pairedItem = items.length > 1 ? items.map(({ index }) => ({ item: index })) : { item };
			const { records, files } = isTool(node)
				? answerForModel(action, items[0], outcome.value, keys)
				: outcome.value;
			for (const [i, json] of records.entries()) {
				const binary = files?.[i];
				output.push({ json, ...(binary && { binary }), pairedItem });
			}
			continue;
		}
		const { error: failure } = outcome;
		if (failure instanceof CancelledError) throw failure;
		if (run.continuesOnFail) {
			const failed = failedItems({ ...call, error: failure }, action, redactor);
			for await (const [i, json] of inTurns(failed.entries())) {
				output.push({ json, pairedItem: { item: (items[i] as InputItem).index } });
			}
			continue;
		}
		throw runError(calls, action, redactor, run.subExecution);
	}
	return output;
}

/** Runs a node on its input items, see {@link runNode}. */
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
	const run: Run = {
		items,
		action,
		host: new RequestHost(context, context.getExecutionCancelSignal()),
		record,
		// The input of a tool is that of its agent: it must not be part of an answer.
		continuesOnFail: context.continueOnFail() && !isTool(node),
		subExecution: subExecution(context)?.name,
	};
	const ended = await runCalls(run);
	const outcomes = ended.calls.map(({ outcome }) => outcome);
	if (outcomes.some((outcome) => outcome?.ok !== true)) record.markFailed();
	const hints = executionHints(action, ended);
	if (hints.length > 0) context.addExecutionHints(...hints);
	const output = await outputOf(run, ended);
	const isDry = outcomes.every((outcome) => outcome?.ok && isPreview(outcome.value.status));
	// With *Retry On Fail*, n8n runs the node again if the JSON of the first item has an `error`:
	// `workflow-execute.ts` of n8n-core.
	const mayRunAgain = node.retryOnFail === true && output[0]?.json.error !== undefined;
	if (action.effect === 'write' && !isDry && !mayRunAgain) record.drop();
	return output;
}

/**
 * Runs a node. Each input item is one call, or each group of items if the operation groups them. A failed call
 * ends the run; with "continue on fail", it becomes one item per input item, with the input and the error. Of a
 * tool that an agent calls, the answer is then the text of the error alone.
 *
 * @throws {NodeApiError | NodeOperationError} the first failure in input order
 * @throws {CancelledError} if the user cancelled the run
 */
export async function runNode(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const [first, ...others] = context
		.getInputData()
		.map((_, index) => new InputItem(context, index));
	if (first === undefined) return [[]];
	const record = new WriteRecord(context);
	const run = runItems(context, resources, [first, ...others], record);
	const output = await run.catch((error: unknown) => {
		// For n8n's retry of a run that failed, it says that the run has ended, and what it wrote.
		record.open();
		if (error instanceof CancelledError || !answersWithError(context)) throw error;
		return [{ json: { error: (error as Error).message } }];
	});
	return [output];
}
