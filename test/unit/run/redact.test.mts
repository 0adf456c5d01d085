import { Redactor } from '../../../nodes/shared/run/redact.ts';
import { inTime, long } from '../../support/long.mts';

const presentable = (text: string, secrets: string[], max: number): string =>
	new Redactor(secrets).clean(text, max);
const shown = (text: string): string => presentable(text, [], Number.POSITIVE_INFINITY);

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';

it.each([
	['a token', `The token ${token} is expired.`, 'The token *** is expired.'],
	['a token without signature', 'eyJhbGci.eyJzdWIi. was sent', '*** was sent'],
	['a token after a dash', `x-${token}`, 'x-***'],
	['a token after two starts of one', `eyJ-eyJ-${token}`, '***'],
	['a token after a word', `the token_${token} is expired`, 'the token_*** is expired'],
	['a token after letters', 'keyJhbGci.eyJzdWIi.x', 'k***'],
	['a token right after another', `a.x${token}${token}`, 'a.x***'],
	['a token of few letters', 'eyJab.cd.ef is expired', '*** is expired'],
	['two tokens', `${token},${token}`, '***,***'],
	['a token that is cut off', `Got ${token.slice(0, 35)}…`, 'Got ***…'],
	['a text after Bearer', 'Bearer abcdefgh12345678 sent', 'Bearer *** sent'],
	['a text after Basic and spaces', 'Basic  dXNlcjpwYXNzd29yZA==', 'Basic  ***'],
])('%s is masked', (_, text, expected) => {
	expect(shown(text)).toBe(expected);
});

it.each(['System.Web.Services', 'eyJ', 'a.b.c', 'the bearer of this', 'keyJournalOfYear.x.eyJ'])(
	'%p is not masked',
	(text) => {
		expect(shown(text)).toBe(text);
	},
);

it.each(['eyJ-', 'eyJ.', 'eyJa.a.', 'xeyJ.', 'xeyJ', 'Bearer ', 'Bearer\t\t'])(
	'a long text of %p is searched in linear time',
	(unit) => {
		expect(typeof inTime(() => shown(long(unit)))).toBe('string');
	},
);

it('many spaces after Bearer are searched in linear time', () => {
	const text = `Bearer${long(' ')}`;
	expect(inTime(() => shown(text))).toBe(text);
});

const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';
const jwt = `eyJhbGciOiJFUzI1NiJ9.${'Zm9vYmFy'.repeat(9)}.${'c2lnbmF0'.repeat(5)}`;

it('the client secret of a Basic header is masked without the word Basic', () => {
	const secret = 'a+b/c d%=:&';
	const sent = Buffer.from(`client:${encodeURIComponent(secret)}`).toString('base64');
	expect(presentable(`Got ${sent} here`, [secret], 1000)).toBe('Got *** here');
});

describe('a token, a key and a Domain', () => {
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	it.each([
		['as they are', (secret: string) => secret],
		['URL-encoded', (secret: string) => `header=Bearer%20${encodeURIComponent(secret)}`],
		['in base64', base64],
		['in base64 after another word', (secret: string) => base64(`key ${secret} end`)],
		[
			'in base64, URL-encoded',
			(secret: string) => `v=${encodeURIComponent(base64(`? ${secret}`))}%3D`,
		],
	])('are masked %s', (_, write) => {
		for (const secret of ['demo', key, jwt]) {
			const text = presentable(`Got ${write(secret)} here`, ['demo', key], 1000);
			expect(text).toMatch(/^Got .*\*\*\*.* here$/);
			expect(text).not.toContain(write(secret));
		}
	});

	it.each([
		'The employee 1001 of demonstration B.V. does not exist.',
		'Cost center R%26D has 100% of the salary, see /api/companies/100/hourcodes',
		'Voorbeeld: SalarisAdministratieMedewerkers/Loonheffingskorting+2026',
	])('are not found in other words: %s', (text) => {
		expect(presentable(text, ['demo', key], 1000)).toBe(text);
	});
});

