import {
	accountIn,
	clockBehind,
	hasExpired,
	renewalTime,
} from '../../../nodes/shared/session/token.ts';

/** A token with these claims, as a JSON web token carries them. */
const tokenOf = (claims: unknown) =>
	['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'c2ln'].join('.');

/** 2026-06-01T12:00:00Z, in seconds. */
const now = 1_780_315_200;
const at = (seconds: number) => (now + seconds) * 1000;

describe('a token that cannot be read is never renewed early, and never past its end', () => {
	it.each([
		['none', ''],
		['an opaque one', 'b3BhcXVl'],
		['one whose payload is not base64', 'a.*.c'],
		['one whose payload is not JSON', `a.${Buffer.from('{').toString('base64url')}.c`],
		['one whose claims are a string', tokenOf('exp')],
		['one whose claims are null', tokenOf(null)],
		['one without an expiry', tokenOf({ iat: now })],
		['one whose expiry is a string', tokenOf({ exp: '1' })],
	])('%s', (_, token) => {
		expect(renewalTime(token, true, at(0), 0)).toBe(Number.POSITIVE_INFINITY);
		expect(hasExpired(token)).toBe(false);
	});
});

it('a token has expired from the second that its claims name', () => {
	const seconds = Math.floor(Date.now() / 1000);
	expect([0, -1, 60, 1e300].map((left) => hasExpired(tokenOf({ exp: seconds + left })))).toEqual([
		true,
		true,
		false,
		false,
	]);
});

it('a token begins in the future by the clock of the service, or else of n8n', () => {
	const seconds = Math.floor(Date.now() / 1000);
	const dated = (ahead: number) => new Date((seconds + ahead) * 1000).toUTCString();
	const behind = (claims: object, date: unknown = dated(0)) => clockBehind(tokenOf(claims), date);
	expect(behind({ iat: seconds })).toBeUndefined();
	expect(behind({ iat: seconds, nbf: seconds + 30 })).toBe('the payroll service');
	expect(behind({ iat: seconds + 30, nbf: seconds }, dated(60))).toBe('n8n');
	expect(behind({ iat: seconds + 30 }, '')).toBe('n8n');
	expect(behind({ iat: seconds }, dated(-2))).toBe('the payroll service');
	expect(behind({ iat: String(seconds + 30), exp: seconds + 30 })).toBeUndefined();
	expect(clockBehind('opaque', dated(0))).toBeUndefined();
});

describe('the moment at which a process renews a token', () => {
	/** The earliest and the latest possible moment, in seconds before the token's expiry. */
	const ahead = (claims: object, isOwner: boolean, seen = now) =>
		[0, 1].map((random) => {
			const at = renewalTime(tokenOf({ exp: now + 3600, ...claims }), isOwner, seen * 1000, random);
			return now + 3600 - at / 1000;
		});

	it.each([
		['3600 s', { iat: now }, [300, 180], [120, 30]],
		['900 s', { iat: now + 2700 }, [300, 180], [120, 30]],
		['60 s', { iat: now + 3540 }, [20, 12], [8, 2]],
	])('of %s is earlier in the process that got the token', (_, claims, owner, others) => {
		const rounded = (times: number[]) => times.map((time) => Math.round(time * 1000) / 1000);
		expect(rounded(ahead(claims, true))).toEqual(owner);
		expect(rounded(ahead(claims, false))).toEqual(others);
	});

	it('depends on when the token was first seen if it has no lifetime', () => {
		expect(ahead({}, true)).toEqual([300, 180]);
		expect(ahead({}, true, now + 3540)).toEqual([20, 12]);
		for (const iat of [now + 3600, now + 3601, String(now)]) {
			expect(ahead({ iat }, true, now + 3540)).toEqual([20, 12]);
		}
		expect(ahead({}, false, now + 3660)).toEqual([0, 0]);
	});
});

describe('the account of a token', () => {
	it('is its subject, for its issuer', () => {
		const accounts = [
			{ sub: 'anna' },
			{ sub: 'bert' },
			{ sub: 'anna', iss: 'https://a.example' },
			{ sub: 'anna', iss: 'https://b.example' },
		].map((claims) => accountIn(tokenOf(claims)));
		expect(new Set(accounts).size).toBe(4);
		expect(accountIn(tokenOf({ sub: 'anna', iss: 5, exp: 1 }))).toBe(accounts[0]);
	});

	it.each([[{}], [{ sub: '' }], [{ sub: 7 }], [{ sub: null }]])(
		'is not known from %j',
		(claims) => {
			expect(accountIn(tokenOf(claims))).toBeUndefined();
		},
	);

	it('is not known from an opaque token', () => {
		expect(accountIn('b3BhcXVl')).toBeUndefined();
	});
});
