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
