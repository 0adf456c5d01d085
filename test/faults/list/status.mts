/** Statuses other than 200, with and without what should come with them. */
import { echo, quotingPage, soapFault, type Blame } from '../echo.mts';
import {
	all,
	complete,
	each,
	error,
	notApplied,
	passing,
	reads,
	refused,
	reply,
	spoil,
	unknown,
	useless,
	writes,
	type Act,
	type Expectations,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer, type Answer } from '../message.mts';
import type { Call } from '../server.mts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

const status = (code: number): RegExp => new RegExp(`HTTP ${code}\\b`);

/** Asked to come back later in a way that says that nothing was done: reads and writes come back. */
function comeBack(code: number): Expectations {
	return each(error(4, 0, status(code)), notApplied(4, 0, status(code)));
}

/** A fault in the call's SOAP version, on REST a JSON error. */
function faultOf(call: Call, code: number, text: string, blame?: Blame): Answer {
	if (call.cell.target.kind === 'restRead') {
		return answer(code, JSON_TYPE, JSON.stringify({ message: text, sent: echo(call) }));
	}
	const { type, body } = soapFault(call, `${text} ${echo(call)}`, blame);
	return answer(code, type, body);
}

/** Answers with a fault; not executed. */
function fault(code: number, text: string, blame?: Blame, headers?: Record<string, string>): Act {
	return reply((call) => {
		const given = faultOf(call, code, text, blame);
		return { ...given, headers: { ...given.headers, ...headers } };
	});
}

function bare(code: number, headers: Record<string, string> = {}): Act {
	return reply(() => answer(code, '', '', headers));
}

function page(code: number, headers: Record<string, string> = {}): Act {
	return reply((call) => answer(code, HTML, quotingPage(call, `Error ${code}`), headers));
}

/** This act for the first call, and the sandbox's answer for those after it. */
function once(act: Act): Act {
	return async (call) => {
		if (call.attempt === 1) await act(call);
		else call.send(await call.forward());
	};
}

/** A fault that is told at this status, and what the service calls a REST error. */
function withFault(code: number, message: RegExp, write = notApplied): Expectations {
	return {
		soapRead: error(1, 0, message),
		...writes(write(1, 0, message)),
		restRead: error(1, 0, code === 200 ? /without a list/ : status(code)),
	};
}

function text403(body: string | Buffer, type: string): Act {
	return reply(() => answer(403, type, body));
}

const SLOW = /asks to slow down/;

/** A redirect; it must not be followed, wherever it leads. */
function redirects(code: number): Fault[] {
	const isMethodKept = code === 307 || code === 308;
	const message = new RegExp(`redirect \\(HTTP ${code}\\)`);
	const expect = each(
		error(1, 0, message),
		isMethodKept ? notApplied(1, 0, message) : unknown(1, 0, message),
	);
	const to = (location: (call: Call) => string): Act =>
		reply((call) => answer(code, HTML, '<p>Moved</p>', { Location: location(call) }));
	return [
		{ name: `${code} to the same origin`, service: to(({ cell }) => `${cell.url}/moved`), expect },
		{ name: `${code} to another origin`, service: to(({ places }) => places.other), expect },
	];
}

const REJECTED = /does not accept the access token/;
const EXPIRED = 'System.UnauthorizedAccessException: The access token is expired.';

export const redirect: Group = {
	name: 'Redirects',
	faults: [
		...[301, 302, 303, 307, 308].flatMap(redirects),
		{
			name: '303 after it was executed',
			service: spoil((_good, { cell }) => answer(303, '', '', { Location: `${cell.url}/result` })),
			expect: useless(/redirect \(HTTP 303\)/),
		},
	],
};

