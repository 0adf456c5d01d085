import { endOf, isEnding } from '../../nodes/shared/transport/token.ts';

/** A token with these claims, as a JSON web token carries them. */
const tokenOf = (claims: unknown) =>
	['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'c2ln'].join('.');

/** 2026-06-01T12:00:00Z, in seconds. */
const now = 1_780_315_200;
const at = (seconds: number) => (now + seconds) * 1000;

describe('a token of an hour', () => {
	const token = tokenOf({ iat: now, exp: now + 3600 });

	it.each([
		[0, false],
		[3539, false],
		[3539.999, false],
		[3540, true],
		[3600, true],
		[7200, true],
	])('%d seconds after its issue is about to end: %p', (age, ending) => {
		expect(isEnding(token, at(age))).toBe(ending);
	});
});

describe('a token that lives for less than ten minutes', () => {
	it.each([
		[100, 89, false],
		[100, 90, true],
		[599, 539, false],
		[599, 539.2, true],
		[601, 540.9, false],
		[601, 541, true],
	])('(%d seconds) is about to end in the last tenth: after %d seconds %p', (life, age, ending) => {
		expect(isEnding(tokenOf({ iat: now, exp: now + life }), at(age))).toBe(ending);
	});
});

describe('a token that does not tell its lifetime', () => {
	it.each([
		['no time of issue', undefined],
		['a time of issue that is no number', String(now)],
		['a time of issue after its end', now + 101],
		['a time of issue at its end', now + 100],
	])('(%s) is about to end in the last minute', (_, iat) => {
		const token = tokenOf({ iat, exp: now + 100 });
		expect([39, 40].map((age) => isEnding(token, at(age)))).toEqual([false, true]);
	});
});

describe('a token that cannot be read is never about to end', () => {
	it.each([
		['none', ''],
		['an opaque one', 'b3BhcXVl'],
		['one whose middle is no base64', 'a.*.c'],
		['one whose middle is no JSON', `a.${Buffer.from('{').toString('base64url')}.c`],
		['one whose claims are a text', tokenOf('exp')],
		['one whose claims are null', tokenOf(null)],
		['one without an end', tokenOf({ iat: now })],
		['one whose end is a text', tokenOf({ exp: '1' })],
	])('%s', (_, token) => {
		expect(isEnding(token, at(0))).toBe(false);
		expect(endOf(token)).toBeUndefined();
	});
});

describe('the end of a token', () => {
	it.each([
		[{ exp: now }, '2026-06-01T12:00:00.000Z'],
		[{ exp: now + 0.5 }, '2026-06-01T12:00:00.500Z'],
		[{ exp: 0 }, '1970-01-01T00:00:00.000Z'],
		[{ exp: 1e300 }, undefined],
	])('is that of its claims: %j', (claims, end) => {
		expect(endOf(tokenOf(claims))?.toISOString()).toBe(end);
	});
});
