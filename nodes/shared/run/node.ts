import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { fill, texts, type Filling, type Template, type Text } from '../errors/catalogue';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { InputItem, type InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/items';
import { readOptions } from '../form/options';
import { isTool, mayRunAgain } from '../host/workarounds';
import { Tally } from '../session/tally';
import type { Action, Resources } from './action';
import { errorData, toNodeError, toToolError, type NodeError } from './errors';
import { executionHints } from './hints';
import { describeProgress, type CallOutcome, type CompletedCall } from './progress';
import { Redactor } from './redact';
import { MAX_WITHOUT_PAUSE, schedule } from './schedule';
import { Targets } from './targets';
import { carryOut, prepareCall, type DecidedCall } from './write';
import { WriteRecord } from './writeRecord';

/** Maximum length of a batch summary, in characters. */
const MAX_PROGRESS = 2000;

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

function actionOf(context: IExecuteFunctions, first: InputItem, resources: Resources): Action {
	const resource = first.read('resource') as string;
	const operation = first.read('operation', '') as string;
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		throw operationError(context, texts.invalid.customApiCall, {});
	}
	const action = resources[resource]?.operations[operation];
	if (action === undefined) {
		throw operationError(context, texts.invalid.operation, { operation, resource });
	}
	if (action.kind === 'once' && isTool(context)) {
		throw operationError(context, texts.invalid.asTool, { operation: action.name, resource });
	}
	return action;
}

/**
 * Makes the calls of a run. If something that all calls need is missing, every call fails with that
 * error.
 *
 * @returns the outcomes of all calls, and what masks their secrets
 */
async function runCalls(
	context: IExecuteFunctions,
	items: InputItems,
	action: Action,
	tally: Tally,
	record: WriteRecord,
): Promise<{ calls: readonly CallOutcome[]; redactor: Redactor }> {
	let groups: readonly InputItems[] =
		action.kind === 'once' ? [items] : groupItems(action.request, items);
	let targets: Targets | undefined;
	try {
		const options = readOptions(items[0], action.effect);
		const read = await Targets.read(context, action.takesDomain, options, tally);
		targets = read;
		groups = read.splitByDomain(groups);
		// Only its keys are kept of a call until the run ends: its request may be large.
		const keysOf = new Array<IDataObject>(groups.length);
		const outcomes = await schedule<CompletedCall>({
			count: groups.length,
			concurrency: options.concurrency,
			// An error of an earlier try must not stop the other calls.
			stopsAt: (error) =>
				error instanceof CancelledError ||
				!(context.continueOnFail() || (error instanceof ServiceError && error.isRecalled)),
			prepare(index) {
				const group = groups[index] as InputItems;
				const [first] = group;
				if (context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
				let call: DecidedCall | undefined;
				try {
					const target = read.of(first);
					const prepared = prepareCall(action, group);
					call = prepared;
					const run = async (): Promise<CompletedCall> => {
						const result = await carryOut(record, target, first.index, prepared);
						const named = action.keysInItems(first, prepared.keys);
						const keys = options.includeRequestKeys ? named : undefined;
						// Copies, since later nodes may change an item. `Object.assign`, since two spreads
						// create a hidden class for each item.
						const records = result.records.map((one) => Object.assign({}, keys, one));
						return { ...result, records };
					};
					return { key: JSON.stringify([target.connection.domain, prepared.subject]), run };
				} finally {
					keysOf[index] = call?.keys ?? readableKeys(first, action.request);
				}
			},
		});
		await tally.settled();
		const calls = groups.map((group, index): CallOutcome => {
			return { items: group, keys: keysOf[index] ?? {}, outcome: outcomes[index] };
		});
		return { calls, redactor: new Redactor(read.secrets) };
	} catch (error) {
		const outcome = { ok: false, error } as const;
		const calls = groups.map((group) => ({ items: group, keys: {}, outcome }));
		return { calls, redactor: new Redactor(targets?.secrets ?? []) };
	}
}

/**
 * Returns the item of a failed call. For the error output, n8n expects `error` alone and adds the
 * item's input itself; for the regular output, the input is included here. The item's own `error`
 * property stays unset, since n8n would otherwise drop the input.
 */
function failedItem({ node, json, index }: InputItem, error: NodeError): INodeExecutionData {
	const own = node.onError === 'continueErrorOutput' ? {} : json;
	return { json: { ...own, error: errorData(error) }, pairedItem: { item: index } };
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
	const [first, ...others] = context
		.getInputData()
		.map((_, index) => new InputItem(context, index));
	if (first === undefined) return [[]];
	const known = actionOf(context, first, resources);
	const action =
		known.kind === 'chosen' ? { ...known, effect: known.declaredEffect(first) } : known;
	const tally = new Tally();
	const record = new WriteRecord(context);
	const { calls, redactor } = await runCalls(context, [first, ...others], action, tally, record);
	const hints = executionHints(action, calls, tally, redactor);
	if (hints.length > 0) context.addExecutionHints(...hints);
	const output: INodeExecutionData[] = [];
	let failed = 0;
	for (const { items, keys, outcome } of calls) {
		if (outcome === undefined) continue;
		if (outcome.ok) {
			const [{ index: item }] = items;
			const pairedItem = items.length > 1 ? items.map(({ index }) => ({ item: index })) : { item };
			for (const json of outcome.value.records) output.push({ json, pairedItem });
			continue;
		}
		if (outcome.error instanceof CancelledError) throw outcome.error;
		for (const item of items) {
			const error = toNodeError(outcome.error, item, action, keys, redactor, items);
			if (!context.continueOnFail()) {
				if (action.effect === 'write' && others.length > 0) {
					const isSubWorkflow = context.getMode() === 'integrated';
					const progress = describeProgress(calls, action, isSubWorkflow);
					error.description = [error.description, redactor.clean(progress, MAX_PROGRESS)].join(' ');
				}
				if (action.effect === 'write') record.open();
				throw toToolError(context, error);
			}
			output.push(failedItem(item, error));
			failed += 1;
			if (failed % MAX_WITHOUT_PAUSE === 0) await sleep(0);
		}
	}
	const isDryRun = calls.every(({ outcome }) => outcome?.ok && outcome.value.status === 'dryRun');
	if (action.effect === 'write' && !isDryRun && !mayRunAgain(context, output)) record.drop();
	return [output];
}
