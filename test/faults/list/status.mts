/** Statuses other than 200, with and without what should come with them. */
import {
	empty,
	executed,
	HTML_TYPE,
	JSON_TYPE,
	onAttempt,
	page,
	reply,
	type Act,
} from '../acts.mts';
import { echo, soapFault } from '../echo.mts';
import {
	all,
	coded,
	complete,
	each,
	error,
	fault,
	notApplied,
	notFound,
	reads,
	refused,
	soap,
	transient,
	unknown,
	unusable,
	writes,
	type Expectations,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';
import type { Call } from '../server.mts';
import { httpStatus, TOKEN_REJECTED } from './messages.mts';

const soon = { 'Retry-After': '1' };

/** Answers with a fault in the call's SOAP version, or with a JSON error, that repeats the request. */
function saying(status: number, text: string): Act {
	return reply((call) =>
		call.cell.target.kind === 'restRead'
			? answer(status, JSON_TYPE, JSON.stringify({ message: text, sent: echo(call) }))
			: soapFault(call, `${text} ${echo(call)}`, { status }),
	);
}

/** A redirect; it must not be followed, wherever it leads. */
function redirects(code: number): Fault[] {
	const message = new RegExp(`redirect \\(HTTP ${code}\\)`);
	const expect = each(error(1, 0, message), unknown(1, 0, message));
	const to = (location: (call: Call) => string): Act =>
		reply((call) => answer(code, HTML_TYPE, '<p>Moved</p>', { Location: location(call) }));
	return [
		fault(
			`${code} to the same origin`,
			to(({ cell }) => `${cell.url}/moved`),
			expect,
		),
		fault(
			`${code} to another origin`,
			to(({ endpoints }) => endpoints.other),
			expect,
		),
	];
}

export const redirect: Group = {
	name: 'Redirects',
	faults: [301, 303, 307].flatMap(redirects),
};

/** A status that proves nothing, from a service that did nothing. */
function unproven(code: number): Expectations {
	return each(error(1, 0, httpStatus(code)), unknown(1, 0, httpStatus(code)));
}

const EXPIRED = 'System.UnauthorizedAccessException: The access token is expired.';
const SHOWN = /access token is expired/;
const NO_SUCH = /No such thing/;
const CODE = /^1205: /;
const TWK = /^TWK exception: No\./;
const renewed = { renewals: 1 };

/** `test/package/nodes/outcomes.test.mts` has more statuses and texts, `token-faults.test.mts` more words about tokens. */
export const refusal: Group = {
	name: 'Refusals (4xx)',
	faults: [
		fault('204 No Content', executed(empty(204)), {
			...unusable(httpStatus(204)),
			restRead: complete(2, 1, () => []),
		}),
		fault('400', empty(400), unproven(400)),
		fault('401 once', onAttempt(1, empty(401)), all(complete(2)), renewed),
		fault('401 for ever', page(401), refused(TOKEN_REJECTED, 2), renewed),
		fault(
			'500, a fault about another token after it was executed',
			executed(saying(500, EXPIRED)),
			soap(error(2, 2, SHOWN), unknown(1, 1, SHOWN)),
			renewed,
		),
		fault('403, a page', page(403), refused(/HTTP 403.*'Scopes'/s, 2), renewed),
		fault('403 without a page', empty(403), refused(/HTTP 403.*'Scopes'/s)),
		fault('404 with an HTML page', page(404), notFound(/HTTP 404.*["'](?:REST|SOAP) Address["']/s)),
		fault('429, Retry-After 1 s', empty(429, soon), refused(httpStatus(429), 4)),
		fault('429, no Retry-After', page(429), refused(httpStatus(429), 4)),
	],
};

export const failure: Group = {
	name: 'Failures (5xx)',
	faults: [
		fault(
			'500, a fault of a database, executed',
			executed(saying(500, 'System.Data.SqlClient.SqlException: Timeout expired.')),
			unusable(/Timeout expired.*Check the values|HTTP 500/s),
		),
		fault('500, a code', saying(500, '1205: No.'), soap(error(1, 0, CODE), coded(1, 0, CODE))),
		fault(
			'500, a code, executed',
			executed(saying(500, '1205: No.')),
			soap(error(1, 1, CODE), coded(1, 1, CODE)),
		),
		fault(
			'500, a TWK exception',
			saying(500, 'System.Exception: TWK exception: 2011: No.'),
			soap(error(1, 0, TWK), notApplied(1, 0, TWK)),
		),
		fault('500 without a fault, executed', executed(empty(500)), unusable(httpStatus(500))),
		fault('500 with an HTML page', page(500), unproven(500)),
		fault('502, executed', executed(page(502)), transient(true, httpStatus(502))),
		fault('502 once', onAttempt(1, page(502)), {
			...reads(complete(2)),
			...writes(unknown(1, 0, httpStatus(502))),
		}),
		fault('503, Retry-After 1 s', empty(503, soon), refused(httpStatus(503), 4)),
		fault('503, no Retry-After', page(503), transient(false, httpStatus(503))),
		fault('200 with a fault', saying(200, 'No such thing.'), {
			...soap(error(1, 0, NO_SUCH), unknown(1, 0, NO_SUCH)),
			restRead: error(1, 0, NO_SUCH),
		}),
	],
};
