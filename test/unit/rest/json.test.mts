import { UnreadableError } from '../../../nodes/shared/errors/ServiceError.ts';
import { parseJson } from '../../../nodes/shared/rest/json.ts';

describe('JSON', () => {
	const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
	const prototype = 'It holds a field named "__proto__".';
	const deep = '64 levels';
	it.each([
		['a field named __proto__', '[{"__proto__":{"polluted":1}}]', prototype],
		['such a field in escapes', '[{"\\u005f_pro\\u0074o__":{}}]', prototype],
		['a number out of range', '[{"id":1e400}]', 'It holds a number that is too large.'],
		['a name that is too long', `{"${'a'.repeat(501)}" : 1}`, '500 characters of a name'],
		['100,000 levels', nested(100_000), deep],
		['a mark of a name in the text before', '["\\"",{"\\"":1,"__proto__":{}}]', prototype],
		['too many levels of objects', `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`, deep],
	])('with %s is refused', (_, text, message) => {
		expect(() => parseJson(text)).toThrow(UnreadableError);
		expect(() => parseJson(text)).toThrow(message);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it.each(['[{"id":1},{"id"', '[1,]', '{"a":1,}', '[01]', '["\n"]', 'undefined', ''])(
		'that is malformed is an error: %j',
		(text) => {
			expect(() => parseJson(text)).toThrow(SyntaxError);
			expect(() => JSON.parse(text)).toThrow(SyntaxError);
		},
	);

	it('that is malformed is an error, also after many colons after a name with escapes', () => {
		const text = `{"${'\\u0061'.repeat(9)}"${':'.repeat(2 ** 25)}1}`;
		expect(() => parseJson(text)).toThrow(SyntaxError);
	}, 10_000);

	it('keeps each digit of a number, and the last of several fields with one name', () => {
		const text = '[9007199254740993, 9007199254740992, -0.10, 1E2, 0.1234567890123456789, -0]';
		const read = ['9007199254740993', 9007199254740992, -0.1, 100, '0.1234567890123456789', 0];
		expect(parseJson(text).value).toEqual(read);
		const twice = `{"a":1,"a":{"b":${text}},"\\u0063":"12345678901234567890"}`;
		expect(parseJson(twice).value).toEqual({ a: { b: read }, c: '12345678901234567890' });
	});

	it.each([
		['as many levels as are allowed', nested(64)],
		['many fields, and a long name', `{"${'a'.repeat(500)}":"${'b'.repeat(2000)}","c":1}`],
	])('with %s is parsed', (_, text) => {
		expect(parseJson(text).value).toEqual(JSON.parse(text));
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});
