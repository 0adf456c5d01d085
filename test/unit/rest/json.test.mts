import fc from 'fast-check';
import { hashOf, isSameJson, parseJson } from '../../../nodes/shared/rest/json.ts';
import { runs } from '../../support/runs.mts';

it('two values have the same JSON exactly if their texts are equal', () => {
	const seen = { same: 0, other: 0 };
	// Few small parts, so that some values are equal.
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
		runs(10),
	);
	expect(Math.min(seen.same, seen.other)).toBeGreaterThan(10);
});

describe('the hash of a text', () => {
	it('is FNV-1a', () => {
		const offset = 0x811c9dc5;
		expect(hashOf('a', offset) >>> 0).toBe(0xe40c292c);
		expect(hashOf('foobar', offset) >>> 0).toBe(0xbf9cf968);
	});

	it('depends on its seed', () => {
		expect(hashOf('a', 1)).not.toBe(hashOf('a', 2));
	});
});

describe('JSON', () => {
	const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
	const prototype = 'It holds a field named "__proto__".';
	const deep = 'It is nested too deeply.';
	it.each([
		['a field named __proto__', '[{"__proto__":{"polluted":1}}]', prototype],
		['such a field deep inside', '[{"a":[{"__proto__":1}]}]', prototype],
		['such a field in escapes', '[{"\\u005f_pro\\u0074o__":{}}]', prototype],
		['a number out of range', '[{"id":1e400}]', 'It holds a number that is too large.'],
		['one level too many', nested(66), deep],
		['100,000 levels', nested(100_000), deep],
		['too many levels of objects', `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`, deep],
		['an end too early', '[{"id":1},{"id"', 'It is not JSON.'],
	])('with %s is refused', (_, text, message) => {
		expect(() => parseJson(text)).toThrow(expect.objectContaining({ name: 'JsonError', message }));
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it.each([
		[
			'names that every object has',
			'[{"constructor":{"prototype":{"polluted":1}},"toString":"x"}]',
		],
		['as many levels as are allowed', nested(65)],
	])('with %s is parsed', (_, text) => {
		expect(parseJson(text)).toEqual(JSON.parse(text));
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});
