/** *Map Automatically*: the request that an input item makes. */
import { automaticValues, requireColumns } from '../../../nodes/shared/form/mapping/columns.ts';
import type {
	Field,
	Fields,
	RecordContent,
	RecordField,
} from '../../../nodes/shared/contract/fields.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';

const rows: Field = {
	kind: 'list',
	of: { kind: 'record', type: 'Row', fields: { Code: { kind: 'string' } } },
};
const person: RecordField = {
	kind: 'record',
	type: 'Employee',
	fields: { LastName: { kind: 'string' } },
};
const fields: Fields = {
	EmployeeId: { kind: 'int', required: true },
	Employee: person,
	Number: { kind: 'integer' },
	Rows: rows,
};
const request = { fields };

describe('an input item', () => {
	it('is a request by the names of its fields', () => {
		const item = { EmployeeId: 1, Employee: { LastName: 'Jansen' }, Number: '7', note: 'x' };
		expect(automaticValues(request, item)).toEqual({
			known: { EmployeeId: 1, Employee: { LastName: 'Jansen' }, Number: '7' },
			unknown: ['note'],
		});
	});

	const employee: RecordField = {
		kind: 'record',
		type: 'Employee',
		fields: {
			EmployeeId: { kind: 'int' },
			LastName: { kind: 'string' },
			Rows: rows,
		},
	};

	it('has columns by labels, dotted paths and English names, each to its own field', () => {
		const named = { fields: { EmployeeId: fields.EmployeeId!, Employee: employee } };
		const item = { 'Employee ID': 1, 'Employee.EmployeeId': 2, employeeLastName: 'Jansen' };
		expect(automaticValues(named, item)).toEqual({
			known: { EmployeeId: 1, Employee: { EmployeeId: 2, LastName: 'Jansen' } },
			unknown: [],
		});
	});

	it('has a column that is the path of a field in the record before a similar one of the request', () => {
		const own: RecordField = { kind: 'record', type: 'E', fields: { number: { kind: 'int' } } };
		const named = { fields: { Number: fields.Number!, Employee: own } };
		expect(automaticValues(named, { number: 5 }).known).toEqual({ Employee: { number: 5 } });
	});

	it('with a column for two fields is an error that names both', () => {
		const other: RecordField = { kind: 'record', type: 'E', fields: { Id: { kind: 'int' } } };
		const id = fields.EmployeeId!;
		const ambiguous = { fields: { EmployeeId: id, EMPLOYEEID: id, Employee: other } };
		expect(() => automaticValues(ambiguous, { 'employee id': 1 })).toThrow(
			'employee id is the name of several fields. Rename the column to one of them: EmployeeId or EMPLOYEEID.',
		);
		expect(automaticValues(ambiguous, { 'Employee ID (Employee.Id)': 2 })).toEqual({
			known: { Employee: { Id: 2 } },
			unknown: [],
		});
		expect(automaticValues(ambiguous, { EmployeeId: 1, 'Employee.Id': 2, id: 3 })).toEqual({
			known: { EmployeeId: 1, Employee: { Id: 2 } },
			unknown: ['id'],
		});
	});

	it('has an identifier in a column with its label, but not in an id of the row', () => {
		const identified = { fields: { Id: { kind: 'int' } as Field } };
		expect(automaticValues(identified, { ID: 1 })).toEqual({ known: { Id: 1 }, unknown: [] });
		expect(automaticValues(identified, { id: 1 })).toEqual({ known: {}, unknown: ['id'] });
	});

	it('takes columns by their paths into records that are JSON in the form', () => {
		const end: RecordField = { kind: 'record', type: 'End', fields: { On: { kind: 'date' } } };
		const deep: RecordField = ['Fourth', 'Third', 'Second'].reduce<RecordField>(
			(inner, name) => ({ kind: 'record', type: name, fields: { [name]: inner } }),
			end,
		);
		const fields = { First: deep, Other: person };
		const item = {
			'First.Second.Third.Fourth.On': '2026-01-01',
			'Other.Last.Name': 'x',
		};
		expect(automaticValues({ fields }, item)).toEqual({
			known: {
				First: { Second: { Third: { Fourth: { On: '2026-01-01' } } } },
			},
			unknown: ['Other.Last.Name'],
		});
	});
});

describe('an item without a column for a required value', () => {
	const absence: RecordField = {
		kind: 'record',
		type: 'Absence',
		fields: { Start: { kind: 'date', required: true }, Cause: { kind: 'string' } },
	};
	const missingIn = (content: RecordContent, values: Values): string[] => {
		try {
			requireColumns(content, values);
			return [];
		} catch (error) {
			const { problems } = error as InputError;
			return problems.map(({ path, text, code }) => `${code} ${path.join('.')}${text}`);
		}
	};
	const of = (changes: object, values: Values) => {
		const Absence = { ...absence, ...changes } as Field;
		return missingIn({ fields: { EmployeeId: fields.EmployeeId!, Absence } }, values);
	};
	const start =
		'VALUE_REQUIRED Absence.Start is missing. Name a column Absence Start, Absence.Start or absenceStart.';

	it('is refused, with the names that its column can have', () => {
		const employee =
			'VALUE_REQUIRED EmployeeId is missing. Name a column Employee ID, EmployeeId or employeeId.';
		expect(of({ required: true }, {})).toEqual([employee, start]);
		expect(of({ required: true }, { EmployeeId: null })).toEqual([employee, start]);
	});

	it('is refused if it has other values of the same record', () => {
		expect(of({}, { EmployeeId: 1, Absence: { Cause: 'x' } })).toEqual([start]);
	});

	it('is accepted where the record is left out, or the value may be nil', () => {
		expect(of({}, { EmployeeId: 1 })).toEqual([]);
		expect(of({ required: true }, { EmployeeId: 1, Absence: { Start: '2026-01-01' } })).toEqual([]);
		const Start = { kind: 'date', required: true, nillable: true } as const;
		expect(of({ fields: { Start } }, { EmployeeId: 1, Absence: {} })).toEqual([]);
	});
});
