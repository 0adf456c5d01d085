import { presentable } from '../../../nodes/shared/run/redact.ts';
import { inTime, long } from '../../support/long.mts';

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
	['a token of few letters', 'eyJab.cd.ef is expired', '*** is expired'],
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

describe('a known secret', () => {
	const without = (text: string, secret: string): string => presentable(text, [secret], 1000);

	it('goes wherever it stands', () => {
		expect(without('demo, demo', 'demo')).toBe('***, ***');
	});

	it('goes as a word of its own where it is short, and within words where it is not', () => {
		expect(without('demonstration demo', 'demo')).toBe('demonstration ***');
		expect(without('x0123456789abcdefx', '0123456789abcdef')).toBe('x***x');
	});

	it('is no pattern', () => {
		expect(without('a.b axb ab', 'a.b')).toBe('*** axb ab');
	});

	it('that is empty takes nothing out', () => {
		expect(without('a -- b', '')).toBe('a -- b');
	});

	it.each(['', 'a', 'ab', 'abc'])('goes in base64, also behind %p', (before) => {
		const encoded = Buffer.from('? 5f0c2c0b7a1e4d5c ?').toString('base64');
		expect(without(`Got ${before}${encoded} here`, '5f0c2c0b7a1e4d5c')).toBe('Got *** here');
	});

	it('of three letters is not looked for in base64', () => {
		const encoded = Buffer.from('? abc ?').toString('base64');
		expect(without(encoded, 'abc')).toBe(encoded);
	});

	it('goes URL-encoded, also with letters of several bytes', () => {
		expect(without(`Got ${encodeURIComponent('één sleutel')} here`, 'één sleutel')).toBe(
			'Got *** here',
		);
	});

	it('goes where something that is no URL encoding stands beside it', () => {
		expect(without('Got %FF&d=R%26D-zuid here', 'R&D-zuid')).toBe('Got *** here');
	});
});

it('control characters and turned reading direction are shown as such, line breaks as one kind', () => {
	expect(shown('a\u0007b\u202ec\td\ne\r\nf\rg')).toBe('a\ufffdb\ufffdc\td\ne\nf\ng');
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
		expect(presentable(`${key} `.repeat(5000), [key], 4000)).toMatch(/^[* ]*…$/);
	});
});
