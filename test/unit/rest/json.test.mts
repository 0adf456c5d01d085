import { UnreadableError } from '../../../nodes/shared/errors/ServiceError.ts';
import { parseJson } from '../../../nodes/shared/rest/json.ts';

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
		expect(() => parseJson(text)).toThrow(UnreadableError);
		expect(() => parseJson(text)).toThrow(message);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it('keeps each digit of a number, and the last of several fields with one name', () => {
		const text = '[9007199254740993, 9007199254740992, -0.10, 1E2, 0.1234567890123456789, -0]';
		const read = ['9007199254740993', 9007199254740992, -0.1, 100, '0.1234567890123456789', 0];
		expect(parseJson(text)).toEqual(read);
		expect(parseJson(`{"a":1,"a":{"b":${text}},"\\u0063":"12345678901234567890"}`)).toEqual({
			a: { b: read },
			c: '12345678901234567890',
		});
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
