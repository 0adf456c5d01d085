/** The form of an operation that the service describes, and the values that the builder maps. */
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/form/mapping/mapper.ts';

const record = (inner: Fields): RecordField => ({ kind: 'record', type: 'T', fields: inner });
const int: Field = { kind: 'int' };
const text: Field = { kind: 'string', required: true };
const department = record({ Code: text });
// A recursive type is cyclic data.
Object.assign(department.fields, { Children: { kind: 'list', of: department, row: 'Department' } });

const address = record({
	HouseNumber: text,
	Kind: { kind: 'enumeration', values: ['Home address', 'Post'] },
});
const employee = record({
	LastName: { ...text, description: 'Surname' },
	BirthDate: { kind: 'date' },
	Address: address,
});
const request: Fields = {
	EmployeeId: { kind: 'int', required: true },
	Employee: { ...employee, required: true },
	Number: { kind: 'integer' },
	Rows: { kind: 'list', of: record({ Code: { kind: 'string' } }) },
	Department: department,
	Set: { kind: 'any', unsupported: 'attributes' },
};

const mapped = mapperFields(request, false);

describe('the fields of the form', () => {
	it('are a bounded number: further records are JSON', () => {
		const wide = (of: Field): Fields =>
			Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`E${i}`, of]));
		const deep = wide(record(wide(record(wide({ kind: 'boolean' })))));
		const types = mapperFields(deep, false).map(({ type }) => type);
		expect(types.filter((type) => type === 'boolean')).toHaveLength(400);
		expect(types.length).toBeLessThan(2000);
	});

	it('are JSON where records are nested deeper than three elements, or hold themselves', () => {
		const self = record({ Id: int });
		Object.assign(self.fields, { Next: self });
		const deep = record({ B: record({ C: record({ D: int }) }) });
		const form = mapperFields({ A: deep, Self: self }, false);
		expect(form.map(({ id, type }) => [id, type])).toEqual([
			['A.B.C', 'object'],
			['Self.Id', 'string'],
			['Self.Next', 'object'],
		]);
	});

	it('have no more than 500 choices, and none that n8n would evaluate, or render as HTML', () => {
		const values = Array.from({ length: 501 }, (_, i) => `V${i}`);
		const choices = [
			values,
			values.slice(1),
			['A', '={{ $env }}'],
			['< 5', '<a href="x">$env</a>'],
		];
		const forms = choices.map((some) =>
			mapperFields({ A: { kind: 'enumeration', values: some } }, false),
		);
		expect(forms.map(([field]) => field?.type)).toEqual(['string', 'options', 'string', 'string']);
		expect(JSON.stringify(forms.slice(2))).not.toContain('$env');
	});

	it('are in the order of the operation, nested records flattened', () => {
		expect(mapped.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['EmployeeId', 'Employee ID', 'string'],
			['Employee.LastName', 'Employee Last Name', 'string'],
			['Employee.BirthDate', 'Employee Birth Date', 'dateTime'],
			['Employee.Address.HouseNumber', 'Employee Address House Number', 'string'],
			['Employee.Address.Kind', 'Employee Address Kind', 'options'],
			['Number', 'Number', 'string'],
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

	it('are filled with an example where records are given as JSON, whole and readable', () => {
		const filled = mapped.filter((field) => field.defaultValue !== undefined);
		expect(filled.map(({ id, defaultValue }) => [id, defaultValue])).toEqual([
			['Rows', '[\n  {\n    "Code": ""\n  }\n]'],
			['Department.Children', expect.stringContaining('"Children": [\n')],
		]);
		for (const { defaultValue } of filled) JSON.parse(String(defaultValue));
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
});

describe('mapped values', () => {
	it('that are still the example of the form are refused', () => {
		const Rows = mapped.find(({ id }) => id === 'Rows')?.defaultValue;
		expect(() => mappedValues(request, { Rows })).toThrow(
			'Rows is still the example of the form. Replace it with your values, or remove the field.',
		);
		expect(mappedValues(request, { Rows: '[{"Code":""}]' })).toEqual({ Rows: [{ Code: '' }] });
	});
});
