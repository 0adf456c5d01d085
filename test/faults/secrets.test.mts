import { secretsOf, SecretSearch, type Secret } from './secrets.mts';

const credential = {
	clientId: 'payroll-n8n',
	clientSecret: 'p+y/100% r:o&l=l "secret" \\n',
	subscriptionKey: '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a',
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
	['in base64', (value) => Buffer.from(value).toString('base64')],
];

describe.each(encodings)('a secret %s', (_name, encode) => {
	it.each(secrets.map((secret): [string, Secret] => [secret.name, secret]))(
		'is found: %s',
		(_secret, { name, value }) => {
			expect(hitsIn(encode(value))).toContain(name);
		},
	);
});

it('finds a secret in every property of an object', () => {
	const { subscriptionKey: key } = credential;
	const inner = Object.defineProperty(new Error('inner'), 'hidden', { value: { deep: [key] } });
	const cyclic: { self?: unknown; error: Error } = { error: new Error('outer', { cause: inner }) };
	cyclic.self = cyclic;
	const late = Object.defineProperty({}, 'late', { get: () => key });
	// A map of the realm that n8n is loaded in.
	const map = structuredClone(new Map([[{}, { key }]]));
	const bytes = { [Symbol('s')]: Buffer.from(key) };
	for (const value of [cyclic, new Error(`with ${key}`).stack, { [key]: 1 }, map, late, bytes]) {
		expect(hitsIn(value)).toContain('subscription key');
	}
});

it('finds nothing in harmless values', () => {
	expect(hitsIn({ header: 'eyJhbGciOiJFUzI1NiJ9', key: '5f0c2c0b7a1e' })).toEqual([]);
});

it('reports how much was searched, and not the secret itself', () => {
	const search = new SecretSearch().lookFor(secrets);
	search.search('a', { text: `before ${credential.subscriptionKey} after` });
	expect(search.characters).toBe('text'.length + 45);
	expect(search.hits).toEqual([
		{
			path: 'a.text',
			secret: 'subscription key',
			encoding: 'as it is',
			around: 'before <here> after',
		},
	]);
});

it('refuses a secret that would be found anywhere', () => {
	expect(() => new SecretSearch().lookFor([{ name: 'key', value: 'demo' }])).toThrow(RangeError);
});
