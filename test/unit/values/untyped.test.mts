/* Names and values of which no type is known. */
import { checkReadable, checkSentName } from '../../../nodes/shared/values/scalars.ts';

describe('the name of a service or an operation', () => {
	const check = (name: unknown) => checkSentName(name, 'a service');

	it.each(['CostCenter_Get', '_a', 'A', 'a.b-c_9'])('may be %j', (name) => {
		expect(check(name)).toBe(name);
	});

	it.each([
		'9a',
		'-a',
		'..',
		'a/b',
		'a\\b',
		'a%2Fb',
		'a:b',
		'a?b',
		'a#b',
		'a b',
		' a',
		'a ',
		'a"',
		'é',
		'a\n',
		'aé',
		7,
	])('may not be %j', (name) => {
		expect(() => check(name)).toThrow(
			new Error(`: ${JSON.stringify(name)} is not the name of a service.`),
		);
	});

	it.each(['', ' ', undefined])('is missing where it is %j', (name) => {
		expect(() => check(name)).toThrow(new Error(' is empty.'));
	});
});

it('a value that cannot be read is an error that names it', () => {
	const throwing = {
		get A(): never {
			throw new Error('no');
		},
	};
	const cyclic: Record<string, unknown> = {};
	cyclic.self = cyclic;
	expect(() => checkReadable({ A: 1, B: [throwing], C: cyclic })).toThrow(
		'2 values cannot be used:\n• B holds a value that cannot be read.\n• C is nested deeper than 64 levels.',
	);
	expect(() => checkReadable({ A: [new Date(NaN), Buffer.from('A'), undefined] })).not.toThrow();
});
