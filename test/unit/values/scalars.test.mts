import { readScalar, writeScalar } from '../../../nodes/shared/values/scalars.ts';
import { addressInsert } from '../../../nodes/shared/contract/operations.ts';

const int = { kind: 'int' } as const;
const decimal = { kind: 'decimal' } as const;
const string = { kind: 'string' } as const;
const boolean = { kind: 'boolean' } as const;
const { CountryISOCode: country, Type: type } = addressInsert.request.fields.Address.fields;

describe('int', () => {
	it.each([
		[0, '0'],
		[-0, '0'],
		[2147483647, '2147483647'],
		[-2147483648, '-2147483648'],
		[' 12 ', '12'],
		['+7', '7'],
	])('writes %p as %s', (value, text) => {
		expect(writeScalar(int, value)).toBe(text);
	});

	it.each(['', '  ', undefined])('refuses %p as empty', (value) => {
		expect(() => writeScalar(int, value)).toThrow(new Error(' is empty.'));
	});

	it.each([1.5, '6,5', '1e3', '0x10', true, ['5']])('refuses %p', (value) => {
		const shown = JSON.stringify(value);
		expect(() => writeScalar(int, value)).toThrow(new Error(`: ${shown} is not a whole number.`));
	});

	it.each([
		['1001, 1002', 'is more than one whole number. Use one input item for each.'],
		['1001,1002', 'is more than one whole number. Use one input item for each.'],
		['6; 7', 'is more than one whole number. Use one input item for each.'],
		[[1001, 1002], 'is more than one whole number. Use one input item for each.'],
		['1001.0', 'is not a whole number. Write 1001'],
		['6,00', 'is not a whole number. Write 6'],
		['12.000', 'is not a whole number.'],
	])('says of %j that it %s', (value, text) => {
		const message = new Error(`: ${JSON.stringify(value)} ${text}`);
		for (const kind of ['int', 'integer'] as const) {
			expect(() => writeScalar({ kind }, value)).toThrow(message);
		}
	});

	it.each([2147483648, '-2147483649'])('refuses %p as out of range', (value) => {
		const range = 'Write a whole number from -2147483648 to 2147483647';
		expect(() => writeScalar(int, value)).toThrow(
			new Error(`: ${JSON.stringify(value)} is out of range. ${range}`),
		);
	});

	it.each([
		['12', 12],
		['+007', 7],
		[' \n12\t', 12],
		['-0', 0],
		['2147483647', 2147483647],
		['-2147483648', -2147483648],
	])('reads %j as %p', (text, value) => {
		expect(readScalar(int, text)).toBe(value);
	});

	it.each(['', ' ', '1.0', '2147483648', '-2147483649', '1e3', 'NaN', '12a', 'a12'])(
		'does not read %p',
		(text) => {
			expect(readScalar(int, text)).toBeUndefined();
		},
	);
});

describe('decimal', () => {
	it.each([
		['12.3400', '12.3400'],
		[9007199254740991, '9007199254740991'],
		[100 / 3, '33.333333333333336'],
		[1.5e-7, '0.00000015'],
		[-2.5e-10, '-0.00000000025'],
		[' 12.5\n', '12.5'],
		['.25', '.25'],
		['5.', '5.'],
		['+5', '+5'],
	])('writes %p as %s', (value, text) => {
		expect(writeScalar(decimal, value)).toBe(text);
	});

	it.each([
		['abc', ': "abc" is not a number.'],
		['1e3', ': "1e3" is not a number.'],
		[Number.NaN, ': NaN is not a number.'],
		[
			JSON.parse('-12345678901234567890'),
			': -12345678901234567000 has more than 15 digits. Write it as a string.',
		],
		[1e21, ': 1e+21 has more than 15 digits. Write it as a string.'],
		[true, ': true is not a number.'],
		['--1', ': "--1" is not a number.'],
		['.', ': "." is not a number.'],
		['', ' is empty.'],
		[null, ' is empty.'],
	])('refuses %p', (value, message) => {
		expect(() => writeScalar(decimal, value)).toThrow(new Error(message));
	});

	it.each([
		['33,34', '33.34'],
		[' -0,125 ', '-0.125'],
		['1234,567', '1234.567'],
		['1,2345', '1.2345'],
		['0,125', '0.125'],
		['1.234,5', '1234.5'],
		['1,234.5', '1234.5'],
		['1 234,5', '1234.5'],
		["1'234", '1234'],
		['-1.234.567', '-1234567'],
		['33,34 %', '33.34'],
		['12%', '12'],
		['€ 12', '12'],
		['€ 1.234,56', '1234.56'],
		['12,50 EUR', '12.50'],
		// A single group of three digits may as well be a fraction.
		['1,234', '1.234 or 1234'],
		['-12,500', '-12.500 or -12500'],
		['€ 3.100', '3.100 or 3100'],
	])('offers a correction of %p', (value, meant) => {
		expect(() => writeScalar(decimal, value)).toThrow(
			new Error(`: ${JSON.stringify(value)} is not a number. Write ${meant}`),
		);
	});

	it.each(['1,2,3', ',5', '5,', '1,234,5', '1.234.56', '€', '% 5', '12 pieces'])(
		'does not guess what is meant by %p',
		(value) => {
			expect(() => writeScalar(decimal, value)).toThrow(
				new Error(`: ${JSON.stringify(value)} is not a number.`),
			);
		},
	);

	it.each([
		['12.3400', 12.34],
		['.5', 0.5],
		['5.', 5],
		['12345678901234567890', '12345678901234567890'],
		['-9007199254740993', '-9007199254740993'],
		// Longer than any number has digits, and a number all the same.
		['0000000000000012.500', 12.5],
		['12.50000000000000000', 12.5],
		['+00000000000000.5000', 0.5],
		['-00000000000000.0500', -0.05],
		['-000000000000000.00', 0],
		['10000000000000000000000', '10000000000000000000000'],
		['9007199254740992', '9007199254740992'],
		['9007199254740991', 9007199254740991],
		['0.00000000000000000001', 1e-20],
		['12.500000000000000001', '12.500000000000000001'],
		['0.1000000000000000055', '0.1000000000000000055'],
		['10.010', 10.01],
		[' 1.5\n', 1.5],
		['0.0000001', 1e-7],
	])('reads %s as %p', (text, value) => {
		expect(readScalar(decimal, text)).toBe(value);
	});

	it.each(['', 'NaN', 'INF', '1e5', 'abc', '1,5'])('does not read %p', (text) => {
		expect(readScalar(decimal, text)).toBeUndefined();
	});
});

