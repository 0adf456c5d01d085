/** Patterns of XML Schema as regular expressions. */
import { translatePatterns } from '../../../../nodes/shared/soap/description/patterns.ts';
import { inTime } from '../../../support/long.mts';

const FITS = true;

it.each<[pattern: string, text: string, fits: boolean]>([
	['\\d{4}\\s?[A-Z]{2}', '1016 EA', FITS],
	['\\d{4}\\s?[A-Z]{2}', '1016  EA', false],
	['\\d{4}', '10160', false],
	['\\d', '٣', FITS],
	['a|bc', 'ac', false],
	['(a|b){2,3}', 'abab', false],
	['a{2,}b+', 'aaab', FITS],
	['(a|b){2}', 'ab', FITS],
	['.*', 'no\nlines', false],
	['^a$', '^a$', FITS],
	['\\^\\$\\.\\-', '^$.-', FITS],
	['\\i\\c*', 'naïve-1', FITS],
	['\\i\\c*', '1a', false],
	['\\I\\C', '1 ', FITS],
	['\\w+', 'añ1', FITS],
	['\\W', '!', FITS],
	['\\S+', 'a\u00a0', FITS],
	['\\D', '1', false],
	['\\n', '\n', FITS],
	['\\p{Lu}\\P{Lu}', 'Aa', FITS],
	['[\\p{L}]', '1', false],
	['[a-z-[aeiou]]+', 'xyz', FITS],
	['[a-z-[aeiou]]+', 'xyza', false],
	['[^a-z]', '1', FITS],
	['[^\\d-[x]]', 'x', false],
	['[^\\d-[x]]', 'y', FITS],
	['[\\w.]+', 'a.b', FITS],
	['[\\w.]+', 'a,b', false],
	['[^\\w]', 'a', false],
	['[\\S]', ' ', false],
	['[+-]?[0-9]', '-1', FITS],
	['[-a]', '-', FITS],
	['[$(]', '(', FITS],
	['[😀-😂]', '😁', FITS],
	['[\\-\\]\\\\]', ']', FITS],
	['[A-Z]{2}[0-9]{2}[A-Z0-9]{4}[0-9]{7}([A-Z0-9]?){0,16}', 'NL91ABNA0417164300', FITS],
])('%s and "%s": %s', (pattern, text, fits) => {
	expect(translatePatterns([pattern])?.test(text)).toBe(fits);
});

it('several patterns are alternatives', () => {
	const expression = translatePatterns(['a', 'b|c']);
	expect(['a', 'b', 'c', 'ab'].filter((text) => expression?.test(text))).toEqual(['a', 'b', 'c']);
});

it.each([
	'a{2',
	'(a',
	'a)',
	'*a',
	'[a',
	'a]',
	'}',
	'a\\',
	'[]',
	'[z-a]',
	'[\\d-x]',
	'a{999}',
	'\\p{IsBasicLatin}',
	'\\p{Foo}',
])('%s is left to the service', (pattern) => {
	expect(translatePatterns([pattern])).toBeUndefined();
	expect(translatePatterns(['a', pattern])).toBeUndefined();
});

it.each(['a', '('])('a pattern of over 500 times %s is left to the service', (part) => {
	expect(translatePatterns([part.repeat(501)])).toBeUndefined();
});

it.each([
	'(a+)+b',
	'(a|a)*b',
	'(a|aa)+b',
	'(a*)*',
	'((a?){30}){30}',
	'a*a*a*a*b',
	'(a{0,50}){0,50}b',
])('%s may take long, and is left to the service', (pattern) => {
	expect(translatePatterns([pattern])).toBeUndefined();
});

it('a number of 400 digits is left to the service', () => {
	expect(translatePatterns([`(a?){${'9'.repeat(400)}}`])).toBeUndefined();
});

it.each(['a*a*a*b', '[^b]*a{0,100}b', '(a?){0,16}b', '((a{200}){200}){200}'])(
	'%s takes no time',
	(pattern) => {
		const expression = translatePatterns([pattern]);
		const fits = inTime(() => [199, 200].filter((n) => expression?.test('a'.repeat(n))));
		expect(fits).toEqual([]);
	},
);

it('a longer text is left to the service', () => {
	expect(translatePatterns(['a*b'])?.test('a'.repeat(201))).toBe(true);
	expect(translatePatterns(['a*b'])?.test('a'.repeat(1_000_000))).toBe(true);
});
