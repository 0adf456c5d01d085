/** Where the calls of a run go: a credential's fields may be expressions, evaluated for each item. */
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';
import { readDomain } from '../form/options';
import {
	atItem,
	dependsOnItem,
	readCredential,
	toConnection,
	withDomain,
	type Connection,
} from '../transport/connection';
import { createExchange, type Exchange } from '../transport/exchange';
import type { Limits } from '../transport/send';
import { sessionOf } from '../transport/session';
import type { Tally } from '../transport/tally';
import type { Outcome } from './schedule';

/** Where a call goes. */
export interface Target {
	/** The same for calls that go to the same place. */
	readonly key: string;
	readonly connection: Connection;
	readonly exchange: Exchange;
	/** In which the credential's expressions are evaluated for its item. */
	readonly context: IExecuteFunctions;
}

/** The targets of a run's input items. */
export class Targets {
	private readonly targets = new Map<string, Target>();
	/** By item; where all items have the same target, the only one. */
	private readonly byItem: Array<Outcome<Target>> = [];
	private isShared = false;

	/** @param takesDomain whether the operation has the option Domain */
	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly takesDomain: boolean,
	) {}

	/**
	 * Reads the credential: once for all items, or for each of them where its fields depend on it.
	 *
	 * @throws {ServiceError} where it is not usable for any item
	 */
	static async read(
		context: IExecuteFunctions,
		takesDomain: boolean,
		limits: Limits,
		tally: Tally,
	): Promise<Targets> {
		const targets = new Targets(context, takesDomain);
		const cancel = context.getExecutionCancelSignal();
		for (const item of context.getInputData().keys()) {
			if (cancel?.aborted) throw new CancelledError();
			const own = atItem(context, item);
			try {
				const data = await readCredential(own);
				targets.isShared = !dependsOnItem(data);
				targets.byItem.push({ ok: true, value: targets.connect(data, own, limits, tally) });
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
	 * Where the call of an input item goes.
	 *
	 * @throws {ServiceError} naming the field of the credential, or the option, that is not usable
	 */
	of(item: number): Target {
		const outcome = this.byItem[this.isShared ? 0 : item];
		if (outcome === undefined) throw new TypeError(`No credential was read for item ${item}`);
		if (!outcome.ok) throw outcome.error;
		const target = outcome.value;
		const domain = this.takesDomain ? readDomain(this.context, item) : undefined;
		if (domain === undefined) return target;
		return this.once(JSON.stringify([target.key, domain]), () => ({
			...target,
			connection: withDomain(target.connection, domain),
		}));
	}

	/** Parts groups of input items by target: no call may carry the rows of two environments. */
	part(groups: ReadonlyArray<readonly number[]>): ReadonlyArray<readonly number[]> {
		return groups.flatMap((items) => {
			if (items.length === 1) return [items];
			const parts = new Map<string, number[]>();
			for (const item of items) {
				const key = this.keyOf(item);
				const part = parts.get(key);
				if (part === undefined) parts.set(key, [item]);
				else part.push(item);
			}
			return [...parts.values()];
		});
	}

	/** The values that nobody may read, of all items. */
	get secrets(): readonly string[] {
		const all = [...this.targets.values()].flatMap(({ connection, context }) => [
			...connection.secrets,
			sessionOf(context, connection).token ?? '',
		]);
		return [...new Set(all)];
	}

	private keyOf(item: number): string {
		try {
			return this.of(item).key;
		} catch {
			// Its error is the one of the call that is made from it alone.
			return `item ${item}`;
		}
	}

	private connect(
		data: ICredentialDataDecryptedObject,
		own: IExecuteFunctions,
		limits: Limits,
		tally: Tally,
	): Target {
		// Without the tokens: another process may renew them between two items.
		const key = JSON.stringify({ ...data, oauthTokenData: undefined });
		return this.once(key, () => {
			const connection = toConnection(data);
			const exchange = createExchange(own, connection, limits, tally);
			return { connection, exchange, context: own };
		});
	}

	/** The target of this description, made where there is none yet. */
	private once(description: string, make: () => Omit<Target, 'key'>): Target {
		const known = this.targets.get(description);
		if (known !== undefined) return known;
		const target = { ...make(), key: String(this.targets.size) };
		this.targets.set(description, target);
		return target;
	}
}
