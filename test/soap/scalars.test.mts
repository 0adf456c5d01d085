import fc from 'fast-check';
import { scalars, plainNumber } from '../../nodes/shared/soap/scalars.ts';
import { employeeAddress } from '../../nodes/shared/contract/resources.ts';

const int = { kind: 'int' } as const;
const decimal = { kind: 'decimal' } as const;
const string = { kind: 'string' } as const;
const boolean = { kind: 'boolean' } as const;
const type = employeeAddress.fields.Type;

describe('int', () => {
	it.each([
		[0, '0'],
		[-0, '0'],
		[2147483647, '2147483647'],
		[-2147483648, '-2147483648'],
		[' 12 ', '12'],
		['+7', '7'],
	])('writes %p as %s', (value, text) => {
		expect(scalars.int.write(value, 'Id', int)).toBe(text);
	});

	it.each([
		2147483648,
		-2147483649,
		1.5,
		Number.NaN,
		Infinity,
		'',
		'abc',
		'1e3',
		'0x10',
		true,
		{},
		[],
		['5'],
	])('refuses %p, naming the path', (value) => {
		expect(() => scalars.int.write(value, 'Rows[3].Id', int)).toThrow(
			/^Rows\[3\]\.Id: expected a whole number of 32 bits, got /,
		);
	});

	it.each([
		['12', 12],
		['-12', -12],
		['+7', 7],
		['007', 7],
		[' \n12\t', 12],
		['-0', 0],
		['2147483647', 2147483647],
		['-2147483648', -2147483648],
	])('reads %j as %p', (text, value) => {
		expect(scalars.int.read(text)).toBe(value);
	});

	it.each(['', ' ', '1.0', '2147483648', '-2147483649', '1e3', 'NaN', '12a', 'a12'])(
		'does not read %p',
		(text) => {
			expect(scalars.int.read(text)).toBeUndefined();
		},
	);
});

describe('decimal', () => {
	it.each([
		['12.3400', '12.3400'],
		['-0.10', '-0.10'],
		['123456789012345678901234567890.12', '123456789012345678901234567890.12'],
		[1e21, '1000000000000000000000'],
		[1.5e-7, '0.00000015'],
		[-2.5e-10, '-0.00000000025'],
		[62.5, '62.5'],
		[-1e21, '-1000000000000000000000'],
		[1.25e25, '12500000000000000000000000'],
		[1e-7, '0.0000001'],
		[' 12.5\n', '12.5'],
		['.25', '.25'],
		['5.', '5.'],
		['+5', '+5'],
	])('writes %p as %s', (value, text) => {
		expect(scalars.decimal.write(value, 'Percentage', decimal)).toBe(text);
	});

	it.each(['abc', '', '1e3', '1,5', 'NaN', Number.NaN, -Infinity, true, null, '--1', '.'])(
		'refuses %p',
		(value) => {
			expect(() => scalars.decimal.write(value, 'Percentage', decimal)).toThrow(
				/^Percentage: expected a decimal, got /,
			);
		},
	);

	it('writes every number without exponent and without losing a digit', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
				const text = plainNumber(value);
				expect(text).toMatch(/^-?\d+(\.\d+)?$/);
				expect(Number(text)).toBe(value === 0 ? 0 : value);
			}),
		);
	});

	it.each([
		['12.3400', 12.34],
		['0.1', 0.1],
		['-0', 0],
		['+5', 5],
		['.5', 0.5],
		['5.', 5],
		['12345678901234567890', '12345678901234567890'],
		['0.12345678901234567890123', '0.12345678901234567890123'],
		['9007199254740993', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		['-12.50', -12.5],
		['0012', 12],
		// Longer than any number has digits, and a number all the same.
		['0000000000000012.500', 12.5],
		['12.50000000000000000', 12.5],
		['+00000000000000.5000', 0.5],
		['-00000000000000.0500', -0.05],
		['-000000000000000.00', 0],
		['100000000000000000000', 100000000000000000000],
		['10000000000000000000000', 1e22],
		['0.00000000000000000001', 1e-20],
		['12.500000000000000001', '12.500000000000000001'],
		['100000000000000000001', '100000000000000000001'],
		['0.1000000000000000055', '0.1000000000000000055'],
		['-00.50', -0.5],
		['100', 100],
		['10.010', 10.01],
		['.25', 0.25],
		['0.00', 0],
		[' 1.5\n', 1.5],
		[` ${'9'.repeat(400)} `, '9'.repeat(400)],
		['0.0000001', 1e-7],
	])('reads %s as %p', (text, value) => {
		expect(scalars.decimal.read(text)).toBe(value);
	});

	it.each(['', 'NaN', 'INF', '1e5', 'abc', '1,5'])('does not read %p', (text) => {
		expect(scalars.decimal.read(text)).toBeUndefined();
	});
});

describe('boolean', () => {
	it('writes true and false only', () => {
		expect(
			[true, 'true', false, 'false'].map((v) => scalars.boolean.write(v, 'D', boolean)),
		).toEqual(['true', 'true', 'false', 'false']);
		for (const value of ['', 'yes', 1, 0, 'TRUE', {}]) {
			expect(() => scalars.boolean.write(value, 'Default', boolean)).toThrow(
				/^Default: expected true or false, got /,
			);
		}
	});

	it('reads true, false, 1 and 0 only', () => {
		expect(['true', '1', ' false ', '0'].map((t) => scalars.boolean.read(t))).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(['', 'TRUE', 'yes', '2'].map((t) => scalars.boolean.read(t))).toEqual(
			Array(4).fill(undefined),
		);
	});
});

describe('string', () => {
	it.each(['\u0000', 'a\u0008b', '\u000b', '\ud800', 'x\udc00', '\ufffe', '\uffff'])(
		'refuses the character in %j, naming the path',
		(value) => {
			expect(() => scalars.string.write(value, 'Address.Street', string)).toThrow(
				/^Address\.Street: expected a text without control characters/,
			);
		},
	);

	it('is read as it is', () => {
		expect(scalars.string.read(' a\n')).toBe(' a\n');
	});

	it('takes a number for a text, as spreadsheets give it, and nothing else', () => {
		expect(scalars.string.write(12, 'HouseNumber', string)).toBe('12');
		expect(scalars.string.write(1e21, 'HouseNumber', string)).toBe('1000000000000000000000');
		for (const value of [true, {}, [], Number.NaN, Infinity]) {
			expect(() => scalars.string.write(value, 'Street', string)).toThrow(
				/^Street: expected a text/,
			);
		}
	});
});

describe('enumeration', () => {
	it('is read without the blanks around it, also a name that is not known yet', () => {
		expect(scalars.enumeration.read(' WorkAddress\n')).toBe('WorkAddress');
		expect(scalars.enumeration.read('MoonAddress')).toBe('MoonAddress');
	});

	it('takes no number for a name', () => {
		expect(() => scalars.enumeration.write(1, 'Type', type)).toThrow('Type: expected one of Home');
	});

	it('takes the names of the interface, and names them when refusing', () => {
		expect(scalars.enumeration.write('WorkAddress', 'Type', type)).toBe('WorkAddress');
		expect(() => scalars.enumeration.write('Work', 'Type', type)).toThrow(
			'Type: expected one of HomeAddress, PostAddress, AbsenceAddress, HolidaysAddress, WeekendAddress, WorkAddress, got "Work"',
		);
	});
});
