/** Faults of the identity server, met when a token has to be renewed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { echo, quotingPage } from '../echo.mts';
import {
	all,
	complete,
	each,
	error,
	notApplied,
	reply,
	type Act,
	type Expectations,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';
import type { Call } from '../server.mts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HOUR = 3600;

const NOT_RENEWED = /could not be renewed/;
const LATE = /identity server did not answer in time/;
const RECONNECT = /needs to be reconnected/;
const REJECTED = /does not accept the access token/;

type Tokens = { access_token: string; refresh_token?: string } & IDataObject;

/** Has the sandbox renew the token, and sends its answer changed. */
function renewed(change: (tokens: Tokens, call: Call) => Tokens): Act {
	return async (call) => {
		const good = await call.forward();
		const real = JSON.parse(String(good.body)) as Tokens;
		const given = change({ ...real }, call);
		if (given.access_token !== real.access_token) {
			call.cell.aliases.set(given.access_token, real.access_token);
		}
		call.send({ ...good, body: Buffer.from(JSON.stringify(given)) });
	};
}

/** The token as an identity server would make it whose clock is off by so many seconds. */
function shifted(token: string, seconds: number): string {
	const [head = '', payload = '', signature = ''] = token.split('.');
	const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as IDataObject;
	const moved = { ...claims, iat: Number(claims.iat) + seconds, exp: Number(claims.exp) + seconds };
	return [head, Buffer.from(JSON.stringify(moved)).toString('base64url'), signature].join('.');
}

function shift(seconds: number, isRejected = false): Act {
	return renewed((tokens, { cell }) => {
		const access_token = shifted(tokens.access_token, seconds);
		if (isRejected) cell.rejected.add(access_token);
		return { ...tokens, access_token };
	});
}

function refusal(status: number, code: string): Act {
	return reply((call) =>
		answer(status, JSON_TYPE, JSON.stringify({ error: code, error_description: echo(call) })),
	);
}

/** The call went out with the stored token, was rejected, and could not go out with another one. */
function fails(sent: number, message: RegExp): Expectations {
	return each(error(sent, 0, message), notApplied(sent, 0, message));
}

interface IdentityFault {
	readonly name: string;
	readonly act: Act;
	readonly options?: INodeParameters;
	/** What comes of it where the service rejects the token, and where the token is past its end. */
	readonly rejected: Expectations;
	readonly expired: Expectations;
}

/** A renewal that fails: the token past its end is tried all the same, the clock may be wrong. */
const failing = (message: RegExp) => ({ rejected: fails(1, message), expired: fails(1, message) });

/** A renewal that brings a good token: needed after the first call, or made ahead of it. */
const renewing = { rejected: all(complete(2)), expired: all(complete(1)) };

const faults: readonly IdentityFault[] = [
	{ name: 'renewed', act: renewed((tokens) => tokens), ...renewing },
	{
		name: 'slow',
		async act(call) {
			await sleep(700);
			call.send(await call.forward());
		},
		...renewing,
	},
	{
		name: 'slower than the time-out',
		act: () => undefined,
		options: { timeout: 1 },
		rejected: fails(1, LATE),
		// The end of a token is known by a clock that may be wrong: it is tried before the call fails.
		expired: fails(1, LATE),
	},
	{
		name: '500',
		act: reply((call) => answer(500, 'text/html', quotingPage(call, 'Server Error'))),
		...failing(NOT_RENEWED),
	},
	{
		name: '200 with an HTML page',
		act: reply((call) => answer(200, 'text/html', quotingPage(call, 'Log in'))),
		...failing(NOT_RENEWED),
	},
	{ name: '400 invalid_grant', act: refusal(400, 'invalid_grant'), ...failing(RECONNECT) },
	{ name: '400 invalid_client', act: refusal(400, 'invalid_client'), ...failing(NOT_RENEWED) },
	{ name: '401 invalid_client', act: refusal(401, 'invalid_client'), ...failing(NOT_RENEWED) },
	{
		name: 'no new refresh token',
		act: renewed(({ refresh_token: _kept, ...tokens }) => tokens as Tokens),
		...renewing,
	},
	{
		name: 'access token no JWT',
		act: renewed((tokens) => ({
			...tokens,
			access_token: `opaque-${Buffer.from(tokens.access_token.slice(-40)).toString('hex')}`,
		})),
		...renewing,
	},
	{
		name: 'expired on arrival, accepted',
		act: shift(-HOUR - 10),
		...renewing,
	},
	{
		name: 'expired on arrival, rejected',
		act: shift(-HOUR - 10, true),
		rejected: fails(2, REJECTED),
		expired: fails(1, REJECTED),
	},
	{ name: 'clock two hours ahead', act: shift(2 * HOUR), ...renewing },
	{ name: 'clock two hours behind', act: shift(-2 * HOUR), ...renewing },
];

function rows(renewal: 'rejected' | 'expired'): Fault[] {
	return faults.map(({ name, act, options, [renewal]: expect }) => ({
		name: `${name}`,
		identity: act,
		renewal,
		...(options && { options }),
		expect,
	}));
}

export const identityRejected: Group = {
	name: 'Identity server, token rejected by the service',
	faults: rows('rejected'),
};

/** The field of the credential that is wrong, or what to do, by what the identity server says. */
function wrong(name: string, message: RegExp, more: Partial<Fault>): Fault {
	return { name, renewal: 'rejected', expect: fails(1, message), ...more };
}

export const identityField: Group = {
	name: 'Identity server, told which field to look at',
	faults: [
		wrong('unknown client', /'Client ID' and 'Client Secret'/, {
			credential: () => ({ appSecret: 'another secret' }),
			renewals: 1,
		}),
		wrong('unauthorized_client', /check 'Client ID'.*registered/, {
			identity: refusal(400, 'unauthorized_client'),
		}),
		wrong('invalid_scope', /check 'Scopes'/, { identity: refusal(400, 'invalid_scope') }),
		wrong('404', /'Identity Address'/, {
			identity: reply((call) => answer(404, 'text/html', quotingPage(call, 'Not Found'))),
		}),
		wrong('refused', /could not be reached.*'Identity Address'/, {
			credential: ({ closed }) => ({ identityUrl: closed }),
		}),
		wrong('self-signed certificate', /certificate or encryption.*'Identity Address'/, {
			credential: ({ selfSigned }) => ({ identityUrl: selfSigned }),
		}),
		wrong('no refresh token', /reconnected.*No refresh token/s, {
			credential: (_places, { access_token }) => ({ oauthTokenData: { access_token } }),
		}),
	],
};

export const identityExpired: Group = {
	name: 'Identity server, token past its end',
	faults: rows('expired'),
};