describe('boolean', () => {
	it('writes true and false only, also as a spreadsheet has them', () => {
		for (const value of [true, 'true', 'TRUE', ' True ']) {
			expect(writeScalar(boolean, value)).toBe('true');
		}
		for (const value of [false, 'false', 'FALSE', 'False']) {
			expect(writeScalar(boolean, value)).toBe('false');
		}
		const corrections = {
			true: ['yes', ' Ja ', 'waar', '1', 1, 'on'],
			false: ['no', 'nee', 'onwaar', '0', 0, 'uit'],
		};
		for (const [meant, values] of Object.entries(corrections)) {
			for (const value of values) {
				expect(() => writeScalar(boolean, value)).toThrow(
					new Error(`: ${JSON.stringify(value)} is neither true nor false. Write ${meant}`),
				);
			}
		}
		for (const value of ['maybe', 2, {}, [], ['true']]) {
			expect(() => writeScalar(boolean, value)).toThrow(
				new Error(`: ${JSON.stringify(value)} is neither true nor false.`),
			);
		}
		expect(() => writeScalar(boolean, '')).toThrow(new Error(' is empty.'));
	});

	it('reads true, false, 1 and 0 only', () => {
		expect(['true', '1', ' false ', '0'].map((t) => readScalar(boolean, t))).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(['', 'TRUE', 'yes', '2'].map((t) => readScalar(boolean, t))).toEqual(
			Array(4).fill(undefined),
		);
	});
});

describe('string', () => {
	it.each(['\u0000', 'a\u0008b', '\u000b', '\ud800', 'x\udc00', '\ufffe', '\uffff'])(
		'refuses the character in %j',
		(value) => {
			expect(() => writeScalar(string, value)).toThrow(
				new Error(`: ${JSON.stringify(value)} contains a control character or a broken emoji.`),
			);
		},
	);

	it('is read as it is', () => {
		expect(readScalar(string, ' a\n')).toBe(' a\n');
	});

	it('accepts a number, as spreadsheets give it, and nothing else', () => {
		expect(writeScalar(string, 12)).toBe('12');
		expect(writeScalar(string, 1e-7)).toBe('0.0000001');
		for (const value of [2 ** 53, -1e21]) {
			expect(() => writeScalar(string, value)).toThrow('has more than 15 digits.');
		}
		for (const value of [true, {}, [], Number.NaN, Infinity]) {
			expect(() => writeScalar(string, value)).toThrow(/^: .+ is not a text\.$/);
		}
	});
});

describe('enumeration', () => {
	it('is read without surrounding whitespace, also an unknown name', () => {
		expect(readScalar(type, ' WorkAddress\n')).toBe('WorkAddress');
		expect(readScalar(type, 'MoonAddress')).toBe('MoonAddress');
	});

	it('accepts the names of the interface, and lists them when it refuses', () => {
		expect(writeScalar(type, 'WorkAddress')).toBe('WorkAddress');
		const names =
			'Choose HomeAddress, PostAddress, AbsenceAddress, HolidaysAddress, WeekendAddress or WorkAddress.';
		expect(() => writeScalar(type, 'Work')).toThrow(new Error(`: "Work" is not known. ${names}`));
		expect(() => writeScalar(type, '')).toThrow(new Error(` is empty. ${names}`));
	});
});

describe('country', () => {
	it.each([
		['NL', 'NL'],
		[' BE ', 'BE'],
		// ISO 3166-1 has no code for Kosovo.
		['XK', 'XK'],
		['nl', 'NL'],
		['NLD', 'NL'],
		['Nederland', 'NL'],
		['netherlands', 'NL'],
		['Duitsland', 'DE'],
		['curacao', 'CW'],
		['Verenigd Koninkrijk', 'GB'],
	])('writes %j as %s', (value, text) => {
		expect(writeScalar(country, value)).toBe(text);
	});

	it.each([
		...['the netherlands', 'N', 'Atlantis', 31, 'XX', 'EU'].map((value) => [
			value,
			'one such as NL',
		]),
		['UK', 'GB'],
		['su', 'RU'],
	])('refuses %j', (value, meant) => {
		const text = `is not a country or its code of two letters. Write ${meant}`;
		expect(() => writeScalar(country, value)).toThrow(
			new Error(`: ${JSON.stringify(value)} ${text}`),
		);
	});

	it('reads whatever the service sends', () => {
		expect(readScalar(country, 'nl ')).toBe('nl ');
	});
});