describe('a known secret', () => {
	const without = (text: string, secret: string): string => presentable(text, [secret], 1000);

	it.each([
		['escaped for XML', 'R&amp;D &lt;zuid&gt;'],
		['escaped for XML, in base64', Buffer.from('<D>R&amp;D &lt;zuid&gt;</D>').toString('base64')],
		['escaped for XML, URL-encoded', encodeURIComponent('R&amp;D &lt;zuid&gt;')],
		['in a form', 'R%26D+%3Czuid%3E'],
	])('with spaces and angle brackets is masked %s', (_, written) => {
		expect(without(`Got ${written} here`, 'R&D <zuid>')).toBe('Got *** here');
	});

	it.each([
		['in JSON', JSON.stringify],
		['in JSON, after a line break', (secret: string) => JSON.stringify(`\n${secret}\n`)],
		['in HTML', (secret: string) => secret.replace(/"/g, '&quot;').replace(/'/g, '&#39;')],
	])('with quotes and a backslash is masked %s', (_, write) => {
		const secret = '5f0c\\2c0b7a1e"4d5c9b8a\'7f6e';
		expect(without(`Got ${write(secret)} here`, secret)).toMatch(/^Got \W*n?\*\*\*\W*n?\W* here$/);
	});

	it('is masked everywhere', () => {
		expect(without('demo, demo', 'demo')).toBe('***, ***');
	});

	it('is masked as a whole word if it is short, also within words if it is long', () => {
		expect(without('demonstration demo', 'demo')).toBe('demonstration ***');
		expect(without('x0123456789abcdefx', '0123456789abcdef')).toBe('x***x');
	});

	it('is not a pattern', () => {
		expect(without('a.b axb ab', 'a.b')).toBe('*** axb ab');
	});

	it('that is empty masks nothing', () => {
		expect(without('a -- b', '')).toBe('a -- b');
	});

	it.each(['', 'a', 'ab', 'abc'])('is masked in base64, also after %p', (before) => {
		const encoded = Buffer.from('? 5f0c2c0b7a1e4d5c ?').toString('base64');
		expect(without(`Got ${before}${encoded} here`, '5f0c2c0b7a1e4d5c')).toBe('Got *** here');
	});

	it('of three letters is not masked in base64', () => {
		const encoded = Buffer.from('? abc ?').toString('base64');
		expect(without(encoded, 'abc')).toBe(encoded);
	});

	it('is masked if it is URL-encoded, also with letters of several bytes', () => {
		expect(without(`Got ${encodeURIComponent('één sleutel')} here`, 'één sleutel')).toBe(
			'Got *** here',
		);
	});

	it('is masked beside malformed URL encoding', () => {
		expect(without('Got %FF&d=R%26D-zuid here', 'R&D-zuid')).toBe('Got %FF&d=*** here');
	});
});

it('control and bidirectional characters are replaced, line breaks made uniform', () => {
	expect(shown('a\u0007b\u202ec\td\ne\r\nf\rg')).toBe('a\ufffdb\ufffdc\td\ne\nf\ng');
});

describe('a key and a Domain', () => {
	const secrets = ['acme', 'Kp+7/x=9QzR2mN4v', 'acme-prod-0f9e11'];
	const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
	const inLines = (text: string): string => text.replace(/.{5}/g, '$&\r\n ');
	it.each<[string, (secret: string) => string]>([
		['as numeric entities', (secret) => secret.replace(/\W/g, (one) => `&#${one.charCodeAt(0)};`)],
		[
			'as hexadecimal entities',
			(secret) => secret.replace(/./g, (one) => `&#x${one.charCodeAt(0).toString(16)};`),
		],
		[
			'as escapes of .NET',
			(secret) => secret.replace(/\W/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
		],
		[
			'as escapes of JavaScript',
			(secret) => secret.replace(/\W/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`),
		],
		['with escaped slashes', (secret) => secret.replaceAll('/', '\\/')],
		['in upper case', (secret) => secret.toUpperCase()],
		['URL-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
		[
			'URL-encoded, in XML, in JSON',
			(secret) => JSON.stringify(`<a b="${encodeURIComponent(secret)}&amp;"/>`),
		],
		['in lines', inLines],
		[
			'quoted-printable',
			(secret) =>
				secret.replace(/\W/g, (one) => `=${one.charCodeAt(0).toString(16).toUpperCase()}`),
		],
		[
			'in base64, in lines',
			(secret) => inLines(Buffer.from(`key ${secret} end`).toString('base64')),
		],
		['in base64 of UTF-16', (secret) => utf16(secret).toString('base64')],
		[
			'in base64 of base64',
			(secret) => Buffer.from(Buffer.from(secret).toString('base64')).toString('base64'),
		],
		['in hex', (secret) => Buffer.from(secret).toString('hex')],
		[
			'in hex with dashes, in upper case',
			(secret) =>
				Buffer.from(secret)
					.toString('hex')
					.toUpperCase()
					.replace(/..(?=.)/g, '$&-'),
		],
		['in hex of UTF-16', (secret) => utf16(secret).toString('hex')],
	])('are masked %s', (_, write) => {
		const redactor = new Redactor(secrets);
		for (const secret of secrets) {
			const text = redactor.clean(`Got ${write(secret)} here`, 1000);
			expect(text).toMatch(/^Got .*\*\*\*.* here$/);
			expect(text).not.toContain(write(secret));
		}
	});

	it('are masked as one where they overlap', () => {
		expect(presentable('Got acme-prod-0f9e11, acme', secrets, 1000)).toBe('Got ***, ***');
	});

	it('are masked among thousands of others, in linear time', () => {
		const many = Array.from({ length: 5000 }, (_, i) => `domain-${i}`);
		const redactor = new Redactor(many);
		const texts = many.map((one, i) => `Call ${i} for ${one} failed: the service was busy`);
		const clean = inTime(() => texts.map((text) => redactor.clean(text, 1000)));
		expect(new Set(clean.map((text) => text.replace(/\d+/, '')))).toEqual(
			new Set(['Call  for *** failed: the service was busy']),
		);
	});
});

describe('a text above the limit', () => {
	it('is cut, and ends with an ellipsis', () => {
		expect(presentable('x'.repeat(50), [], 20)).toBe(`${'x'.repeat(20)}…`);
	});

	it.each(Array.from({ length: 40 }, (_, i) => 70 + i))(
		'does not end with a part of a secret (limit %d)',
		(max) => {
			const text = `${'word '.repeat(18)}${key} ${'word '.repeat(10_000)}`;
			expect(presentable(text, [key], max)).not.toContain(key.slice(0, 4));
		},
	);

	it.each([1000, 4000])('shows nothing of a secret if it holds nothing else (limit %d)', (max) => {
		expect(presentable(`${key} `.repeat(5000), [key], max)).toMatch(/^[* ]*…$/);
	});
});
