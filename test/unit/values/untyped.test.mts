/* Values of elements of any type (xs:anyType); unit/soap/untyped has values whose elements are not known. */
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { anyValue, checkAny, splitType } from '../../../nodes/shared/values/untyped.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema';

describe('a value of any type is sent with', () => {
	it.each([
		['the type of a whole number', 5, 'int', 5],
		['the type of another number', 2 ** 31, 'double', 2 ** 31],
		['the type of a boolean', true, 'boolean', true],
		['the type of a text', '5', 'string', '5'],
		['the type that it names', { '@xsi:type': 'date', '#text': 'x' }, 'date', { '#text': 'x' }],
		['no type, if it is a record that names none', { A: 1 }, undefined, { A: 1 }],
	])('%s', (_, value, type, content) => {
		expect(anyValue(value)).toEqual({ type, content });
	});
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
	])('%j: %j', (name, parts) => {
		expect(splitType(name)).toEqual(parts);
	});
});

it('the type and the content of a value of any type are checked', () => {
	expect(() => checkAny({ '@xsi:type': '{urn:a}Row', A: [1, { B: 'x' }] })).not.toThrow();
	expect(() => checkAny(5)).not.toThrow();
	const refused = [
		[{ '@xsi:type': '1a' }, '@xsi:type: "1a" is not the name of a type, such as dateTime.'],
		[{ A: { 'b c': 1 } }, 'A.b c'],
	] as const;
	for (const [value, message] of refused) {
		expect(() => checkAny(value)).toThrow(InputError);
		expect(() => checkAny(value)).toThrow(message);
	}
});
