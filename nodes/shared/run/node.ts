import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { RequestHost } from '../host/requests';
import { CancelledError, type ServiceError } from '../errors/ServiceError';
import { serviceError } from '../errors/catalog';
import { InputItem, type InputItems } from '../form/inputItem';
import { readsColumns } from '../form/names';
import { briefRecords, tableOf } from '../form/tool';
import { toToolError, withMessage } from '../host/errors';
import { inTurns } from '../host/eventLoop';
import {
	answersWithError,
	CUSTOM_API_CALL,
	failedJson,
	isTool,
	mayRunAgain,
	subExecution,
} from '../host/runs';
import { escapeXml } from '../soap/xml';
import type { Action, CallOutput, CompletedCall, Resources } from './action';
import { type EndedCalls, type Run, runCalls } from './calls';
import { errorData, type NodeError, refusalOf, rowFailures, toNodeError } from './errors';
import { describeProgress, executionHints, isPreview } from './progress';
import { WriteRecord } from './writeRecord';

/** Maximum length of a batch summary, in characters. */
const MAX_PROGRESS = 2000;

/** Returns the error of a node that cannot run as it is set. */
function usageError(node: INode, error: ServiceError): NodeError {
	const { code, message, description = '' } = error;
	const nodeError = new NodeOperationError(node, message, { description });
	nodeError.context.data = { code };
	return toToolError(node, nodeError);
}

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
	for await (const { items, keys, outcome, earlier } of inTurns(calls)) {
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
		if (outcome.error instanceof CancelledError) throw outcome.error;
		const refused = run.continuesOnFail ? undefined : refusalOf(calls, action, redactor);
		const error = refused ?? toNodeError(outcome.error, { items, action, keys, redactor, earlier });
		if (run.continuesOnFail) {
			const data = errorData(error);
			const rows = rowFailures(outcome.error, action, items, error.message, redactor);
			for await (const [i, { index, json }] of inTurns(items.entries())) {
				const failed = failedJson(node, json, data, rows[i]);
				output.push({ json: failed, pairedItem: { item: index } });
			}
			continue;
		}
		if (action.effect === 'write' && (run.items.length > 1 || run.subExecution !== undefined)) {
			const progress = describeProgress(calls, action, run.subExecution);
			error.description = [error.description, redactor.clean(progress, MAX_PROGRESS)].join(' ');
		}
		const ending = toToolError(node, error);
		// The editor renders descriptions as HTML; messages as text, and in its notifications as HTML.
		if (ending.description) ending.description = escapeXml(ending.description);
		throw withMessage(ending, ending.message.replace(/<(?=[a-z/!])/gi, '‹'));
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
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		throw usageError(node, serviceError('OPERATION_UNUSABLE/customApiCall'));
	}
	const chosen = resources[resource]?.operations[operation];
	if (chosen === undefined) {
		throw usageError(node, serviceError('OPERATION_UNUSABLE/unknown', { operation, resource }));
	}
	if (chosen.kind === 'once' && isTool(node)) {
		const facts = { operation: chosen.name, resource };
		throw usageError(node, serviceError('OPERATION_UNUSABLE/agent', facts));
	}
	if (isTool(node) && readsColumns(first)) {
		throw usageError(node, serviceError('OPERATION_UNUSABLE/columnsOfAgent'));
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
	if (ended.calls.some(({ outcome }) => outcome?.ok !== true)) record.markFailed();
	const hints = executionHints(action, ended);
	if (hints.length > 0) context.addExecutionHints(...hints);
	const output = await outputOf(run, ended);
	const isDry = ended.calls.every(({ outcome }) => outcome?.ok && isPreview(outcome.value.status));
	if (action.effect === 'write' && !isDry && !mayRunAgain(node, output)) record.drop();
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
