import { jsonParse } from 'n8n-workflow';

/** How long before its end a token is renewed, in seconds; at most a tenth of its lifetime. */
const MARGIN_SECONDS = 60;

interface Claims {
	readonly exp?: unknown;
	readonly iat?: unknown;
}

function claimsOf(token: string): Claims {
	const payload = token.split('.')[1];
	if (payload === undefined) return {};
	const text = Buffer.from(payload, 'base64url').toString('utf8');
	return jsonParse<Claims | null>(text, { fallbackValue: null }) ?? {};
}

/**
 * When an access token ends, as its `exp` claim tells; `undefined` where that cannot be read, since
 * the claims of the token are not specified (interface.md 5.5).
 */
export function endOf(token: string): Date | undefined {
	const { exp } = claimsOf(token);
	const end = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
	return Number.isNaN(end.getTime()) ? undefined : end;
}

/**
 * From when on an access token is about to end, as far as its claims tell (interface.md 5.3: the
 * access token is a JWT), in milliseconds since 1970. One that cannot be read never is: the
 * service's answer decides then.
 */
export function endingFrom(token: string): number {
	const { exp, iat } = claimsOf(token);
	if (typeof exp !== 'number') return Number.POSITIVE_INFINITY;
	const lifetime = typeof iat === 'number' && iat < exp ? exp - iat : undefined;
	const margin = lifetime === undefined ? MARGIN_SECONDS : Math.min(MARGIN_SECONDS, lifetime / 10);
	return (exp - margin) * 1000;
}

/**
 * Whether an access token is about to end.
 *
 * @param now milliseconds since 1970
 */
export function isEnding(token: string, now: number): boolean {
	return endingFrom(token) <= now;
}
