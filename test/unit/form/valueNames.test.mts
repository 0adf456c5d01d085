import {
	addressUpdate,
	costCenterGet,
	costCenterUpdate,
	hourCodesGet,
} from '../../../nodes/shared/contract/operations.ts';
import {
	itemOf,
	formatKeys,
	valueName,
	type OperationForm,
} from '../../../nodes/shared/form/valueNames.ts';
import type { Path } from '../../../nodes/shared/errors/InputError.ts';
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
	request: costCenterUpdate.request.fields,
	properties: update?.properties ?? [],
};
/** Two input items whose cost centers, or addresses, are given like this. */
const given = (how: string) =>
	inputItems(
		{ getNodeParameter: (name: string) => (name.startsWith('specify') ? how : '') },
		[5, 8],
	);
const [fields, json, items] = ['fields', 'json', 'items'].map(given) as [
	InputItems,
	InputItems,
	InputItems,
];

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
		['its input item, counted as n8n does', items, ['CostCenteren', 1], 'Item 8'],
		[
			"item, label and the service's name",
			items,
			['CostCenteren', 1, 'Id'],
			"Item 8, 'Record ID' (Id)",
		],
		[
			'the first item, for a value of all items',
			items,
			['EmployeeId'],
			"Item 5, 'Employee ID' (EmployeeId)",
		],
		['the label of an option', fields, ['timeout'], "'Timeout (Seconds)'"],
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

it('a value belongs to the input item of its row, other values to the first item', () => {
	const of = (how: InputItems, ...path: Path) => itemOf(form.request, how, path)?.index;
	expect(of(items, 'CostCenteren', 1, 'Id')).toBe(8);
	expect(of(items, 'CostCenteren')).toBe(5);
	expect(of(items, 'Period')).toBe(5);
	expect(of(fields, 'CostCenteren', 1, 'Id')).toBeUndefined();
});
