import fc from 'fast-check';
import { hashOf, isSameJson } from '../../../nodes/shared/rest/json.ts';

describe('two values have the same JSON', () => {
	const unlike = [null, true, 0, 1, '', '1', 'null', [], {}, [null], { a: 1 }, { a: '1' }, [[]]];
	const more = [
		{ b: 1 },
		{ a: 1, b: 2 },
		{ b: 2, a: 1 },
		{ a: {} },
		{ a: [] },
		[1, 2],
		[2, 1],
		[1],
	];

	it('only where it is the same text, the order of fields included', () => {
		const values = [...unlike, ...more];
		for (const one of values) {
			const same = values.filter((other) => isSameJson(structuredClone(one), other));
			expect(same).toEqual([one]);
		}
	});

	it('just where their texts say so, whatever they are', () => {
		const seen = { same: 0, other: 0 };
		// Of few small parts, so that equal ones come about.
		const leaf = fc.constantFrom<unknown>(null, 0, 1, 'a', '__proto__');
		const { value } = fc.letrec<{ value: unknown }>((tie) => ({
			value: fc.oneof(
				{ depthSize: 'small' },
				leaf,
				fc.array(tie('value'), { maxLength: 2 }),
				fc.dictionary(fc.constantFrom('a', 'b', '1'), tie('value'), { maxKeys: 2 }),
			),
		}));
		fc.assert(
			fc.property(value, value, (one, other) => {
				const isSame = JSON.stringify(one) === JSON.stringify(other);
				seen[isSame ? 'same' : 'other'] += 1;
				expect(isSameJson(one, other)).toBe(isSame);
				expect(isSameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true);
			}),
			{ numRuns: 1000 },
		);
		expect(Math.min(seen.same, seen.other)).toBeGreaterThan(10);
	});
});

describe('the hash of a text', () => {
	it('is FNV-1a', () => {
		const offset = 0x811c9dc5;
		expect(hashOf('a', offset) >>> 0).toBe(0xe40c292c);
		expect(hashOf('foobar', offset) >>> 0).toBe(0xbf9cf968);
	});

	it('depends on where it starts', () => {
		expect(hashOf('a', 1)).not.toBe(hashOf('a', 2));
	});
});
