import { BoundedMap } from './boundedMap';
import { reconnectError } from './renewalErrors';

/** Spends a refresh token; gives the new access token, and whether there is a new refresh token too. */
export type Spend = () => Promise<{ readonly accessToken: string; readonly isReplaced: boolean }>;

/** Refresh tokens that are being spent, and the access token that each brings. */
const underWay = new Map<string, Promise<string>>();

/** The last refresh tokens that were spent. */
const spent = new BoundedMap<string, true>(1000);

/**
 * The last renewal under way of each credential. n8n 2 has all renewals of one credential join the
 * one under way, that of another account too: so the accounts of a credential take turns.
 */
const lines = new Map<string, Promise<unknown>>();

async function takeTurn<T>(credentialId: string, work: () => Promise<T>): Promise<T> {
	const done = (lines.get(credentialId) ?? Promise.resolve()).then(work);
	const line: Promise<unknown> = done
		.catch(() => undefined)
		.finally(() => {
			if (lines.get(credentialId) === line) lines.delete(credentialId);
		});
	lines.set(credentialId, line);
	return await done;
}

/**
 * Has a refresh token spent at most once in this process (docs/interface.md, section 5.3: it is
 * used once), also where two sessions of one account want to.
 *
 * @returns the access token that it brings
 * @throws {ServiceError} where it was spent before, or what `spend` ends with
 */
export async function spendOnce(
	credentialId: string,
	clientId: string,
	refreshToken: string,
	spend: Spend,
): Promise<string> {
	const key = JSON.stringify([credentialId, clientId, refreshToken]);
	if (spent.get(key) === true) throw reconnectError();
	const begin = async (): Promise<string> => {
		const { accessToken, isReplaced } = await takeTurn(credentialId, spend);
		// Some identity servers let a refresh token be used again.
		if (isReplaced) spent.set(key, true);
		return accessToken;
	};
	const spending = underWay.get(key) ?? begin().finally(() => underWay.delete(key));
	underWay.set(key, spending);
	return await spending;
}
