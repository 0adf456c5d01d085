/* Values of elements of any type (xs:anyType); unit/soap/untyped has values whose elements are not known. */
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { writeUntypedContent } from '../../../nodes/shared/soap/writeUntyped.ts';
import {
	checkReadable,
	splitAttribute,
	splitType,
	typeOfScalar,
} from '../../../nodes/shared/values/untyped.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema';

it.each([
	[5, 'int'],
	[2 ** 31, 'double'],
	[true, 'boolean'],
	['5', 'string'],
])('where any type is allowed, %j is sent with the type %s', (value, type) => {
	expect(typeOfScalar(value)).toBe(type);
});

describe('the name of a type is', () => {
	it.each([
		['dateTime', [XSD, 'dateTime']],
		['{urn:a}Row', ['urn:a', 'Row']],
		['', undefined],
		['1a', undefined],
		['a b', undefined],
		['{urn:a}', undefined],
		['{urn:a', undefined],
		['{}Row', undefined],
		['a\nb', undefined],
		['{urn:\u0000}Row', undefined],
		['{urn:{a}}Row', ['urn:{a}', 'Row']],
	])('%j: %j', (name, parts) => {
		expect(splitType(name)).toEqual(parts);
	});
});

it.each([
	['@Id', ['', 'Id']],
	['@{urn:a}Id', ['urn:a', 'Id']],
	['@xml:lang', ['http://www.w3.org/XML/1998/namespace', 'lang']],
	['@a:Id', undefined],
	['@xsi:nil', undefined],
	['@', undefined],
	['@{}Id', undefined],
])('the name of an attribute is %j: %j', (property, parts) => {
	expect(splitAttribute(property)).toEqual(parts);
});

it('the type, the attributes and the content of a value of any type are checked', () => {
	expect(() =>
		writeUntypedContent({ '@xsi:type': '{urn:a}Row', A: [1, { B: 'x' }] }),
	).not.toThrow();
	expect(() => writeUntypedContent(5)).not.toThrow();
	const refused = [
		[{ '@xsi:type': '1a' }, '@xsi:type: "1a" is not the name of a type, such as dateTime.'],
		[{ A: { '@xsi:type': '1a' } }, 'A.@xsi:type: "1a" is not the name of a type'],
		[{ '@p:a': 1 }, '@p:a: "@p:a" is not the name of an attribute, such as @Currency.'],
		[{ '@a': [1] }, '@a: [1] is not a text.'],
		[{ A: { 'b c': 1 } }, 'A.b c'],
	] as const;
	for (const [value, message] of refused) {
		expect(() => writeUntypedContent(value)).toThrow(InputError);
		expect(() => writeUntypedContent(value)).toThrow(message);
	}
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
