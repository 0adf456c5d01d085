/** The form of an operation that the service describes, and the values that the builder maps. */
import type {
	Field,
	Fields,
	ListField,
	RecordField,
} from '../../../nodes/shared/contract/fields.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/form/mapping/mapper.ts';

const department: RecordField = {
	kind: 'record',
	type: 'Department',
	fields: { Code: { kind: 'string', required: true } },
};
// A recursive type is cyclic data.
(department.fields as Record<string, unknown>).Children = {
	kind: 'list',
	of: department,
	row: 'Department',
};

const fields: Fields = {
	EmployeeId: { kind: 'int', required: true },
	Employee: {
		kind: 'record',
		type: 'Employee',
		required: true,
		attributes: { '@Version': { kind: 'int' } },
		others: {},
		fields: {
			LastName: { kind: 'string', required: true, description: 'Surname' },
			BirthDate: { kind: 'date' },
			Address: {
				kind: 'record',
				type: 'Address',
				fields: {
					HouseNumber: { kind: 'string', required: true },
					Kind: { kind: 'enumeration', values: ['Home address', 'Post'] },
				},
			},
		},
	},
	Number: { kind: 'integer' },
	Small: { kind: 'integer' },
	Scopes: { kind: 'tokens', of: { kind: 'enumeration', values: ['Read', 'Write'] } },
	Rows: {
		kind: 'list',
		of: { kind: 'record', type: 'Row', fields: { Code: { kind: 'string' } } },
	},
	Department: department,
	Extra: { kind: 'any' },
	Set: { kind: 'any', unsupported: 'a .NET DataSet' },
};

const request = { fields };
const mapped = mapperFields(request, false);
const byId = new Map(mapped.map((field) => [field.id, field]));