export const refusal: Group = {
	name: 'Refusals (4xx)',
	faults: [
		{
			name: '204 No Content',
			service: spoil(() => answer(204, '', '')),
			expect: useless(status(204)),
		},
		{
			name: '400 with a fault',
			service: fault(400, 'Bad value.'),
			expect: withFault(400, /Bad value/),
		},
		{ name: '400 without a fault', service: bare(400), expect: refused(status(400)) },
		{ name: '401 once', renewals: 1, service: once(bare(401)), expect: all(complete(2)) },
		{
			name: '401 for ever',
			renewals: 1,
			service: page(401),
			expect: each(error(2, 0, REJECTED), notApplied(2, 0, REJECTED)),
		},
		{
			name: '500, a fault: token expired, once',
			renewals: 1,
			service: once(fault(500, EXPIRED)),
			expect: { soapRead: complete(2), ...writes(complete(2)) },
		},
		{
			name: '500, a fault: token expired, for ever',
			renewals: 1,
			service: fault(500, EXPIRED),
			expect: { soapRead: error(2, 0, REJECTED), ...writes(notApplied(2, 0, REJECTED)) },
		},
		{
			name: '403 in Latin-1',
			service: text403(Buffer.from('Geen toegang: één', 'latin1'), 'text/plain'),
			expect: refused(/HTTP 403.*'Scopes'/s),
		},
		{
			name: '403 in an unknown charset',
			service: text403('Unknown domain', 'text/plain; charset=klingon'),
			expect: refused(/HTTP 403.*speaks of a domain/s),
		},
		{
			name: '429 with a fault, Retry-After 1 s',
			service: fault(429, 'System.Exception: Slow down.', 'service', { 'Retry-After': '1' }),
			expect: each(error(4, 0, SLOW), notApplied(4, 0, SLOW)),
		},
		{ name: '403', service: page(403), expect: refused(/HTTP 403.*'Scopes'/s) },
		{
			name: '404 with an HTML page',
			service: page(404),
			expect: refused(/HTTP 404.*["'](?:REST|SOAP) Address["']/s),
		},
		{
			name: '429, Retry-After 1 s',
			service: bare(429, { 'Retry-After': '1' }),
			expect: comeBack(429),
		},
		{
			name: '429, Retry-After a date',
			service: reply(() => {
				const date = new Date(Date.now() + 1500).toUTCString();
				return answer(429, '', '', { 'Retry-After': date });
			}),
			expect: comeBack(429),
		},
		{
			name: '429, Retry-After a day',
			service: page(429, { 'Retry-After': '86400' }),
			expect: refused(status(429)),
		},
		{ name: '429, no Retry-After', service: page(429), expect: comeBack(429) },
		{ name: '429 once', service: once(bare(429)), expect: all(complete(2)) },
	],
};

const TIMEOUT = 'System.Data.SqlClient.SqlException: Timeout expired.';
const LATER = /not available at the moment/;

export const failure: Group = {
	name: 'Failures (5xx)',
	faults: [
		{
			name: '500 with a fault',
			service: fault(500, 'System.Exception: TWK exception: 2011: Too early.'),
			expect: withFault(500, /TWK exception: Too early/),
		},
		{
			name: '500, a fault of the sender',
			service: fault(500, 'System.Exception: Bad value.', 'sender'),
			expect: withFault(500, /Bad value.*Correct the values|HTTP 500/s),
		},
		{
			name: '500, a fault of a database, executed',
			service: spoil((_good, call) => faultOf(call, 500, TIMEOUT)),
			expect: useless(/Timeout expired.*Check the values|HTTP 500/s),
		},
		{
			name: '500, a time that is no service code',
			service: fault(500, 'System.Exception: 12:30 is no valid time.'),
			expect: withFault(500, /^12:30 is no valid time|HTTP 500/, unknown),
		},
		{
			name: '503 with a fault, Retry-After 1 s',
			service: fault(503, 'System.Exception: Later.', 'service', { 'Retry-After': '1' }),
			expect: each(error(4, 0, LATER), notApplied(4, 0, LATER)),
		},
		{
			name: '500 without a fault, executed',
			service: spoil(() => answer(500, '', '')),
			expect: useless(status(500)),
		},
		{
			name: '500 with an HTML page',
			service: page(500),
			expect: each(error(1, 0, status(500)), unknown(1, 0, status(500))),
		},
		{
			name: '502, executed',
			service: spoil((_good, call) => answer(502, HTML, quotingPage(call, 'Bad Gateway'))),
			expect: passing(true, status(502)),
		},
		{
			name: '502 once',
			service: once(page(502)),
			expect: { ...reads(complete(2)), ...writes(unknown(1, 0, status(502))) },
		},
		{
			name: '503, Retry-After 1 s',
			service: bare(503, { 'Retry-After': '1' }),
			expect: comeBack(503),
		},
		{ name: '503, no Retry-After', service: page(503), expect: passing(false, status(503)) },
		{
			name: '504, executed',
			service: spoil(() => answer(504, HTML, '<h1>Gateway Timeout</h1>')),
			expect: passing(true, status(504)),
		},
		{
			name: '500, a TWK exception',
			service: fault(500, 'System.Exception: TWK exception: 2011: Too early.'),
			expect: { insert: notApplied(1, 0, /TWK exception.*turn on 'Unprotected Mode'/s) },
		},
		{
			name: '200 with a fault',
			service: fault(200, 'No such thing.'),
			expect: withFault(200, /No such thing/, unknown),
		},
	],
};
