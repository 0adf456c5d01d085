import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { fill, texts, type Filling, type Template, type Text } from '../errors/catalogue';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { Tally } from '../exchange/tally';
import { readableKeys } from '../form/items';
import { readOptions, type CallOptions } from '../form/options';
import { mayRunAgain } from '../host/runs';
import { isTool } from '../host/tool';
import type { Action, Call, Resources } from './action';
import { errorData, toNodeError, toToolError, type NodeError } from './errors';
import { executionHints } from './hints';
import { describeProgress, type CallOutcome, type CompletedCall } from './progress';
import { presentable } from './redact';
import { MAX_WITHOUT_PAUSE, schedule } from './schedule';
import { Targets, type Target } from './targets';
import { write } from './write';
import { WriteRecord } from './writeRecord';

/** Maximum length of a batch summary, in characters. */
const MAX_PROGRESS = 2000;

/** Indexes of the input items that make one call. */
type Group = readonly number[];

/** A run of a node, with everything that its calls share. */
interface Run {
	readonly context: IExecuteFunctions;
	readonly action: Action;
	readonly options: CallOptions;
	readonly targets: Targets;
	readonly record: WriteRecord;
}

/**
 * n8n adds this value to the lists of resources and operations, to refer to its HTTP Request node.
 */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Returns the error of a node that cannot run as it is set. */
function operationError<T extends string>(
	context: IExecuteFunctions,
	{ title, advice }: { readonly title: Template<T>; readonly advice: Text },
	values: Filling<T>,
): NodeOperationError {
	const description = advice;
	return new NodeOperationError(context.getNode(), fill(title, values), { description });
}

function actionOf(context: IExecuteFunctions, resources: Resources): Action {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0, '') as string;
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		throw operationError(context, texts.invalid.customApiCall, {});
	}
	const action = resources[resource]?.operations[operation];
	if (action === undefined) {
		throw operationError(context, texts.invalid.operation, { operation, resource });
	}
	if (action.unavailableAsTool && isTool(context)) {
		throw operationError(context, texts.invalid.asTool, { operation: action.name, resource });
	}
	return action;
}

