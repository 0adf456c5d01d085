import { isExpression } from 'n8n-workflow';
import type { Effect } from '../contract/operation';
import { toConnection, withDomain } from '../credential/connection';
import type { RequestHost } from '../host/requests';
import { serviceError } from '../errors/catalog';
import { CancelledError } from '../errors/ServiceError';
import { createAccess, type ExchangeLimits, type ServiceAccess } from '../exchange/exchange';
import type { InputItem } from '../form/inputItem';
import { readDomain } from '../form/options';
import { isTool } from '../host/runs';
import { Vault } from './vault';

/** The connection that a call uses. */
export interface Target extends ServiceAccess<Effect> {
	/** Keeps what is recorded of its calls. */
	readonly vault: Vault;
	/** What all targets of a run share. */
	readonly ofRun: {
		/** How many readings in a row, after a write, did not show what was wanted. */
		inVain: number;
		/** The employees and companies about which a write is in doubt. */
		readonly doubts: Set<string>;
	};
}

/** The targets of a run's items: one connection, whose Domain an option of the node can replace. */
export interface Targets {
	/** The target of an item without a Domain of its own. */
	readonly shared: Target;
	/** @throws {ServiceError} if the Domain of the item is not usable */
	of(item: InputItem): Target;
}

/**
 * Reads the credential.
 *
 * @param takesDomain whether the operation has the option Domain
 * @throws {ServiceError} if the credential is not usable, or an AI model could choose the Domain
 * @throws {CancelledError} if the user cancelled the run
 */
export async function readTargets(
	host: RequestHost,
	first: InputItem,
	takesDomain: boolean,
	limits: ExchangeLimits,
): Promise<Targets> {
	if (host.cancel?.aborted) throw new CancelledError();
	const options = Object(first.stored('options')) as { domain?: unknown };
	if (takesDomain && isTool(first.node) && isExpression(options.domain)) {
		throw serviceError('DOMAIN_INVALID/ofModel');
	}
	const connection = toConnection(await host.readCredential());
	const shared: Target = {
		...createAccess(host, connection, limits),
		vault: new Vault(connection.clientSecret || connection.subscriptionKey),
		ofRun: { inVain: 0, doubts: new Set() },
	};
	return {
		shared,
		of(item) {
			const domain = takesDomain ? readDomain(item) : undefined;
			if (domain === undefined) return shared;
			return { ...shared, connection: withDomain(connection, domain) };
		},
	};
}
