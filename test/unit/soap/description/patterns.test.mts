/** Patterns of XML Schema as regular expressions. */
import { translatePatterns } from '../../../../nodes/shared/soap/description/patterns.ts';

const FITS = true;

it.each<[pattern: string, text: string, fits: boolean]>([
	['\\d{4}\\s?[A-Z]{2}', '1016 EA', FITS],
	['\\d{4}\\s?[A-Z]{2}', '1016  EA', false],
	['\\d{4}', '10160', false],
	['\\d', '٣', FITS],
	['a|bc', 'bc', FITS],
	['a|bc', 'ac', false],
	['(a|b){2,3}', 'abab', false],
	['(a|b){2,4}', 'abab', FITS],
	['a{2,}b+', 'aaab', FITS],
	['(a|b){2}', 'ab', FITS],
	['', '', FITS],
	['.*', 'no\nlines', false],
	['^a$', '^a$', FITS],
	['\\^\\$\\.\\-', '^$.-', FITS],
	['/-&', '/-&', FITS],
	['\\i\\c*', 'naïve-1', FITS],
	['\\i\\c*', '1a', false],
	['\\I\\C', '1 ', FITS],
	['\\w+', 'añ1', FITS],
	['\\w+', 'a b', false],
	['\\W', '!', FITS],
	['\\S+', 'a\u00a0', FITS],
	['\\S+', 'a b', false],
	['\\D', '1', false],
	['\\n', '\n', FITS],
	['\\p{Lu}\\P{Lu}', 'Aa', FITS],
	['[\\p{L}]', '1', false],
	['[a-z-[aeiou]]+', 'xyz', FITS],
	['[a-z-[aeiou]]+', 'xyza', false],
	['[^a-z]', 'b', false],
	['[^a-z]', '1', FITS],
	['[^\\d-[x]]', 'x', false],
	['[^\\d-[x]]', 'y', FITS],
	['[\\w.]+', 'a.b', FITS],
	['[\\w.]+', 'a,b', false],
	['[^\\w]', 'a', false],
	['[^\\w]', ',', FITS],
	['[\\S]', ' ', false],
	['[.]', 'a', false],
	['[+-]?[0-9]', '-1', FITS],
	['[-a]', '-', FITS],
	['[$(]', '(', FITS],
	['[😀-😂]', '😁', FITS],
	['[\\-\\]\\\\]', ']', FITS],
	['[^@]+@[^\\.]+\\..+', 'a@b.example', FITS],
	['[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?', 'ABCDEF2A', FITS],
	['[A-Z]{2}[0-9]{2}[A-Z0-9]{4}[0-9]{7}([A-Z0-9]?){0,16}', 'NL91ABNA0417164300', FITS],
	[
		'[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
		'6f9619ff-8b86-d011-b42d-00c04fc964ff',
		FITS,
	],
])('%s and "%s": %s', (pattern, text, fits) => {
	expect(translatePatterns([pattern])?.test(text)).toBe(fits);
});

it('several patterns are alternatives', () => {
	const expression = translatePatterns(['a', 'b|c']);
	expect(['a', 'b', 'c', 'ab'].map((text) => expression?.test(text))).toEqual([
		true,
		true,
		true,
		false,
	]);
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
	'a'.repeat(501),
	'('.repeat(501),
])('%s is left to the service', (pattern) => {
	expect(translatePatterns([pattern])).toBeUndefined();
	expect(translatePatterns(['a', pattern])).toBeUndefined();
});

it.each([
	'(a+)+b',
	'(a|a)*b',
	'(a|aa)+b',
	'(a*)*',
	'((a?){30}){30}',
	'a*a*a*a*b',
	'(a{0,50}){0,50}b',
	`(a?){${'9'.repeat(400)}}`,
])('%s may take long, and is left to the service', (pattern) => {
	expect(translatePatterns([pattern])).toBeUndefined();
});

it.each(['a*a*a*b', '[^b]*a{0,100}b', '(a?){0,16}b', '((a{200}){200}){200}'])(
	'%s takes no time',
	(pattern) => {
		const expression = translatePatterns([pattern]);
		const started = performance.now();
		expect(expression?.test('a'.repeat(199))).toBe(false);
		expect(expression?.test('a'.repeat(200))).toBe(false);
		// Far above any reasonable time, far below that of an exponential one.
		expect(performance.now() - started).toBeLessThan(5_000);
	},
);

it('a longer text is left to the service', () => {
	expect(translatePatterns(['a*b'])?.test('a'.repeat(201))).toBe(true);
	expect(translatePatterns(['a*b'])?.test('a'.repeat(1_000_000))).toBe(true);
});
