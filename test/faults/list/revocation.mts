/** Faults of the identity server when the connection is to be ended. */
import {
	empty,
	executed,
	HTML_TYPE,
	keepSilent,
	oauthError,
	onAttempt,
	page,
	reply,
	reset,
	type Act,
} from '../acts.mts';
import {
	complete,
	fault,
	notApplied,
	unknown,
	type Expectation,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';
import type { Endpoints } from '../server.mts';

// The sandbox revokes the refresh token, and says that it does not revoke access tokens.
const ended = complete(2, 1);

const status = (code: number): RegExp =>
	new RegExp(`identity server answered with HTTP ${code}\\b`);

function row(name: string, service: Act, revoke: Expectation, more?: Partial<Fault>): Fault {
	return fault(name, service, { revoke }, more);
}

function at(name: string, endpoint: (endpoints: Endpoints) => string, revoke: Expectation): Fault {
	return { name, endpoint, expect: { revoke } };
}

function redirect(code: number, expected: Expectation): Fault {
	const act = reply(({ endpoints }) =>
		answer(code, HTML_TYPE, '<p>Moved</p>', { Location: endpoints.other }),
	);
	return row(`${code} to another origin`, act, expected);
}

const REFUSED = /identity server refused the connection.*'Identity Address'/;
const BROKE = /connection to the identity server broke/;
const LATE = /identity server did not answer in time/;
const TLS = /No secure connection to the identity server/;
const REDIRECT = /Redirects are not followed/;
const HALF = /The refresh token was revoked/;
const later = { 'Retry-After': '1' };

export const revocation: Group = {
	name: 'Identity server, revocation',
	faults: [
		{ name: 'no fault', expect: { revoke: ended } },
		at('refused', ({ closed }) => closed, notApplied(4, 0, REFUSED)),
		at('TLS, self-signed certificate', ({ selfSigned }) => selfSigned, notApplied(1, 0, TLS)),
		at('reset before the request', ({ resetting }) => resetting, unknown(1, 0, BROKE)),
		row('reset before the answer, executed', executed(reset), unknown(1, 1, BROKE)),
		row('no answer, executed', executed(keepSilent), unknown(1, 1, LATE), {
			options: { timeout: 1 },
		}),
		row('400 invalid_request', oauthError(400, 'invalid_request'), notApplied(1, 0, status(400))),
		row(
			'401 invalid_client',
			oauthError(401, 'invalid_client'),
			notApplied(1, 0, /HTTP 401.*'Client ID'/),
		),
		row('429, no Retry-After', page(429), notApplied(4, 0, status(429))),
		row('500 with an HTML page', page(500), unknown(1, 0, status(500))),
		row('500, executed', executed(empty(500)), unknown(1, 1, status(500))),
		row('503, Retry-After 1 s', page(503, later), notApplied(4, 0, status(503))),
		row('200 with an HTML page', page(200), unknown(1, 0, /a web page instead of an answer/)),
		redirect(302, unknown(1, 0, REDIRECT)),
		redirect(307, notApplied(1, 0, REDIRECT)),
		row('503 for the access token alone', onAttempt(2, page(503)), unknown(2, 1, HALF)),
	],
};
