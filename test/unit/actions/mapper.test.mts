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
	Rows: {
		kind: 'list',
		of: { kind: 'record', type: 'Row', fields: { Code: { kind: 'string' } } },
	},
	Department: department,
	Set: { kind: 'any', unsupported: 'attributes' },
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
			['Employee.LastName', 'Employee Last Name', 'string'],
			['Employee.BirthDate', 'Employee Birth Date', 'dateTime'],
			['Employee.Address.HouseNumber', 'Employee Address House Number', 'string'],
			['Employee.Address.Kind', 'Employee Address Kind', 'options'],
			['Number', 'Number', 'string'],
			['Small', 'Small', 'string'],
			['Rows', 'Rows (JSON)', 'array'],
			['Department.Code', 'Department Code', 'string'],
			['Department.Children', 'Department Children (JSON)', 'array'],
			['Set', 'Set (JSON, sent unchanged: attributes)', 'object'],
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

	it('take records as JSON that are deep or have no fields', () => {
		const inner: RecordField = { kind: 'record', type: 'T', fields: { A: { kind: 'string' } } };
		const around = (record: Field): Field => {
			return { kind: 'record', type: 'Outer', fields: { In: record } };
		};
		const fields: Fields = {
			Deep: around(around(around(inner))),
			Empty: { kind: 'record', type: 'None', fields: {} },
		};
		expect(mapperFields({ fields }, false).map(({ id, type }) => [id, type])).toEqual([
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
				Number: null,
				Rows: '[{"Code":"A"}]',
				Set: { A: 1 },
			}),
		).toEqual({
			EmployeeId: '1001',
			Employee: { LastName: '', Address: { HouseNumber: '12' } },
			Rows: [{ Code: 'A' }],
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

it('a choice of more than 500 names is a text, whose label has the first', () => {
	const values = Array.from({ length: 501 }, (_, i) => `Value${i}`);
	const ofValues = (count: number): Field => {
		return { kind: 'enumeration', values: values.slice(0, count) };
	};
	const form = mapperFields({ fields: { A: ofValues(500), B: ofValues(501) } }, false);
	expect(form[0]?.options).toHaveLength(500);
	expect(form[1]).not.toHaveProperty('options');
	expect(form[1]?.displayName).toMatch(/^B \(Value0, Value1, .*\.\.\.\)$/);
	expect(mappedValues({ fields: { B: ofValues(501) } }, { B: 'Value500' })).toEqual({
		B: 'Value500',
	});
});

it('a choice that n8n would evaluate, or render as HTML, is not offered', () => {
	const Kind: Field = { kind: 'enumeration', values: ['A', '={{ $env }}'] };
	const Link: Field = { kind: 'enumeration', values: ['< 5', '<a href="x">$env</a>'] };
	const form = mapperFields({ fields: { Kind, Link } }, false);
	expect(form).toMatchObject([{ type: 'string' }, { type: 'string' }]);
	expect(JSON.stringify(form)).not.toContain('$env');
});
