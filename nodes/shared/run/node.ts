import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';
import { readOptions } from '../form/options';
import { readConnection, type Connection } from '../transport/connection';
import { createExchange } from '../transport/exchange';
import { sessionOf } from '../transport/session';
import type { Action, Resources } from './action';
import { errorData, toNodeError, type NodeError } from './errors';
import { schedule, type Outcome } from './schedule';

type Outcomes = Array<Outcome<IDataObject[]> | undefined>;

function actionOf(context: IExecuteFunctions, resources: Resources): Action {
	const resource = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const action = resources[resource]?.operations[operation];
	if (action === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`The operation "${operation}" of "${resource}" is not known`,
		);
	}
	return action;
}

/** Calls the service for every input item. */
async function callAll(
	context: IExecuteFunctions,
	action: Action,
	connection: Connection,
	count: number,
): Promise<Outcomes> {
	const options = readOptions(context, action.effect);
	const exchange = createExchange(context, connection, options);
	const goesOn = context.continueOnFail();
	return await schedule({
		count,
		concurrency: options.concurrency,
		stopsAt: (error) => error instanceof CancelledError || !goesOn,
		prepare(itemIndex) {
			const call = action.prepare(context, itemIndex);
			return {
				key: call.subject,
				async run() {
					const records = await call.send(exchange, connection);
					if (!options.includeRequestKeys) return records;
					return records.map((record) => ({ ...call.keys, ...record }));
				},
			};
		},
	});
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
function describeProgress(outcomes: Outcomes): string {
	const done = outcomes.filter((outcome) => outcome?.ok).length;
	return done === 0
		? 'No other item of this run was applied.'
		: `${done} of ${outcomes.length} items of this run were applied.`;
}

/**
 * Runs a node: every input item is one call; the items of the answers go out in input order, each
 * paired with its input item. An item that fails ends the run, or with "continue on fail" becomes
 * an item that carries its own input and the error.
 *
 * @throws {NodeApiError | NodeOperationError} the first failure in input order
 */
export async function runNode(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData();
	const action = actionOf(context, resources);
	let secrets: readonly string[] = [];
	let outcomes: Outcomes;
	try {
		const connection = await readConnection(context);
		secrets = [connection.domain, connection.subscriptionKey, connection.accessToken];
		outcomes = await callAll(context, action, connection, items.length);
	} catch (error) {
		// What all items need is missing: each of them fails for this reason.
		outcomes = items.map(() => ({ ok: false, error }));
	}
	const output: INodeExecutionData[] = [];
	outcomes.forEach((outcome, item) => {
		if (outcome === undefined) return;
		if (outcome.ok) {
			for (const json of outcome.value) output.push({ json, pairedItem: { item } });
			return;
		}
		if (outcome.error instanceof CancelledError) throw outcome.error;
		const error = toNodeError(context, outcome.error, item, action.effect, [
			...secrets,
			sessionOf(context).token ?? '',
		]);
		if (!context.continueOnFail()) {
			if (action.effect === 'write' && items.length > 1) {
				error.description = [error.description, describeProgress(outcomes)].join(' ');
			}
			throw error;
		}
		output.push(failedItem(context, items[item], error, item));
	});
	return [output];
}
