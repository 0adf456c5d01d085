import { presentable } from '../../nodes/shared/run/redact.ts';
import { inTime, long } from '../support/long.mts';

const shown = (text: string): string => presentable(text, [], Number.POSITIVE_INFINITY);

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';

it.each([
	['a token', `The token ${token} is expired.`, 'The token *** is expired.'],
	['a token without signature', 'eyJhbGci.eyJzdWIi. was sent', '*** was sent'],
	['a token behind a dash', `x-${token}`, 'x-***'],
	['a token behind dashes that begin like one', `eyJ-eyJ-${token}`, '***'],
	['a token behind a word', `the token_${token} is expired`, 'the token_*** is expired'],
	['a token behind letters', 'keyJhbGci.eyJzdWIi.x', 'k***'],
	['a token glued to another', `a.x${token}${token}`, 'a.x***'],
	['two tokens', `${token},${token}`, '***,***'],
	['what stands behind Bearer', 'Bearer abcdefgh12345678 sent', 'Bearer *** sent'],
	['what stands behind Basic and blanks', 'Basic  dXNlcjpwYXNzd29yZA==', 'Basic  ***'],
])('%s never stands in an error', (_, text, expected) => {
	expect(shown(text)).toBe(expected);
});

it.each(['System.Web.Services', 'eyJ', 'a.b.c', 'the bearer of this', 'keyJournalOfYear.x.eyJ'])(
	'%p stays as it is',
	(text) => {
		expect(shown(text)).toBe(text);
	},
);

it.each(['eyJ-', 'eyJ.', 'eyJa.a.', 'xeyJ.', 'xeyJ', 'Bearer ', 'Bearer\t\t'])(
	'a long text of %p takes time in proportion to its length',
	(unit) => {
		expect(typeof inTime(() => shown(long(unit)))).toBe('string');
	},
);

it('blanks without end behind Bearer too', () => {
	const text = `Bearer${long(' ')}`;
	expect(inTime(() => shown(text))).toBe(text);
});

describe('a text longer than what is shown', () => {
	const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

	it('is cut, and says so', () => {
		expect(presentable('x'.repeat(50), [], 20)).toBe(`${'x'.repeat(20)}…`);
	});

	it.each(Array.from({ length: 40 }, (_, i) => 70 + i))(
		'never ends with a part of a secret, cut after %d characters',
		(max) => {
			const text = `${'word '.repeat(18)}${key} ${'word '.repeat(10_000)}`;
			expect(presentable(text, [key], max)).not.toContain(key.slice(0, 4));
		},
	);

	it('nor where it holds nothing else', () => {
		const shownText = presentable(`${key} `.repeat(5000), [key], 1000);
		expect(shownText).toMatch(/^[* ]*…$/);
	});
});
