import { Vault } from '../../../nodes/shared/run/vault.ts';

const vault = new Vault('secret');

it('gives a fingerprint that depends on the secret, on each part, and on where each ends', () => {
	const all = [[], [''], ['ab', 'c'], ['a', 'bc'], ['abc'], ['c', 'ab'], ['a","b'], ['a', 'b']];
	const texts = all.map((parts) => vault.fingerprint(...parts));
	expect(new Set(texts).size).toBe(all.length);
	expect(new Vault('secret').fingerprint('ab', 'c')).toBe(texts[2]);
	expect(new Vault('other').fingerprint('ab', 'c')).not.toBe(texts[2]);
	expect(vault.fingerprint('x'.repeat(10_000))).toMatch(/^[\w-]{22}$/);
});

it('opens what it sealed, and nothing else', () => {
	const value = { records: [{ iban: 'NL91 ABNA 0417 1643 00', text: 'é😀' }] };
	const sealed = vault.seal(value, 'é here');
	expect(vault.seal(value, 'é here')).not.toBe(sealed);
	expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('iban');
	expect(new Vault('secret').open(sealed, 'é here')).toEqual(value);
	expect(new Vault('other').open(sealed, 'é here')).toBeUndefined();
	expect(vault.open(sealed, 'there')).toBeUndefined();
	const changed = sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
	expect(vault.open(changed, 'é here')).toBeUndefined();
	expect(vault.open('', 'é here')).toBeUndefined();
});
