import {
	addressUpdate,
	costCenterGet,
	costCenterUpdate,
	hourCodesGet,
} from '../../nodes/shared/contract/operations.ts';
import { keysInWords, labelOf } from '../../nodes/shared/form/places.ts';

it('whom and when a call is about is said in the words of the form', () => {
	expect(keysInWords(costCenterGet.request, { EmployeeId: 1001, Period: 6, Year: 2026 })).toBe(
		'Employee ID 1001, Period 6, Year 2026',
	);
	expect(keysInWords(hourCodesGet.pathParameters, { companyId: '100' })).toBe('Company ID 100');
	expect(keysInWords({}, { Foo: 1, constructor: 2 })).toBe('Foo 1, constructor 2');
	expect(keysInWords(costCenterGet.request, {})).toBe('');
});

describe('an element that has another name in the form is known by that', () => {
	it.each([
		['CostCenteren', 'Cost Centers'],
		['CostCenteren[2]', 'Cost Centers'],
		['CostCenteren[2].Kostensoort', 'Cost Type'],
		['CostCenteren[2].Kostensoort.Code', 'Cost Type Code'],
		['CostCenteren[2].Id', 'Record ID'],
		['items[12].Id', 'Record ID'],
		['items[12].Kostensoort.Code', 'Cost Type Code'],
	])('%s', (path, label) => {
		expect(labelOf(costCenterUpdate.request, path)).toBe(label);
	});

	it.each([
		['a request', 'EmployeeId'],
		['a row', 'CostCenteren[2].Percentage'],
		['a record in it', 'CostCenteren[2].CostCenter.Code'],
		['an item', 'items[0].Period'],
	])('not where %s shows it under its own: %s', (_, path) => {
		expect(labelOf(costCenterUpdate.request, path)).toBeUndefined();
	});

	it.each([
		'',
		'items',
		'items[0]',
		'Foo',
		'CostCenteren[0].Foo',
		'Period.Foo',
		'constructor',
		'Options: timeout',
	])('nor where there is none: "%s"', (path) => {
		expect(labelOf(costCenterUpdate.request, path)).toBeUndefined();
	});

	it('in a record as well', () => {
		expect(labelOf(addressUpdate.request, 'Address.StateProvince')).toBe('State or Province');
		expect(labelOf(addressUpdate.request, 'Address.City')).toBeUndefined();
		expect(labelOf(addressUpdate.request, 'items[0].City')).toBeUndefined();
		expect(labelOf(hourCodesGet.pathParameters, 'companyId')).toBeUndefined();
	});
});
