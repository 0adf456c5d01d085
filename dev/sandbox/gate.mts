/** The API gateway in front of SOAP and REST: subscription key and bearer token. */
import type { IncomingMessage } from 'node:http';
import { json } from './http.mts';
import type { Reply } from './http.mts';
import type { Identity, Verdict } from './identity.mts';
import type { Parts } from './sandbox.mts';

/**
 * Checks a request. Returns the refusal, 'expired' for an expired token, or nothing to admit it.
 */
export async function admit(
	req: IncomingMessage,
	{ connection, identity }: Pick<Parts, 'connection' | 'identity'>,
): Promise<Reply | 'expired' | undefined> {
	const key = req.headers['x-subscription-key'];
	if (key !== connection.subscriptionKey) {
		const problem = key === undefined ? 'missing subscription key' : 'invalid subscription key';
		const message =
			`Access denied due to ${problem}. ` +
			'Make sure to include a valid subscription key when making requests to an API.';
		return json(401, { statusCode: 401, message });
	}
	const verdict = await verify(req, identity);
	if (verdict === 'valid') return undefined;
	if (verdict === 'expired') return 'expired';
	return unauthorized('The access token is missing or not valid.');
}

/** Checks the bearer token of a request. */
export async function verify(req: IncomingMessage, identity: Identity): Promise<Verdict> {
	const token = /^Bearer ([\w.~+/=-]+)$/.exec(req.headers.authorization ?? '')?.[1];
	return token === undefined ? 'invalid' : await identity.verify(token);
}

/** The refusal of a bearer token. */
export function unauthorized(error_description: string): Reply {
	return json(
		401,
		{ error: 'invalid_token', error_description },
		{ 'WWW-Authenticate': 'Bearer error="invalid_token"' },
	);
}

/** The refusal of a token out of time. */
export const expired = (): Reply => unauthorized('The access token is expired.');
