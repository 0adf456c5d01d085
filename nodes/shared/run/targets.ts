/**
 * The targets of a run's calls. A credential's fields may be expressions, evaluated for each item.
 */
import {
	isExpression,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { dependsOnItem, toConnection, withDomain, type Connection } from '../credential/connection';
import { RequestHost } from '../credential/requestHost';
import { CancelledError, failure, texts } from '../errors/ServiceError';
import { createAccess, type ExchangeLimits, type ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupBy } from '../form/items';
import { readDomain } from '../form/options';
import { isTool } from '../host/workarounds';
import type { Tally } from '../session/tally';
import type { Outcome } from './schedule';
import { Vault } from './vault';

/** The connection that a call uses. */
export interface Target extends ServiceAccess<Effect> {
	/** Equal for calls with the same target. */
	readonly key: string;
	/** Equal for targets that differ in the Domain alone. */
	readonly environment: string;
	/** Keeps what is recorded of its calls. */
	readonly vault: Vault;
}

/** Returns the values to mask in texts about a call. */
export function secretsOf({ connection, session }: Target): readonly string[] {
	return [...connection.secrets, session.token ?? ''];
}

/** The targets of a run's input items. */
export class Targets {
	private readonly targets = new Map<string, Target>();
	/** By item index; a single entry if all items share a target. */
	private readonly byItem: Array<Outcome<Target>> = [];
	private isShared = false;

	/** @param takesDomain whether the operation has the option Domain */
	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly takesDomain: boolean,
	) {}

	/**
	 * Reads the credential: once for all items, or for each item if its fields depend on the item.
	 *
	 * @param takesDomain whether the operation has the option Domain
	 * @throws {ServiceError} if the credential is the same for all items and not usable
	 * @throws {CancelledError} if the user cancelled the run
	 */
	static async read(
		context: IExecuteFunctions,
		takesDomain: boolean,
		limits: ExchangeLimits,
		tally: Tally,
	): Promise<Targets> {
		const targets = new Targets(context, takesDomain);
		const cancel = context.getExecutionCancelSignal();
		for (const item of context.getInputData().keys()) {
			if (cancel?.aborted) throw new CancelledError();
			const host = new RequestHost(context, cancel, item);
			try {
				const data = await host.readCredential();
				targets.isShared = !dependsOnItem(data);
				if (!targets.isShared && isTool(context)) throw failure(texts.credential.ofTool);
				targets.byItem.push({ ok: true, value: targets.connect(data, host, limits, tally) });
			} catch (error) {
				targets.byItem.push({ ok: false, error });
			}
			if (targets.isShared) break;
		}
		const [first] = targets.byItem;
		if (targets.isShared && first?.ok === false) throw first.error;
		return targets;
	}

	/**
	 * Returns the target of an input item.
	 *
	 * @throws {ServiceError} naming the field of the credential, or the option, that is not usable
	 */
	of(item: InputItem): Target {
		const outcome = this.byItem[this.isShared ? 0 : item.index];
		if (outcome === undefined) throw new TypeError(`No credential was read for item ${item.index}`);
		if (!outcome.ok) throw outcome.error;
		const target = outcome.value;
		if (!this.takesDomain) return target;
		if (isTool(this.context) && isExpression(Object(item.stored('options')).domain)) {
			throw failure(texts.credential.domainOfTool);
		}
		const domain = readDomain(item);
		if (domain === undefined) return target;
		const connection = withDomain(target.connection, domain);
		return this.getOrCreate(target.environment, connection.domain, () => ({
			...target,
			connection,
		}));
	}

	/** Splits groups of input items by target: a call must not contain rows of two environments. */
	splitByTarget(groups: readonly InputItems[]): readonly InputItems[] {
		return groups.flatMap((items) =>
			items.length === 1 ? [items] : groupBy(items, (item) => this.of(item).key),
		);
	}

	/** The values to mask, of all items. */
	get secrets(): readonly string[] {
		return [...new Set([...this.targets.values()].flatMap(secretsOf))];
	}

	private connect(
		data: ICredentialDataDecryptedObject,
		host: RequestHost,
		limits: ExchangeLimits,
		tally: Tally,
	): Target {
		const connection = toConnection(data);
		const environment = environmentOf(data, connection);
		return this.getOrCreate(environment, connection.domain, () => {
			const access = createAccess(host, connection, limits, tally);
			const vault = new Vault(connection.clientSecret || connection.subscriptionKey);
			return { ...access, vault };
		});
	}

	/** Returns the target of an environment and a Domain, and creates it on first use. */
	private getOrCreate(
		environment: string,
		domain: string,
		make: () => Omit<Target, 'key' | 'environment'>,
	): Target {
		const settings = JSON.stringify([environment, domain]);
		const key = String(this.targets.size);
		const target = this.targets.get(settings) ?? { ...make(), environment, key };
		this.targets.set(settings, target);
		return target;
	}
}

/**
 * Identifies the settings of a connection as they are sent, without the Domain. The tokens are left
 * out: another process may renew them between two items.
 */
function environmentOf(data: ICredentialDataDecryptedObject, connection: Connection): string {
	const left = { domain: null, oauthTokenData: null, accessToken: null, refreshToken: null };
	return JSON.stringify({ ...data, ...connection, ...left, secrets: null });
}