describe('the fields of the form', () => {
	it('are a bounded number: further records are JSON', () => {
		const wide = (of: Field): Fields =>
			Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`E${i}`, of]));
		const record = (fields: Fields): Field => ({ kind: 'record', type: 'T', fields });
		const deep = wide(record(wide(record(wide({ kind: 'boolean' })))));
		const types = mapperFields({ fields: deep }, false).map(({ type }) => type);
		expect(types.filter((type) => type === 'boolean')).toHaveLength(400);
		expect(types.length).toBeLessThan(2000);
	});

	it('have an example also for a list of itself', () => {
		const list = { kind: 'list', row: 'Row' } as ListField;
		Object.assign(list, { of: list });
		const [field] = mapperFields({ fields: { Rows: list } }, false);
		expect(field?.displayName).toBe('Rows (JSON, e.g. [[[[]]]])');
		expect(field).not.toHaveProperty('defaultValue');
	});

	it('are in the order of the operation, nested records flattened', () => {
		expect(mapped.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['EmployeeId', 'Employee ID', 'string'],
			['Employee.@Version', 'Employee Version', 'string'],
			['Employee.LastName', 'Employee Last Name', 'string'],
			['Employee.BirthDate', 'Employee Birth Date', 'dateTime'],
			['Employee.Address.HouseNumber', 'Employee Address House Number', 'string'],
			['Employee.Address.Kind', 'Employee Address Kind', 'options'],
			['Employee.*', 'Employee Other Elements (JSON)', 'object'],
			['Number', 'Number', 'string'],
			['Small', 'Small', 'string'],
			['Scopes', 'Scopes (JSON, e.g. ["Read"])', 'array'],
			['Rows', 'Rows (JSON)', 'array'],
			['Department.Code', 'Department Code', 'string'],
			['Department.Children', 'Department Children (JSON)', 'array'],
			['Extra', 'Extra', 'string'],
			['Set', 'Set (JSON, sent unchanged: a .NET DataSet)', 'object'],
		]);
	});

	it('are required if the field and all records around it are, and otherwise added as needed', () => {
		const required = mapped.filter((field) => field.required).map(({ id }) => id);
		expect(required).toEqual(['EmployeeId', 'Employee.LastName']);
		expect(mapped.filter(({ removed }) => !removed).map(({ id }) => id)).toEqual(required);
	});

	it('are not required if a record may say that they have no value', () => {
		const End: Field = { kind: 'date', required: true, nillable: true };
		const [end] = mapperFields({ fields: { End } }, false);
		expect(end).toMatchObject({ required: false, removed: true });
	});

	it('are filled with an example where records are given as JSON, whole and readable', () => {
		const filled = mapped.filter((field) => field.defaultValue !== undefined);
		expect(filled.map(({ id, defaultValue }) => [id, defaultValue])).toEqual([
			['Rows', '[\n  {\n    "Code": ""\n  }\n]'],
			['Department.Children', expect.stringContaining('"Children": [\n')],
		]);
		for (const { defaultValue } of filled) JSON.parse(String(defaultValue));
	});

	it('say which of them are alternatives, and whether one is required', () => {
		const Pay: RecordField = {
			kind: 'record',
			type: 'Pay',
			fields: { Iban: { kind: 'string' }, Cash: { kind: 'boolean' }, Day: { kind: 'date' } },
			choice: { names: ['Iban', 'Cash'], required: false },
		};
		const Part: RecordField = { kind: 'record', type: 'Part', fields: { A: { kind: 'string' } } };
		const fields: Fields = { Year: { kind: 'int' }, From: { kind: 'date' }, Part, Pay };
		const choice = { names: ['Year', 'From', 'Part'], required: true };
		const labels = mapperFields({ fields, choice }, false);
		expect(labels.map(({ displayName }) => displayName)).toEqual([
			'Year (enter this, From or Part)',
			'From (enter this, Year or Part)',
			'Part A (enter this, Year or From)',
			'Pay Iban (not with Pay Cash)',
			'Pay Cash (not with Pay Iban)',
			'Pay Day',
		]);
	});

	it('have different labels, if need be with the names of their elements', () => {
		const employee: RecordField = { kind: 'record', type: 'E', fields: { Id: { kind: 'int' } } };
		const int: Field = { kind: 'int' };
		const named = mapperFields(
			{ fields: { EmployeeId: int, Employee: employee, year: int, Year: int, Period: int } },
			false,
		);
		expect(named.map(({ displayName }) => displayName)).toEqual([
			'Employee ID (EmployeeId)',
			'Employee ID (Employee.Id)',
			'Year (year)',
			'Year (Year)',
			'Period',
		]);
	});

	it('are drop-downs for enumerations', () => {
		expect(byId.get('Employee.Address.Kind')?.options).toEqual([
			{ name: 'Home address', value: 'Home address' },
			{ name: 'Post', value: 'Post' },
		]);
	});

	it('of a tool tell an AI model what to enter by their labels, and never by themselves', () => {
		const ofTool = mapperFields(request, true);
		const labels = new Map(ofTool.map(({ id, displayName }) => [id, displayName]));
		expect(labels.get('EmployeeId')).toBe('Employee ID (whole number)');
		expect(labels.get('Employee.BirthDate')).toBe('Employee Birth Date (e.g. 2026-01-31)');
		expect(labels.get('Employee.Address.Kind')).toBe('Employee Address Kind (Home address, Post)');
		expect(labels.get('Rows')).toBe('Rows (JSON, e.g. [{"Code":""}])');
		for (const field of ofTool) expect(field).not.toHaveProperty('defaultValue');
		// A model cannot define a drop-down.
		const kind = ofTool.find(({ id }) => id === 'Employee.Address.Kind');
		expect(kind?.type).toBe('string');
		expect(kind).not.toHaveProperty('options');
	});

	it.each<[Field['kind'], string]>([
		['integer', 'whole number'],
		['decimal', 'decimal number'],
		['float', 'decimal number'],
		['time', 'e.g. 12:00:00'],
		['dateTime', 'e.g. 2026-01-31T12:00:00'],
	])('of a tool name the kind of value: %s', (kind, note) => {
		const fields = { A: { kind } as Field };
		expect(mapperFields({ fields }, true)[0]?.displayName).toBe(`A (${note})`);
		expect(mapperFields({ fields }, false)[0]?.displayName).toBe('A');
	});

	it('take other types as JSON: abstract and derived records, and deeper ones', () => {
		const inner: RecordField = { kind: 'record', type: 'T', fields: { A: { kind: 'string' } } };
		const around = (record: Field): Field => {
			return { kind: 'record', type: 'Outer', fields: { In: record } };
		};
		const fields: Fields = {
			Abstract: { ...inner, isAbstract: true },
			Derived: { ...inner, derived: [inner] },
			Deep: around(around(around(inner))),
			Empty: { kind: 'record', type: 'None', fields: {} },
		};
		expect(mapperFields({ fields }, false).map(({ id, type }) => [id, type])).toEqual([
			['Abstract', 'object'],
			['Derived', 'object'],
			['Deep.In.In', 'object'],
			['Empty', 'object'],
		]);
	});
});

