import { isDeepStrictEqual } from 'node:util';
import type { RecordField } from '../../../nodes/shared/contract/fields.ts';
import { formScalars } from '../../../nodes/shared/form/fields.ts';
import { textsOf } from '../../../nodes/shared/values/kind.ts';
import {
	emptyValues,
	knownValues,
	setterOf,
	type Values,
} from '../../../nodes/shared/values/values.ts';

const record = {
	kind: 'record',
	type: 'Thing',
	fields: {
		Text: { kind: 'string' },
		Whole: { kind: 'int' },
		Share: { kind: 'decimal' },
		Flag: { kind: 'boolean' },
		Sort: { kind: 'enumeration', values: ['One', 'Two'] },
		Inner: { kind: 'record', type: 'Inner', fields: { Code: { kind: 'string' } } },
	},
} as const satisfies RecordField;

const scalars = formScalars(record.fields);

it.each<[string, isSame: boolean, Values, Values]>([
	['a text and a number', true, { Text: '241' }, { Text: 241 }],
	['an empty text and nil', true, { Text: null }, { Text: '' }],
	['spellings of a whole number', true, { Whole: 12 }, { Whole: ' +012 ' }],
	['spellings of a decimal', true, { Share: 40 }, { Share: '+040.00' }],
	['zeros', true, { Share: 0 }, { Share: '-0.0' }],
	['long decimals', true, { Share: `1.${'0'.repeat(19)}1` }, { Share: `1.${'0'.repeat(19)}10` }],
	['a boolean and its name', true, { Flag: true }, { Flag: 'true' }],
	['a name that the contract does not know', true, { Sort: 'Three' }, { Sort: 'Three' }],
	['an empty text in no record', true, { Inner: null }, { Inner: { Code: '' } }],
	['fields of a nested record', true, { Inner: { Code: '7' } }, { Inner: { Code: 7 } }],
	['what every object inherits', false, {}, { Inner: { Code: 'constructor' } }],
])('two records with %s are the same: %s', (_, isSame, current, given) => {
	const [one, other] = [current, given].map((values) => textsOf(scalars, values));
	expect(isDeepStrictEqual(one, other)).toBe(isSame);
});

describe('a record', () => {
	it('is split into its known values and the paths of the unknown ones', () => {
		const inner = { Code: null, More: { A: 1 } };
		expect(knownValues(record, { Text: 'a', Whole: null, Inner: inner, Odd: 1 })).toEqual({
			known: { Text: 'a' },
			unknown: ['Inner.More', 'Odd'],
		});
		expect(knownValues(record, { Inner: { Code: 'x' }, constructor: 1 })).toEqual({
			known: { Inner: { Code: 'x' } },
			unknown: ['constructor'],
		});
	});
});

describe('the value at a path', () => {
	it('is set in a copy of the records on the way', () => {
		const inner = { C: 1 };
		const values: Values = emptyValues();
		values.A = inner;
		const set = setterOf(values);
		set(['A', 'D', 'E'], 2);
		set(['F'], 3);
		expect(values).toEqual({ A: { C: 1, D: { E: 2 } }, F: 3 });
		expect(inner).toEqual({ C: 1 });
		const copied = values.A;
		set(['A', 'H'], 4);
		// A record of thousands of values is not copied for each of them.
		expect(values.A).toBe(copied);
		set(['A', 'D'], { G: 5 });
		set(['A', 'D', 'E'], 6);
		expect(values).toEqual({ A: { C: 1, D: { E: 6, G: 5 }, H: 4 }, F: 3 });
		set(['__proto__', 'toString'], 4);
		expect(Object.keys(values)).toContain('__proto__');
		expect({}.toString).toBe(Object.prototype.toString);
	});
});
