import {
	addressUpdate,
	costCenterGet,
	costCenterUpdate,
	hourCodesGet,
} from '../../../nodes/shared/contract/operations.ts';
import { formatKeys, type OperationForm, placeOf } from '../../../nodes/shared/form/names.ts';
import { type Path, placeText } from '../../../nodes/shared/errors/InputError.ts';
import type { InputItems } from '../../../nodes/shared/form/inputItem.ts';
import { resources as employee } from '../../../nodes/PayrollEmployee/actions.ts';
import { inputItems } from '../../support/items.mts';

it('the keys of a call are named by the labels of the form', () => {
	expect(
		formatKeys(costCenterGet.request.fields, { EmployeeId: 1001, Period: 6, Year: 2026 }),
	).toBe('Employee ID 1001, Period 6, Year 2026');
	expect(formatKeys(hourCodesGet.pathParameters, { companyId: '100' })).toBe('Company ID 100');
	expect(formatKeys({}, { Foo: 1, constructor: 2 })).toBe('Foo 1, constructor 2');
	expect(formatKeys(costCenterGet.request.fields, {})).toBe('');
});

const { update } = employee.costCenter?.operations ?? {};
const form: OperationForm = {
	effect: 'read',
	request: costCenterUpdate.request.fields,
	properties: update?.properties ?? [],
};
/** Two input items whose cost centers, or addresses, are given like this. */
const given = (how: string) =>
	inputItems(
		{
			getNodeParameter: (name: string) => (name.startsWith('specify') ? how : ''),
			getInputData: () => [],
		},
		[5, 8],
	);
const [fields, json, items] = ['fields', 'json', 'items'].map(given) as [
	InputItems,
	InputItems,
	InputItems,
];

const valueName = (one: OperationForm, how: InputItems, path: Path) =>
	placeText(placeOf(one, how, path));

describe('a value is named by', () => {
	it.each<[string, InputItems, Path, string]>([
		['the label of its field', fields, ['EmployeeId'], "'Employee ID'"],
		['nothing, where it is no value', fields, [], ''],
		['its row, counted from 1', fields, ['CostCenteren', 0], 'Row 1'],
		[
			'all labels down to it',
			fields,
			['CostCenteren', 0, 'Kostensoort', 'Code'],
			"Row 1, 'Cost Type Code'",
		],
		['its own name, where it is unknown', fields, ['CostCenteren', 0, 'Foo'], "Row 1, 'Foo'"],
		[
			'its own name, also that of an inherited property',
			fields,
			['CostCenteren', 0, 'constructor'],
			"Row 1, 'constructor'",
		],
		['the label of the JSON field', json, ['CostCenteren'], "'Cost Centers (JSON)'"],
		[
			"the service's name too, in JSON",
			json,
			['CostCenteren', 0, 'CostCenter', 'Code'],
			"Row 1, 'Cost Center Code' (CostCenter.Code)",
		],
		['its label, outside of the JSON', json, ['EmployeeId'], "'Employee ID'"],
		['its row, counted as its sheet does', items, ['CostCenteren', 1], 'Row 10'],
		['the row of its sheet and its label', items, ['CostCenteren', 1, 'Id'], "Row 10, 'Record ID'"],
		['all rows, for a value of all', items, ['EmployeeId'], "Rows 7 and 10, 'Employee ID'"],
		['the label of an option', fields, ['timeout'], "'Timeout (Seconds)'"],
		[
			'its rows, inside a parameter',
			fields,
			['timeout', 'Lines', 0, 'Days', 'Hours', 1],
			"'Timeout (Seconds)', 'Lines', row 1, 'Days.Hours', row 2",
		],
		[
			'no more than 80 characters of its own name',
			fields,
			['x'.repeat(81)],
			`'${'x'.repeat(77)}...'`,
		],
	])('%s', (_, how, path, name) => {
		expect(valueName(form, how, path)).toBe(name);
	});

	it('the label of a record, and of a field inside it', () => {
		const address = { ...form, request: addressUpdate.request.fields };
		expect(valueName(address, fields, ['Address'])).toBe("'Address'");
		expect(valueName(address, fields, ['Address', 'StateProvince'])).toBe("'State or Province'");
		expect(valueName(address, json, ['Address', 'StateProvince'])).toBe(
			"'State or Province' (StateProvince)",
		);
	});
});