describe('mapped values', () => {
	it('become a request, whatever is not set left out', () => {
		expect(
			mappedValues(request, {
				EmployeeId: '1001',
				'Employee.LastName': '',
				'Employee.BirthDate': '',
				'Employee.Address.HouseNumber': '12',
				'Employee.*': '{"Extra":1}',
				Number: null,
				Scopes: ' Read  Write ',
				Rows: '[{"Code":"A"}]',
				Extra: '{"not":"parsed"}',
				Set: { A: 1 },
			}),
		).toEqual({
			EmployeeId: '1001',
			Employee: { LastName: '', Address: { HouseNumber: '12' }, Extra: 1 },
			Scopes: ['Read', 'Write'],
			Rows: [{ Code: 'A' }],
			Extra: '{"not":"parsed"}',
			Set: { A: 1 },
		});
	});

	it('that are still the example of the form are refused', () => {
		const Rows = byId.get('Rows')?.defaultValue;
		expect(() => mappedValues(request, { Rows })).toThrow(
			'Rows is still the example of the form. Replace it with your values, or remove the field.',
		);
		expect(mappedValues(request, { Rows: '[{"Code":""}]' })).toEqual({ Rows: [{ Code: '' }] });
	});

	it('of a list of values may be JSON, and other elements are an object', () => {
		expect(mappedValues(request, { Scopes: ' ["Read"]' })).toEqual({ Scopes: ['Read'] });
		expect(mappedValues(request, { Scopes: ['Read'] })).toEqual({ Scopes: ['Read'] });
		expect(() => mappedValues(request, { 'Employee.*': '[1]' })).toThrow(
			'Employee.*: [1] is not an object with element names.',
		);
	});

	it('that cannot be used are all named', () => {
		expect(() => mappedValues(request, { Rows: '[', Gone: 1, Also: null })).toThrow(
			`2 values cannot be used:\n• Rows: "[" is not valid JSON.\n• Gone is not a parameter of the operation. Open the node to update its parameters.`,
		);
	});
});

it('a name that every object inherits is a field like others', () => {
	const inner: RecordField = { kind: 'record', type: 'T', fields: { name: { kind: 'string' } } };
	const values = mappedValues(
		{ fields: Object.fromEntries([['toString', inner]]) },
		{
			'toString.name': 'x',
		},
	);
	expect(Object.hasOwn(values, 'toString')).toBe(true);
	expect(Object.prototype.toString.name).toBe('toString');
});

it('a choice that n8n would evaluate, or render as HTML, is not offered', () => {
	const Kind: Field = { kind: 'enumeration', values: ['A', '={{ $env }}'] };
	const Link: Field = { kind: 'enumeration', values: ['< 5', '<a href="x">$env</a>'] };
	const form = mapperFields({ fields: { Kind, Link } }, false);
	expect(form).toMatchObject([{ type: 'string' }, { type: 'string' }]);
	expect(JSON.stringify(form)).not.toContain('$env');
});
