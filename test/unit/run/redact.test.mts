import { Redactor } from '../../../nodes/shared/run/redact.ts';
import { Vault } from '../../../nodes/shared/run/writeRecord.ts';

const clean = (text: string, secrets: readonly string[] = [], max = 100_000): string =>
	new Redactor(secrets).clean(text, max);

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';
const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

it.each([
	['a token', `The token ${token} is expired.`, 'The token *** is expired.'],
	['a token without signature', 'eyJhbGciOiJ9.eyJzdWIi. was sent', '*** was sent'],
	['a short token, whose second part shows it', '<eyJa.eyJa.a.<', '<***.<'],
	['a token after a word', `the token_${token} is expired`, 'the token_*** is expired'],
	['a token that is cut off', `Got ${token.slice(0, 35)}…`, 'Got ***…'],
	['a text after Bearer', 'Bearer abcdefgh12345678 sent', 'Bearer *** sent'],
	['a text after Basic and spaces', 'Basic  dXNlcjpwYXNzd29yZA==', 'Basic  ***'],
])('%s is masked, also if it is not known', (_, text, expected) => {
	expect(clean(text)).toBe(expected);
});

it.each(['System.Web.Services', 'eyJ', 'a.b.c', 'the bearer of this', 'Eyjafjallajökull'])(
	'%p is not masked',
	(text) => {
		expect(clean(text)).toBe(text);
	},
);

describe('a secret', () => {
	const url = encodeURIComponent;
	const base64 = (text: string): string => Buffer.from(text).toString('base64');
	it.each<[string, (secret: string) => string]>([
		['as it is', (secret) => secret],
		['as in JSON', (secret) => JSON.stringify({ secret })],
		['URL-encoded', url],
		['URL-encoded by .NET', (secret) => url(secret).replace(/%\w\w/g, (one) => one.toLowerCase())],
		['in a form', (secret) => String(new URLSearchParams({ secret }))],
		['in base64', base64],
		['in base64, after one letter', (secret) => base64(`a${secret} end`)],
		['in base64, after two letters', (secret) => base64(`ab${secret} end`)],
		['in a Basic header', (secret) => base64(`client:${url(secret)}`)],
	])('is masked %s', (_, write) => {
		const secrets = [
			key,
			token,
			'één 😀-bv',
			'Kp+7/x=9QzR2mN4v',
			`5f0c\\2c0b"4d5c9'b8`,
			'100%+&$#@!',
		];
		const redactor = new Redactor(secrets);
		for (const secret of secrets) {
			const text = redactor.clean(`Got ${write(secret)} here`, 10_000);
			expect(text).toMatch(/^Got .{0,14}\*\*\*.{0,8} here$/);
		}
	});

	it('of seven characters is not masked, since it is part of words', () => {
		expect(clean('my-keys 12345678', ['my-keys', '12345678'])).toBe('my-keys ***');
	});

	it('is not a pattern', () => {
		expect(clean('a.b.c.d.e axbxcxdxe', ['a.b.c.d.e'])).toBe('*** axbxcxdxe');
	});

	it('that another one begins with is masked as one with it, and so are two beside each other', () => {
		const secrets = ['acme-prod', 'acme-prod-0f9e11'];
		expect(clean('acme-prod-0f9e11, acme-prod', secrets)).toBe('***, ***');
		expect(clean(`${key}${key}`, [key])).toBe('***');
	});
});

describe('a text above the limit', () => {
	it('is cut, and ends with an ellipsis', () => {
		expect(clean('x'.repeat(50), [], 20)).toBe(`${'x'.repeat(20)}…`);
		expect(clean('x'.repeat(20), [], 20)).toBe('x'.repeat(20));
	});

	it('does not end with a part of a secret', () => {
		const text = `${'word '.repeat(18)}${key} ${'word '.repeat(10_000)}`;
		const cut = Array.from({ length: 40 }, (_, i) => clean(text, [key], 70 + i));
		expect(cut.filter((one) => one.includes(key.slice(0, 4)))).toEqual([]);
		expect(clean(key.repeat(5000), [key], 1000)).toBe('***…');
	});
});

describe('a vault', () => {
	const vaultOf = (clientSecret: string) => new Vault({ clientSecret, subscriptionKey: '' });
	const vault = vaultOf('secret');

	it('gives a fingerprint that depends on the secret, on each part, and on where each ends', () => {
		const all = [[], [''], ['ab', 'c'], ['a', 'bc'], ['abc'], ['c', 'ab'], ['a","b'], ['a', 'b']];
		const texts = all.map((parts) => vault.fingerprint(...parts));
		expect(new Set(texts).size).toBe(all.length);
		expect(vaultOf('secret').fingerprint('ab', 'c')).toBe(texts[2]);
		expect(vaultOf('other').fingerprint('ab', 'c')).not.toBe(texts[2]);
		expect(vault.fingerprint('x'.repeat(10_000))).toMatch(/^[\w-]{22}$/);
	});

	it('opens what it sealed, and nothing else', () => {
		const value = { records: [{ iban: 'NL91 ABNA 0417 1643 00', text: 'é😀' }] };
		const sealed = vault.seal(value, 'é here');
		expect(vault.seal(value, 'é here')).not.toBe(sealed);
		expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('iban');
		expect(vaultOf('secret').open(sealed, 'é here')).toEqual(value);
		expect(vaultOf('other').open(sealed, 'é here')).toBeUndefined();
		expect(vault.open(sealed, 'there')).toBeUndefined();
		const changed = sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
		expect(vault.open(changed, 'é here')).toBeUndefined();
		expect(vault.open('', 'é here')).toBeUndefined();
	});
});
