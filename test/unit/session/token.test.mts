import {
	accountIn,
	expiryOf,
	isAboutToExpire,
	renewalTime,
} from '../../../nodes/shared/session/token.ts';

/** A token with these claims, as a JSON web token carries them. */
const tokenOf = (claims: unknown) =>
	['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'c2ln'].join('.');

/** 2026-06-01T12:00:00Z, in seconds. */
const now = 1_780_315_200;
const at = (seconds: number) => (now + seconds) * 1000;

it.each([
	[3600, 3299.999, false],
	[3600, 3300, true],
	[3600, 7200, true],
	[901, 600.9, false],
	[901, 601, true],
	[600, 399, false],
	[600, 400, true],
])(
	'a token of %d seconds is about to expire in its last five minutes or third: after %d seconds %p',
	(life, age, ending) => {
		expect(isAboutToExpire(tokenOf({ iat: now, exp: now + life }), at(age))).toBe(ending);
	},
);

describe('a token without a lifetime', () => {
	it.each([
		['no time of issue', undefined],
		['a time of issue that is not a number', String(now)],
		['a time of issue after its expiry', now + 101],
		['a time of issue at its expiry', now + 100],
	])('(%s) is about to expire when it expires', (_, iat) => {
		const token = tokenOf({ iat, exp: now + 100 });
		expect([99, 100].map((age) => isAboutToExpire(token, at(age)))).toEqual([false, true]);
	});
});

describe('a token that cannot be read is never about to expire', () => {
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
		expect(isAboutToExpire(token, at(0))).toBe(false);
		expect(expiryOf(token)).toBeUndefined();
	});
});

describe('the expiry of a token', () => {
	it.each([
		[{ exp: now }, '2026-06-01T12:00:00.000Z'],
		[{ exp: now + 0.5 }, '2026-06-01T12:00:00.500Z'],
		[{ exp: 0 }, '1970-01-01T00:00:00.000Z'],
		[{ exp: 1e300 }, undefined],
	])('is read from its claims: %j', (claims, end) => {
		expect(expiryOf(tokenOf(claims))?.toISOString()).toBe(end);
	});
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
		expect(ahead({ iat: now + 3601 }, true, now + 3540)).toEqual([20, 12]);
		expect(ahead({}, false, now + 3660)).toEqual([0, 0]);
	});

	it('never comes if the expiry is not known', () => {
		expect(renewalTime('opaque', true, at(0), 0)).toBe(Number.POSITIVE_INFINITY);
		expect(renewalTime(tokenOf({ iat: now }), false, at(0), 0)).toBe(Number.POSITIVE_INFINITY);
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
