/** A node's context in hosts that differ from n8n, and the exchange of a run in one. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { toConnection } from '../../nodes/shared/credential/connection.ts';
import { RequestHost } from '../../nodes/shared/host/requests.ts';
import {
	createAccess,
	type Exchange,
	type ExchangeLimits,
} from '../../nodes/shared/exchange/exchange.ts';

/** The context in a host with other helper functions. */
export function withHelpers(
	context: IExecuteFunctions,
	helpers: Partial<Record<keyof IExecuteFunctions['helpers'], unknown>>,
): IExecuteFunctions {
	const all = { ...context.helpers, ...helpers };
	return Object.create(context, { helpers: { value: all } }) as IExecuteFunctions;
}

/** n8n, as the requests of a run need it. */
export function hostOf(context: IExecuteFunctions): RequestHost {
	return new RequestHost(context, context.getExecutionCancelSignal());
}

/** The exchange of a run that uses the node's credential, with a service at this address. */
export async function exchangeIn(
	context: IExecuteFunctions,
	url: string,
	limits: Partial<ExchangeLimits> = {},
	host = hostOf(context),
): Promise<Exchange> {
	const stored = toConnection(await host.readCredential());
	const connection = { ...stored, restUrl: url, soapUrl: url };
	const all = { timeoutMs: 30_000, maxBytes: 10_000, isAdaptive: false, ...limits };
	return createAccess(host, connection, all).exchange;
}
