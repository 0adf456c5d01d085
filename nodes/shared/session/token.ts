/**
 * What an access token says of itself. Its claims are not specified (docs/dev/interface.md, section 5.5),
 * so they are no more than hints.
 */
import { jsonParse } from 'n8n-workflow';

/** The claims of a token that are times, in milliseconds since 1970. */
function timesIn(token: string): { readonly [Name in 'exp' | 'iat' | 'nbf']?: number } {
	const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const claims = Object.entries(jsonParse<object | null>(text, { fallbackValue: null }) ?? {});
	const times = claims.filter((claim): claim is [string, number] => typeof claim[1] === 'number');
	return Object.fromEntries(times.map(([name, seconds]) => [name, seconds * 1000]));
}

/** Returns when a token expires, in milliseconds since 1970; `undefined` if it does not say. */
export function endOf(token: string): number | undefined {
	return timesIn(token).exp;
}

/**
 * Whether a token begins in the future by the clock of the service or of n8n.
 *
 * @param date value of the `Date` header of an answer of the service
 */
export function beginsLater(token: string, date: unknown): boolean {
	const { iat = 0, nbf = 0 } = timesIn(token);
	const earliest = Math.min(Date.now(), Date.parse(String(date)) || Infinity);
	return Math.max(iat, nbf) > earliest;
}
