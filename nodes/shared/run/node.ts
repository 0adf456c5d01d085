import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';
import { readableKeys } from '../form/items';
import { readOptions } from '../form/options';
import { readConnection, type Connection } from '../transport/connection';
import { createExchange } from '../transport/exchange';
import { sessionOf } from '../transport/session';
import { Tally } from '../transport/tally';
import type { Action, CallResult, PreparedCall, Resources } from './action';
import { errorData, toldToCaller, toNodeError, type NodeError } from './errors';
import { executionHints } from './hints';
import { schedule, type Outcome } from './schedule';
import { isTool } from './tool';

/** The indices of the input items that make one call. */
type Group = readonly number[];

/** How a call ended, `undefined` where it was not begun. */
interface Ended {
	readonly items: Group;
	/** Whom and when it was about, as far as that is known. */
	readonly keys: IDataObject;
	readonly outcome: Outcome<CallResult> | undefined;
}

function actionOf(context: IExecuteFunctions, resources: Resources): Action {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const action = resources[resource]?.operations[operation];
	if (action === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`The operation "${operation}" of "${resource}" is not known`,
			{
				description:
					'Probably the workflow was made with another version of this package. Choose the resource and the operation again.',
			},
		);
	}
	if (action.isForPeople && isTool(context)) {
		throw new NodeOperationError(
			context.getNode(),
			`The operation "${action.name}" of "${resource}" cannot be a tool of an AI agent`,
			{ description: 'Run it in a workflow of your own.' },
		);
	}
	return action;
}

/** Calls the service for every group of input items; gives what came of each, in their order. */
async function callAll(
	context: IExecuteFunctions,
	action: Action,
	connection: Connection,
	groups: readonly Group[],
	tally: Tally,
): Promise<Ended[]> {
	const options = readOptions(context, action.effect);
	const exchange = createExchange(context, connection, options, tally);
	const calls = new Map<number, PreparedCall>();
	const goesOn = context.continueOnFail();
	const outcomes = await schedule<CallResult>({
		count: groups.length,
		concurrency: options.concurrency,
		stopsAt: (error) => error instanceof CancelledError || !goesOn,
		prepare(index) {
			const call = action.prepare(context, groups[index] ?? []);
			calls.set(index, call);
			return {
				key: call.subject,
				async run() {
					const result = await call.send(exchange, connection);
					if (!options.includeRequestKeys) return result;
					// By Object.assign: two spreads would make a hidden class for each single item.
					const records = result.records.map((record) => Object.assign({}, call.keys, record));
					return { ...result, records };
				},
			};
		},
	});
	return groups.map((items, index) => {
		const [first = 0] = items;
		const outcome = outcomes[index];
		const keys =
			calls.get(index)?.keys ??
			(outcome === undefined ? {} : readableKeys(context, action.request, action.keys, first));
		return { items, keys, outcome };
	});
}

/** Tells the builder what is of interest in a run beside its items; the errors have their own words. */
function addHints(
	context: IExecuteFunctions,
	action: Action,
	calls: readonly Ended[],
	tally: Tally,
	secrets: readonly string[],
): void {
	const done = calls.flatMap(({ keys, outcome }) =>
		outcome?.ok ? [{ keys, result: outcome.value }] : [],
	);
	const hints = executionHints(action, done, tally, secrets);
	if (hints.length > 0) context.addExecutionHints(...hints);
}

/**
 * The item of a failed call. For the error output n8n expects `error` alone and adds the item's own
 * input itself; for the regular output the input is carried forward here. The item's `error`
 * property stays unset, since n8n would then drop the input.
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

/** For a batch of writes that ends early: how much of it was done, so that nobody does it again. */
function describeProgress(calls: readonly Ended[], count: number): string {
	const done = calls.filter(({ outcome }) => outcome?.ok && outcome.value.isPreview !== true);
	const applied = done.reduce((sum, { items }) => sum + items.length, 0);
	return applied === 0
		? 'No other item of this run was applied.'
		: `${applied} of ${count} items of this run were applied.`;
}

/**
 * Runs a node: every input item is one call, or a group of them where the operation says so; the
 * items of the answers go out in input order, each paired with the input items of its call. A call
 * that fails ends the run, or with "continue on fail" becomes an item for each of its input items,
 * which carries its own input and the error.
 *
 * @throws {NodeApiError | NodeOperationError} the first failure in input order
 */
export async function runNode(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const inputs = context.getInputData();
	const action = actionOf(context, resources);
	const groups = action.group?.(context) ?? inputs.map((_, index) => [index]);
	const tally = new Tally();
	let secrets: readonly string[] = [];
	let calls: Ended[];
	try {
		const connection = await readConnection(context);
		secrets = connection.secrets;
		calls = await callAll(context, action, connection, groups, tally);
	} catch (error) {
		// What all items need is missing: each of them fails for this reason.
		calls = groups.map((items) => ({ items, keys: {}, outcome: { ok: false, error } }));
	}
	const known = [...secrets, sessionOf(context).token ?? ''];
	addHints(context, action, calls, tally, known);
	const output: INodeExecutionData[] = [];
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
			const error = toNodeError(context, outcome.error, item, action, keys, known);
			if (!context.continueOnFail()) {
				if (action.effect === 'write' && inputs.length > 1) {
					error.description = [error.description, describeProgress(calls, inputs.length)].join(' ');
				}
				throw toldToCaller(context, error);
			}
			output.push(failedItem(context, inputs[item], error, item));
		}
	}
	return [output];
}
