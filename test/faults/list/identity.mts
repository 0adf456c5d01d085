/** Faults of the identity server when a token has to be renewed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { empty, keepSilent, oauthError, page, type Act } from '../acts.mts';
import { all, complete, refused, type Expectations, type Fault, type Group } from '../fault.mts';

const NOT_RENEWED = /could not be renewed/;
const LATE = /identity server did not answer in time/;
const RECONNECT = /needs to be reconnected/;

type Tokens = { access_token: string; refresh_token?: string } & IDataObject;

/** Has the sandbox renew the token, and sends its answer changed. */
function renewed(change: (tokens: Tokens) => Tokens): Act {
	return async (call) => {
		const good = await call.forward();
		const real = JSON.parse(String(good.body)) as Tokens;
		call.send({ ...good, body: Buffer.from(JSON.stringify(change(real))) });
	};
}

const noRefreshToken = renewed(({ refresh_token: _kept, ...tokens }) => tokens as Tokens);

interface IdentityFault {
	readonly name: string;
	readonly act: Act;
	readonly options?: INodeParameters;
	/** What comes of it where the service rejects the token, and where the token has expired. */
	readonly rejected: Expectations;
	readonly expired: Expectations;
}

/** The renewal fails: a token that has expired is not sent. */
const failing = (message: RegExp) => ({ rejected: refused(message), expired: refused(message, 0) });

/** The renewal gives a valid token: after the first call, or before it. */
const renewing = { rejected: all(complete(2)), expired: all(complete(1)) };

const faults: readonly IdentityFault[] = [
	{ name: 'renewed', act: renewed((tokens) => tokens), ...renewing },
	{
		name: 'slower than the time-out',
		act: keepSilent,
		// Also of the service's call, which must not be late.
		options: { timeout: 3 },
		rejected: refused(LATE),
		expired: refused(LATE, 0),
	},
	{ name: '500', act: page(500), ...failing(NOT_RENEWED) },
	{ name: '200 with an HTML page', act: page(200), ...failing(NOT_RENEWED) },
	{ name: '400 invalid_grant', act: oauthError(400, 'invalid_grant'), ...failing(RECONNECT) },
	{ name: '401 invalid_client', act: oauthError(401, 'invalid_client'), ...failing(NOT_RENEWED) },
	{ name: 'no new refresh token', act: noRefreshToken, ...renewing },
];

function rows(renewal: 'rejected' | 'expired'): Fault[] {
	return faults.map(({ name, act, options, [renewal]: expect }) => ({
		name,
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

/** A fault whose error names the wrong field of the credential, or says what to do. */
function advised(name: string, message: RegExp, more: Partial<Fault>): Fault {
	return { name, renewal: 'rejected', expect: refused(message), ...more };
}

/** `test/package/nodes/renewals.test.mts` has more. */
export const identityField: Group = {
	name: 'Identity server, told which field to look at',
	faults: [
		advised('429', /identity server is busy/, { identity: empty(429), renewals: 4 }),
		advised('refused', /could not be reached.*'Identity Address'/, {
			credential: ({ closed }) => ({ identityUrl: closed }),
		}),
		advised('self-signed certificate', /certificate.*'Identity Address'/, {
			credential: ({ selfSigned }) => ({ identityUrl: selfSigned }),
		}),
		advised('no refresh token', /reconnected.*No refresh token/s, {
			credential: (_endpoints, { access_token }) => ({ oauthTokenData: { access_token } }),
		}),
	],
};

export const identityExpired: Group = {
	name: 'Identity server, token past its end',
	faults: rows('expired'),
};
