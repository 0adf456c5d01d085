/** *Map Automatically*: the request that an input item makes. */
import { automaticCells, cellValue, formOf } from '../../../nodes/shared/form/mapping/columns.ts';
import type {
	Field,
	Fields,
	RecordContent,
	RecordField,
} from '../../../nodes/shared/contract/fields.ts';
import type { InputError } from '../../../nodes/shared/values/InputError.ts';
import { knownValues } from '../../../nodes/shared/values/records.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';

const automaticValues = (request: RecordContent, item: Values) =>
	knownValues(request, automaticCells(request, item), cellValue);

const record = (fields: Fields, more: Partial<RecordField> = {}): RecordField => ({
	...{ kind: 'record', type: 'T', fields, ...more },
});
const int: Field = { kind: 'int' };
const text: Field = { kind: 'string' };
const id: Field = { kind: 'int', required: true };
const rows: Field = { kind: 'list', of: record({ Code: text }) };
const ambiguous = { EmployeeId: id, EMPLOYEEID: id, Employee: record({ Id: int }) };
const deep = ['Fourth', 'Third', 'Second'].reduce<RecordField>(
	(inner, name) => record({ [name]: inner }),
	record({ On: { kind: 'date' } }),
);

describe('an input item', () => {
	it.each<[string, Fields, Values, Values, string[]]>([
		[
			'by labels, dotted paths and English names, each to its own field',
			{ EmployeeId: id, Employee: record({ EmployeeId: int, LastName: text, Rows: rows }) },
			{ 'Employee ID': 1, 'Employee.EmployeeId': 2, employeeLastName: 'Jansen' },
			{ EmployeeId: 1, Employee: { EmployeeId: 2, LastName: 'Jansen' } },
			[],
		],
		[
			'that is the path of a field in the record before a similar one of the request',
			{ Number: { kind: 'integer' }, Employee: record({ number: int }) },
			{ number: 5 },
			{ Employee: { number: 5 } },
			[],
		],
		[
			'by a label with the path, where it is the name of several',
			ambiguous,
			{ 'Employee ID (Employee.Id)': 2 },
			{ Employee: { Id: 2 } },
			[],
		],
		[
			'by names that are exact, where there are similar ones',
			ambiguous,
			{ EmployeeId: 1, 'Employee.Id': 2, id: 3 },
			{ EmployeeId: 1, Employee: { Id: 2 } },
			['id'],
		],
		['by the label of an identifier', { Id: int }, { ID: 1 }, { Id: 1 }, []],
		['that is an id of the row', { Id: int }, { id: 1 }, {}, ['id']],
		[
			'by their paths into records that are JSON in the form',
			{ First: deep, Other: record({ LastName: text }) },
			{ 'First.Second.Third.Fourth.On': '2026-01-01', 'Other.Last.Name': 'x' },
			{ First: { Second: { Third: { Fourth: { On: '2026-01-01' } } } } },
			['Other.Last.Name'],
		],
	])('has columns %s', (_, fields, item, known, unknown) => {
		expect(automaticValues({ fields }, item)).toEqual({ known, unknown });
	});

	it('with a column for two fields is an error that names both', () => {
		expect(() => automaticValues({ fields: ambiguous }, { 'employee id': 1 })).toThrow(
			'employee id is the name of several fields. Rename the column to one of them: EmployeeId or EMPLOYEEID.',
		);
	});
});

const start: Field = { kind: 'date', required: true };
const absence = record({ Start: start, Cause: text });
const NO_ID =
	'VALUE_REQUIRED EmployeeId is missing. Name a column Employee ID, EmployeeId or employeeId.';
const NO_START =
	'VALUE_REQUIRED Absence.Start is missing. Name a column Absence Start, Absence.Start or absenceStart.';

it.each<[string, RecordField, Values, string[]]>([
	['none at all', { ...absence, required: true }, {}, [NO_ID, NO_START]],
	['null', { ...absence, required: true }, { EmployeeId: null }, [NO_ID, NO_START]],
	['others of its record', absence, { EmployeeId: 1, Absence: { Cause: 'x' } }, [NO_START]],
	['no record that may be left out', absence, { EmployeeId: 1 }, []],
	['all', { ...absence, required: true }, { EmployeeId: 1, Absence: { Start: '2026-01-01' } }, []],
	[
		'no value that may be nil',
		record({ Start: { ...start, nillable: true } }),
		{ EmployeeId: 1, Absence: {} },
		[],
	],
])('an item is asked for columns of required values: %s', (_, Absence, values, expected) => {
	let said: string[] = [];
	try {
		formOf({ fields: { EmployeeId: id, Absence } }).requireColumns(values);
	} catch (error) {
		const { problems } = error as InputError;
		said = problems.map((one) => `${one.code} ${one.path.join('.')}${one.text}`);
	}
	expect(said).toEqual(expected);
});
