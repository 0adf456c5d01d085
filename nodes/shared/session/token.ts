import { jsonParse } from 'n8n-workflow';

/**
 * Window before its expiry in which a token is renewed, in seconds; at most a third of its
 * lifetime.
 */
const WINDOW_SECONDS = 300;

/**
 * When processes renew a token: the earliest and the latest moment, as shares of the window that
 * remain until the token expires. The time between the ranges and after them allows for slow
 * renewals.
 */
const OWNER_RENEWS = [1, 0.6] as const;
const OTHERS_RENEW = [0.4, 0.1] as const;

interface Claims {
	readonly exp?: unknown;
	readonly iat?: unknown;
	readonly iss?: unknown;
	readonly nbf?: unknown;
	readonly sub?: unknown;
}

function claimsOf(token: string): Claims {
	const payload = token.split('.')[1];
	if (payload === undefined) return {};
	const text = Buffer.from(payload, 'base64url').toString('utf8');
	return jsonParse<Claims | null>(text, { fallbackValue: null }) ?? {};
}

/**
 * Whether an access token is past the end that its `exp` claim names, by the local clock. The claims
 * of the token are not specified (docs/dev/interface.md, section 5.5).
 */
export function hasExpired(token: string): boolean {
	const { exp } = claimsOf(token);
	return typeof exp === 'number' && exp * 1000 <= Date.now();
}

/**
 * Returns by whose clock a token begins in the future; `undefined` if by neither. Like all claims, it is
 * no more than a hint.
 *
 * @param date value of the `Date` header of an answer of the service
 */
export function clockBehind(token: string, date: unknown): string | undefined {
	const { iat, nbf } = claimsOf(token);
	const begins = [iat, nbf].filter((seconds) => typeof seconds === 'number');
	const isBefore = (now: number) => begins.some((seconds) => seconds * 1000 > now);
	if (isBefore(Date.parse(String(date)))) return 'the payroll service';
	return isBefore(Date.now()) ? 'n8n' : undefined;
}

/**
 * Returns the account that an access token is for, by its claims: issuer and subject, since a
 * subject is unique only for its issuer. `undefined` if the claims cannot be read.
 */
export function accountIn(token: string): string | undefined {
	const { iss, sub } = claimsOf(token);
	if (typeof sub !== 'string' || sub === '') return undefined;
	return JSON.stringify([typeof iss === 'string' ? iss : '', sub]);
}

/**
 * Returns when a process renews an access token early, in milliseconds since 1970. The moment is
 * random, so that processes do not meet at the identity server. The process that last renewed the
 * token goes first. The others follow in the second half of the window, when the new token is
 * stored. Infinite for a token whose end cannot be read.
 *
 * @param isOwner whether this process obtained the token from the identity server
 * @param now milliseconds since 1970; start of the lifetime if the token does not state its own
 * @param random a number from 0 up to 1, for the jitter
 */
export function renewalTime(token: string, isOwner: boolean, now: number, random: number): number {
	const { exp, iat } = claimsOf(token);
	if (typeof exp !== 'number') return Number.POSITIVE_INFINITY;
	const begun = typeof iat === 'number' && iat < exp ? iat : now / 1000;
	const lifetime = Math.max(0, exp - begun);
	const [earliest, latest] = isOwner ? OWNER_RENEWS : OTHERS_RENEW;
	const share = earliest + (latest - earliest) * random;
	const ahead = share * Math.min(WINDOW_SECONDS, lifetime / 3);
	return (exp - ahead) * 1000;
}
