import { isExpression } from 'n8n-workflow';
import type { Effect } from '../contract/operation';
import { toConnection, withDomain } from '../credential/connection';
import type { RequestHost } from '../host/requests';
import { serviceError } from '../errors/catalog';
import { CancelledError } from '../errors/ServiceError';
import { createAccess, type ExchangeLimits, type ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupBy } from '../form/mapping/items';
import { readDomain } from '../form/options';
import { isTool } from '../host/runs';
import { Redactor } from './redact';
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

/** Returns what masks the secrets of a connection, with its current access token. */
export function redactorOf({ connection, session }: ServiceAccess): Redactor {
	return new Redactor([...connection.secrets, session.token ?? '']);
}

/** The targets of a run's items: one connection, whose Domain an option of the node can replace. */
export class Targets {
	private readonly byDomain = new Map<string, Target>();

	private constructor(
		/** The target of an item without a Domain of its own. */
		readonly shared: Target,
		private readonly takesDomain: boolean,
	) {}

	/**
	 * Reads the credential.
	 *
	 * @param takesDomain whether the operation has the option Domain
	 * @throws {ServiceError} if the credential is not usable, or an AI model could choose the Domain
	 * @throws {CancelledError} if the user cancelled the run
	 */
	static async read(
		host: RequestHost,
		first: InputItem,
		takesDomain: boolean,
		limits: ExchangeLimits,
	): Promise<Targets> {
		if (host.cancel?.aborted) throw new CancelledError();
		const { domain } = Object(first.stored('options')) as { domain?: unknown };
		if (takesDomain && isTool(first.node) && isExpression(domain))
			throw serviceError('DOMAIN_INVALID/ofModel');
		const connection = toConnection(await host.readCredential());
		const vault = new Vault(connection.clientSecret || connection.subscriptionKey);
		const access = createAccess(host, connection, limits);
		const shared = { ...access, vault, ofRun: { inVain: 0, doubts: new Set<string>() } };
		return new Targets(shared, takesDomain);
	}

	/** @throws {ServiceError} if the Domain of the item is not usable */
	of(item: InputItem): Target {
		const domain = this.takesDomain ? readDomain(item) : undefined;
		if (domain === undefined) return this.shared;
		const connection = withDomain(this.shared.connection, domain);
		const target = this.byDomain.get(connection.domain) ?? { ...this.shared, connection };
		this.byDomain.set(connection.domain, target);
		return target;
	}

	/** Splits groups of input items by Domain: a call must not contain rows of two environments. */
	async splitByDomain(groups: readonly InputItems[]): Promise<readonly InputItems[]> {
		const domainOf = (item: InputItem) => this.of(item).connection.domain;
		const split: InputItems[] = [];
		for (const items of groups) {
			if (items.length === 1) split.push(items);
			else for (const one of await groupBy(items, domainOf)) split.push(one);
		}
		return split;
	}

	/** Returns what masks the secrets of all items. */
	redactor(): Redactor {
		return redactorOf(this.shared);
	}
}
