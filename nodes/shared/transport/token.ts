import { jsonParse } from 'n8n-workflow';

/** The last part of a token's life, in which it is renewed, in seconds; at most a third of it. */
const WINDOW_SECONDS = 300;

/**
 * The parts of that time before a token's end in which processes renew it, from the earliest moment
 * to the latest. Between them is time for a renewal that takes long, and so there is after them.
 */
const OWNER_RENEWS = [1, 0.6] as const;
const OTHERS_RENEW = [0.4, 0.1] as const;

/** When a token is about to end, in seconds before its end; at most a tenth of its lifetime. */
const MARGIN_SECONDS = 60;

interface Claims {
	readonly exp?: unknown;
	readonly iat?: unknown;
	readonly iss?: unknown;
	readonly sub?: unknown;
}

function claimsOf(token: string): Claims {
	const payload = token.split('.')[1];
	if (payload === undefined) return {};
	const text = Buffer.from(payload, 'base64url').toString('utf8');
	return jsonParse<Claims | null>(text, { fallbackValue: null }) ?? {};
}

/**
 * When an access token ends, as its `exp` claim tells; `undefined` where that cannot be read, since
 * the claims of the token are not specified (docs/interface.md, section 5.5).
 */
export function endOf(token: string): Date | undefined {
	const { exp } = claimsOf(token);
	const end = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
	return Number.isNaN(end.getTime()) ? undefined : end;
}

/**
 * Whose account an access token is for, as its claims tell: a subject is one among those of its
 * issuer. `undefined` where that cannot be read.
 */
export function accountIn(token: string): string | undefined {
	const { iss, sub } = claimsOf(token);
	if (typeof sub !== 'string' || sub === '') return undefined;
	return JSON.stringify([typeof iss === 'string' ? iss : '', sub]);
}

function lifetimeOf({ exp, iat }: Claims): number | undefined {
	if (typeof exp !== 'number' || typeof iat !== 'number') return undefined;
	return iat < exp ? exp - iat : undefined;
}

/**
 * When a process renews an access token ahead of its end, in milliseconds since 1970: at a moment
 * of its own, so that processes do not meet at the identity server. The one that renewed the token
 * last comes first. The others come in the second half of the window, where they find the new one.
 * A token that cannot be read is never renewed ahead: the service's answer decides then.
 *
 * @param isOwner whether this process got the token from the identity server
 * @param now milliseconds since 1970; a token that does not tell its lifetime began at the latest then
 * @param random a number from 0 up to 1
 */
export function renewalTime(token: string, isOwner: boolean, now: number, random: number): number {
	const claims = claimsOf(token);
	const { exp } = claims;
	if (typeof exp !== 'number') return Number.POSITIVE_INFINITY;
	const lifetime = lifetimeOf(claims) ?? Math.max(0, exp - now / 1000);
	const [earliest, latest] = isOwner ? OWNER_RENEWS : OTHERS_RENEW;
	const share = earliest + (latest - earliest) * random;
	const ahead = share * Math.min(WINDOW_SECONDS, lifetime / 3);
	return (exp - ahead) * 1000;
}

/**
 * Whether an access token is about to end, as far as its claims tell (docs/interface.md, section
 * 5.3: the access token is a JWT). One that cannot be read never is.
 *
 * @param now milliseconds since 1970
 */
export function isEnding(token: string, now: number): boolean {
	const claims = claimsOf(token);
	const { exp } = claims;
	if (typeof exp !== 'number') return false;
	const margin = Math.min(MARGIN_SECONDS, (lifetimeOf(claims) ?? Number.POSITIVE_INFINITY) / 10);
	return (exp - margin) * 1000 <= now;
}
