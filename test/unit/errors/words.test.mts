/* Values in messages; what else errors say is in docs/errors.md. */
import { formatValue, joinNames } from '../../../nodes/shared/errors/words.ts';

it.each<[unknown, string]>([
	['a\n"b"', '"a\\n\\"b\\""'],
	['x'.repeat(78), `"${'x'.repeat(78)}"`],
	['x'.repeat(79), `"${'x'.repeat(76)}...`],
	[[1, [2], { A: [3] }, null], '[1,[2],{"A":[3]},null]'],
	[{ A: undefined, B: new Date(0) }, '{"B":"1970-01-01T00:00:00.000Z"}'],
	[JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
	[new Map([[1, 2]]), 'a value of the type Map'],
	[Buffer.from('A'), 'a value of the type Uint8Array'],
	[[10n], 'a list'],
	[10n, '10'],
	[undefined, 'undefined'],
])('%p is shown as %s', (value, text) => {
	expect(formatValue(value)).toBe(text);
});

it('no more of a value is read than is shown', () => {
	let read = 0;
	const one = { toJSON: () => (read += 1) };
	const many = Array.from({ length: 1000 }, () => one);
	const lists = many.map(() => many);
	const deep: { A?: unknown; B: unknown } = { B: many };
	deep.A = deep;
	for (const value of [many, { ...many }, lists, { lists, many }, deep]) {
		read = 0;
		expect(formatValue(value)).toHaveLength(80);
		expect(read).toBeLessThan(100);
	}
});

it('of long names, as much is shown as of a phrase', () => {
	const long = 'x'.repeat(1_000_000);
	const shown = `${'x'.repeat(197)}...`;
	expect(joinNames([long, 'A', long])).toBe(`${shown}, A and ${shown}`);
});
