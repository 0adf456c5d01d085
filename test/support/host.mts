/** A node's context in hosts that differ from n8n, and the exchange of a run in one. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { CREDENTIAL, toConnection } from '../../nodes/shared/credential/connection.ts';
import {
	createAccess,
	type Exchange,
	type ExchangeLimits,
} from '../../nodes/shared/exchange/exchange.ts';
import { Tally } from '../../nodes/shared/exchange/tally.ts';

/** The context in a host with other helper functions. */
export function withHelpers(
	context: IExecuteFunctions,
	helpers: Partial<Record<keyof IExecuteFunctions['helpers'], unknown>>,
): IExecuteFunctions {
	const all = { ...context.helpers, ...helpers };
	return Object.create(context, { helpers: { value: all } }) as IExecuteFunctions;
}

/** The context in a host that cancels nothing. */
export function withoutCancel(context: IExecuteFunctions): IExecuteFunctions {
	const getExecutionCancelSignal = { value: () => undefined };
	return Object.create(context, { getExecutionCancelSignal }) as IExecuteFunctions;
}

/** The exchange of a run that uses the node's credential, with a service at this address. */
export async function exchangeIn(
	context: IExecuteFunctions,
	url: string,
	limits: Partial<ExchangeLimits> = {},
	tally = new Tally(),
): Promise<Exchange> {
	const stored = toConnection(await context.getCredentials(CREDENTIAL));
	const connection = { ...stored, restUrl: url, soapUrl: url };
	return createAccess(
		context,
		connection,
		{ timeoutMs: 30_000, maxBytes: 10_000, isAdaptive: false, ...limits },
		tally,
	).exchange;
}