/** Calls the service for each group of input items and returns the outcomes in the same order. */
async function callAll(run: Run, groups: readonly Group[]): Promise<readonly CallOutcome[]> {
	const { context, action, options, targets, record } = run;
	// Only its keys are kept of a call until the run ends: its request may be large.
	const keysOf = new Array<IDataObject>(groups.length);
	const continuesOnFail = context.continueOnFail();

	function prepareCall(index: number, [first = 0, ...others]: Group): [Target, Call] {
		if (context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
		let call: Call | undefined;
		try {
			const target = targets.of(first);
			call = action.prepare(target.context, [first, ...others]);
			return [target, call];
		} finally {
			keysOf[index] = call?.keys ?? readableKeys(context, action.request, action.keys, first);
		}
	}

	async function carryOut(item: number, target: Target, call: Call): Promise<CompletedCall> {
		const result: CompletedCall =
			call.effect === 'read'
				? { ...(await call.read(target)), status: 'read' }
				: await write(record, target, item, call);
		const keys = options.includeRequestKeys ? (call.itemKeys ?? call.keys) : undefined;
		// Copies, since later nodes may change an item. `Object.assign`, since two spreads create a
		// hidden class for each item.
		const records = result.records.map((one) => Object.assign({}, keys, one));
		return { ...result, records };
	}

	const outcomes = await schedule<CompletedCall>({
		count: groups.length,
		concurrency: options.concurrency,
		// An error of an earlier try must not stop the other calls.
		stopsAt: (error) =>
			error instanceof CancelledError ||
			!(continuesOnFail || (error instanceof ServiceError && error.isRecalled)),
		prepare(index) {
			const items = groups[index] ?? [];
			const [target, call] = prepareCall(index, items);
			const key = JSON.stringify([target.key, call.subject]);
			return { key, run: async () => await carryOut(items[0] ?? 0, target, call) };
		},
	});
	return groups.map((items, index) => {
		return { items, keys: keysOf[index] ?? {}, outcome: outcomes[index] };
	});
}

/**
 * Makes the calls of a run. If something that all calls need is missing, every call fails with that
 * error.
 *
 * @returns the outcomes of all calls, and the values to mask
 */
async function runCalls(
	context: IExecuteFunctions,
	action: Action,
	tally: Tally,
	record: WriteRecord,
): Promise<{ calls: readonly CallOutcome[]; secrets: readonly string[] }> {
	let groups: readonly Group[] =
		action.group?.(context) ?? context.getInputData().map((_, index) => [index]);
	let targets: Targets | undefined;
	try {
		const options = readOptions(context, action.effect);
		targets = await Targets.read(context, action.takesDomain, options, tally);
		groups = targets.splitByTarget(groups);
		const calls = await callAll({ context, action, options, targets, record }, groups);
		await tally.settled();
		return { calls, secrets: targets.secrets };
	} catch (error) {
		const outcome = { ok: false, error } as const;
		const calls = groups.map((items) => ({ items, keys: {}, outcome }));
		return { calls, secrets: targets?.secrets ?? [] };
	}
}

/**
 * Returns the item of a failed call. For the error output, n8n expects `error` alone and adds the
 * item's input itself; for the regular output, the input is included here. The item's own `error`
 * property stays unset, since n8n would otherwise drop the input.
 */
function failedItem(
	context: IExecuteFunctions,
	input: INodeExecutionData | undefined,
	error: NodeError,
	item: number,
): INodeExecutionData {
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const own = toErrorOutput ? {} : input?.json;
	return { json: { ...own, error: errorData(error) }, pairedItem: { item } };
}

/**
 * Runs a node. Each input item is one call, or each group of items if the operation groups them.
 * Output items are in input order, each paired with the input items of its call. A failed call ends
 * the run; with "continue on fail", it becomes one item per input item, with the input and the
 * error.
 *
 * @throws {NodeApiError | NodeOperationError} the first failure in input order
 * @throws {CancelledError} if the user cancelled the run
 */
export async function runNode(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const known = actionOf(context, resources);
	const action = { ...known, effect: known.declaredEffect?.(context) ?? known.effect };
	const tally = new Tally();
	const record = new WriteRecord(context);
	const { calls, secrets } = await runCalls(context, action, tally, record);
	const hints = executionHints(action, calls, tally, secrets);
	if (hints.length > 0) context.addExecutionHints(...hints);
	const inputs = context.getInputData();
	const output: INodeExecutionData[] = [];
	let failed = 0;
	for (const { items, keys, outcome } of calls) {
		if (outcome === undefined) continue;
		if (outcome.ok) {
			const [first = 0] = items;
			const pairedItem = items.length > 1 ? items.map((item) => ({ item })) : { item: first };
			for (const json of outcome.value.records) output.push({ json, pairedItem });
			continue;
		}
		if (outcome.error instanceof CancelledError) throw outcome.error;
		for (const item of items) {
			const error = toNodeError(context, outcome.error, item, action, keys, secrets, items);
			if (!context.continueOnFail()) {
				if (action.effect === 'write' && inputs.length > 1) {
					const progress = presentable(
						describeProgress(calls, action, context.getMode() === 'integrated'),
						secrets,
						MAX_PROGRESS,
					);
					error.description = [error.description, progress].join(' ');
				}
				if (action.effect === 'write') record.keep();
				throw toToolError(context, error);
			}
			output.push(failedItem(context, inputs[item], error, item));
			failed += 1;
			if (failed % MAX_WITHOUT_PAUSE === 0) await sleep(0);
		}
	}
	const isDryRun = calls.every(({ outcome }) => outcome?.ok && outcome.value.status === 'dryRun');
	if (action.effect === 'write' && !isDryRun && !mayRunAgain(context, output)) record.drop();
	return [output];
}
