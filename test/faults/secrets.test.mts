import { secretsOf, SecretSearch, type Secret } from './secrets.mts';

const credential = {
	clientId: 'payroll-n8n',
	clientSecret: 'p+y/100% r:o&l=l secret',
	subscriptionKey: '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a',
	domain: 'kantoor-zuid-7f3a',
};
const access = `eyJhbGciOiJFUzI1NiJ9.${'Zm9vYmFy'.repeat(20)}.${'c2lnbmF0'.repeat(8)}`;
const secrets = secretsOf(credential, [access, 'uIMITv0wGuNBvoyELEl4pGEpbx9c1YHWfoEdAmst2Sa']);

function hitsIn(value: unknown): string[] {
	const search = new SecretSearch().lookFor(secrets);
	search.search('here', value);
	return search.hits.map(({ secret }) => secret);
}

const encodings: Array<[string, (value: string) => string]> = [
	['as it is', (value) => value],
	['inside a sentence', (value) => `The value ${value} is wrong.`],
	['in JSON', (value) => JSON.stringify({ value })],
	['URL-encoded', encodeURIComponent],
	['form-encoded', (value) => new URLSearchParams({ value }).toString()],
	['in XML', (value) => `<a>${value.replace(/&/g, '&amp;')}</a>`],
	...['', 'a', 'ab', 'abc'].map((before): [string, (value: string) => string] => [
		`in base64 behind ${before.length} characters`,
		(value) => Buffer.from(`${before}${value} and more`).toString('base64'),
	]),
	['in base64url', (value) => Buffer.from(`x${value}`).toString('base64url')],
];

describe.each(encodings)('a secret %s', (_name, encode) => {
	it.each(secrets.map((secret): [string, Secret] => [secret.name, secret]))(
		'is found: %s',
		(_secret, { name, value }) => {
			expect(hitsIn(encode(value))).toContain(name);
		},
	);
});

it('finds a secret in a header that n8n sends', () => {
	const pair = `${encodeURIComponent(credential.clientId)}:${encodeURIComponent(credential.clientSecret)}`;
	expect(hitsIn(`Basic ${Buffer.from(pair).toString('base64')}`)).not.toEqual([]);
});

it('finds half of a secret', () => {
	expect(hitsIn(`cut … ${access.slice(60, 120)}`)).toContain('token');
	expect(hitsIn(Buffer.from(access).toString('base64').slice(60, 150))).toContain('token');
});

it('finds a secret in every property of an object', () => {
	const { subscriptionKey: key } = credential;
	const inner = Object.defineProperty(new Error('inner'), 'hidden', { value: { deep: [key] } });
	const cyclic: { self?: unknown; error: Error } = { error: new Error('outer', { cause: inner }) };
	cyclic.self = cyclic;
	expect(hitsIn(cyclic)).toContain('subscription key');
	expect(hitsIn(new Error(`with ${key}`).stack)).toContain('subscription key');
	expect(hitsIn({ [key]: 1 })).toContain('subscription key');
	const map = new Map([[{}, { key }]]);
	expect(hitsIn(map)).toContain('subscription key');
	// A map of the realm that n8n is loaded in.
	expect(hitsIn(structuredClone(map))).toContain('subscription key');
	expect(hitsIn({ [Symbol('s')]: Buffer.from(key) })).toContain('subscription key');
	expect(hitsIn(Object.defineProperty({}, 'late', { get: () => key }))).toContain(
		'subscription key',
	);
});

it('finds nothing in harmless values', () => {
	const harmless = {
		scope: 'employee.info',
		header: 'eyJhbGciOiJFUzI1NiJ9',
		domain: 'kantoor-zuid',
	};
	expect(hitsIn(harmless)).toEqual([]);
});

it('reports how much was searched, and not the secret itself', () => {
	const search = new SecretSearch().lookFor(secrets);
	search.search('a', { text: `before ${credential.domain} after` });
	search.search('b', 'twelve chars');
	expect(search).toMatchObject({ values: 2, characters: 'text'.length + 30 + 12 });
	expect(search.hits).toEqual([
		{ path: 'a.text', secret: 'domain', encoding: 'as it is', around: 'before <here> after' },
	]);
});

it('refuses a secret that would be found anywhere', () => {
	expect(() => new SecretSearch().lookFor([{ name: 'domain', value: 'demo' }])).toThrow(RangeError);
});
