import { BoundedMap } from '../http/boundedMap';
import { reconnectError } from './renewalErrors';

/**
 * Spends a refresh token; resolves to the new access token and whether the refresh token changed.
 */
export type Spend = () => Promise<{ readonly accessToken: string; readonly isReplaced: boolean }>;

/** The refresh tokens of one credential that this process spends. */
export class Spending {
	/** Refresh tokens that are being spent, with the access token that each brings. */
	private readonly inProgress = new Map<string, Promise<string>>();

	/** The most recently spent refresh tokens. */
	private readonly spent = new BoundedMap<string, true>(1000);

	/**
	 * Ends with the last renewal. n8n 2 joins every renewal of a credential to the one in progress,
	 * even for another account, so the accounts of a credential take turns.
	 */
	private lastTurn: Promise<unknown> = Promise.resolve();

	/**
	 * Spends a refresh token at most once in this process, even if two sessions of one account ask for
	 * it: a refresh token can be used once (docs/dev/interface.md, section 5.3).
	 *
	 * @returns the new access token
	 * @throws {ServiceError} if the refresh token was spent before; otherwise what `spend` throws
	 */
	async once(clientId: string, refreshToken: string, spend: Spend): Promise<string> {
		const key = JSON.stringify([clientId, refreshToken]);
		if (this.spent.get(key) === true) throw reconnectError();
		const begin = async (): Promise<string> => {
			const done = this.lastTurn.then(spend);
			this.lastTurn = done.then(
				() => undefined,
				() => undefined,
			);
			const { accessToken, isReplaced } = await done;
			// Some identity servers allow a refresh token to be used again.
			if (isReplaced) this.spent.set(key, true);
			return accessToken;
		};
		const spending = this.inProgress.get(key) ?? begin().finally(() => this.inProgress.delete(key));
		this.inProgress.set(key, spending);
		return await spending;
	}
}
