/** Faults of the identity server, met when the connection is to be ended. */
import { echo, quotingPage } from '../echo.mts';
import {
	complete,
	notApplied,
	reply,
	spoil,
	unknown,
	type Act,
	type Expectation,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

// The sandbox revokes the refresh token, and says that an access token is of no kind that it revokes.
const ended = complete(2, 1);

const status = (code: number): RegExp =>
	new RegExp(`identity server answered with HTTP ${code}\\b`);

/** An OAuth error that repeats what it was asked. */
function refusal(code: number, error: string): Act {
	return reply((call) =>
		answer(code, JSON_TYPE, JSON.stringify({ error, error_description: echo(call) })),
	);
}

function page(code: number, headers: Record<string, string> = {}): Act {
	return reply((call) => answer(code, HTML, quotingPage(call, `Error ${code}`), headers));
}

/** This act for the n-th request, and the sandbox's answer for the others. */
function only(attempt: number, act: Act): Act {
	return async (call) => {
		if (call.attempt === attempt) await act(call);
		else call.send(await call.forward());
	};
}

function fault(name: string, service: Act | undefined, revoke: Expectation): Fault {
	return { name, ...(service && { service }), expect: { revoke } };
}

function redirect(code: number, expected: Expectation): Fault {
	const act = reply(({ places }) => answer(code, HTML, '<p>Moved</p>', { Location: places.other }));
	return fault(`${code} to another origin`, act, expected);
}

const REFUSED = /identity server refused the connection.*'Identity Address'/;
const BROKE = /connection to the identity server broke/;
const LATE = /identity server did not answer in time/;
const TLS = /No secure connection to the identity server/;
const REDIRECT = /redirect/;
const HALF = /The refresh token was revoked/;

export const revocation: Group = {
	name: 'Identity server, revocation',
	faults: [
		fault('no fault', undefined, ended),
		{
			...fault('refused', undefined, notApplied(4, 0, REFUSED)),
			place: ({ closed }) => closed,
		},
		{
			...fault('TLS, self-signed certificate', undefined, notApplied(1, 0, TLS)),
			place: ({ selfSigned }) => selfSigned,
		},
		{
			...fault('reset before the request', undefined, unknown(1, 0, BROKE)),
			place: ({ reset }) => reset,
		},
		fault(
			'reset before the answer, executed',
			async (call) => {
				await call.forward();
				call.socket.resetAndDestroy();
			},
			unknown(1, 1, BROKE),
		),
		{
			...fault(
				'no answer, executed',
				async (call) => void (await call.forward()),
				unknown(1, 1, LATE),
			),
			options: { timeout: 1 },
		},
		fault('400 invalid_request', refusal(400, 'invalid_request'), notApplied(1, 0, status(400))),
		fault('400, an error that is the request', refusal(400, 'x'), notApplied(1, 0, status(400))),
		fault(
			'401 invalid_client',
			refusal(401, 'invalid_client'),
			notApplied(1, 0, /HTTP 401.*'Client ID'/),
		),
		fault(
			'400 invalid_grant',
			refusal(400, 'invalid_grant'),
			notApplied(1, 0, /not know the token/),
		),
		fault(
			'400 unsupported_token_type',
			refusal(400, 'unsupported_token_type'),
			notApplied(1, 0, /tokens of this kind/),
		),
		fault('403 with an HTML page', page(403), notApplied(1, 0, status(403))),
		fault('429, no Retry-After', page(429), notApplied(4, 0, status(429))),
		fault('500 with an HTML page', page(500), unknown(1, 0, status(500))),
		fault(
			'500, executed',
			spoil(() => answer(500, '', '')),
			unknown(1, 1, status(500)),
		),
		fault('503, no Retry-After', page(503), unknown(1, 0, status(503))),
		fault('503, Retry-After 1 s', page(503, { 'Retry-After': '1' }), notApplied(4, 0, status(503))),
		fault('200 with an HTML page', page(200), unknown(1, 0, /a page in place of an answer/)),
		redirect(302, unknown(1, 0, REDIRECT)),
		redirect(307, notApplied(1, 0, REDIRECT)),
		fault('503 for the access token alone', only(2, page(503)), unknown(2, 1, HALF)),
		fault('401 for the access token alone', only(2, page(401)), unknown(2, 1, HALF)),
	],
};
