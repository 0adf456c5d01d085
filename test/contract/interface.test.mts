import type { Field, Fields } from '../../nodes/shared/contract/fields.ts';
import {
	hourCodesGet,
	scopes,
	soapOperations,
	type SoapOperation,
} from '../../nodes/shared/contract/operations.ts';
import * as resources from '../../nodes/shared/contract/resources.ts';

// What the interface document shows, restated here on purpose: it decides, not the contract.

/** Section 2: the resources' fields, in its order. */
const section2: Readonly<Record<string, string>> = {
	EmployeeCostCenter:
		'Id int, CostCenter CostCenter, Kostensoort Kostensoort, Percentage decimal, Default boolean',
	CostCenter: 'Code string, Description string, Id int',
	Kostensoort: 'Code string, Description string',
	EmployeeAddress:
		'Id int, Default boolean, Street string, HouseNumber string, HouseNumberAddition string, ' +
		'PostalCode string, City string, StateProvince string, CountryISOCode string, ' +
		'Type (HomeAddress|PostAddress|AbsenceAddress|HolidaysAddress|WeekendAddress|WorkAddress)',
	CompanyAddress:
		'Id int, Default boolean, Street string, HouseNumber string, HouseNumberAddition string, ' +
		'PostalCode string, City string, StateProvince string, CountryISOCode string',
};

/** Section 4.3: service, operation, request elements in order, response. */
const section43: ReadonlyArray<readonly [string, string, string, string]> = [
	[
		'EmployeeService',
		'CostCenter_Get',
		'EmployeeId int, Period int, Year int',
		'CostCenter_GetResult: repeated EmployeeCostCenter',
	],
	[
		'EmployeeService',
		'CostCenter_Update',
		'EmployeeId int, CostCenteren repeated EmployeeCostCenter, Period int, Year int',
		'empty',
	],
	[
		'EmployeeService',
		'Address_GetListCurrent',
		'EmployeeId int',
		'Address_GetListCurrentResult: repeated EmployeeAddress',
	],
	[
		'EmployeeService',
		'Address_Insert',
		'EmployeeId int, Address EmployeeAddress, Period int, Year int, UnprotectedMode boolean',
		'Address_InsertResult: int',
	],
	['CompanyService', 'Address_Update', 'CompanyId int, Address CompanyAddress', 'empty'],
];

function typeName(field: Field): string {
	if (field.kind === 'record') return field.type;
	if (field.kind === 'list') return `repeated ${field.of.type}`;
	return field.kind === 'enumeration' ? `(${field.values.join('|')})` : field.kind;
}

const table = (fields: Fields) =>
	Object.entries(fields)
		.map(([name, field]) => `${name} ${typeName(field)}`)
		.join(', ');

const operations: readonly SoapOperation[] = soapOperations;

/** Every record the operations use, however deep, by its type's name. */
function records(fields: Fields): Array<readonly [string, Fields]> {
	return Object.values(fields).flatMap((field) => {
		const record = field.kind === 'list' ? field.of : field;
		if (record.kind !== 'record') return [];
		return [[record.type, record.fields] as const, ...records(record.fields)];
	});
}

describe("the contract is the interface document's", () => {
	it('resources, field by field, in order', () => {
		const described = Object.values(resources).map(({ type, fields }) => [type, table(fields)]);
		expect(Object.fromEntries(described)).toEqual(section2);
		expect(described).toHaveLength(5);
	});

	it('resources wherever an operation uses them', () => {
		const used = operations.flatMap(({ request, result }) =>
			records(result === undefined ? request : { ...request, result }),
		);
		for (const [type, fields] of used)
			expect([type, table(fields)]).toEqual([type, section2[type]]);
		expect([...new Set(used.map(([type]) => type))].sort()).toEqual(Object.keys(section2).sort());
	});

	it('SOAP operations, with request elements in order, and responses', () => {
		expect(
			operations.map(({ service, name, request, result }) => [
				service,
				name,
				table(request),
				result === undefined ? 'empty' : `${name}Result: ${typeName(result)}`,
			]),
		).toEqual(section43);
	});

	it('readings and writings told apart', () => {
		expect(operations.filter(({ effect }) => effect === 'read').map(({ name }) => name)).toEqual([
			'CostCenter_Get',
			'Address_GetListCurrent',
		]);
	});

	it('whom a call is about: an element of the request', () => {
		expect(operations.map(({ subject }) => subject)).toEqual([
			...Array<string>(4).fill('EmployeeId'),
			'CompanyId',
		]);
	});

	it('one REST call', () => {
		const { method, path, pathParameters, paging } = hourCodesGet;
		expect([method, path]).toEqual(['GET', '/api/companies/{companyId}/hourcodes']);
		expect(Object.keys(pathParameters)).toEqual(['companyId']);
		expect(paging).toEqual({ pageNumber: 'pageNumber', pageSize: 'pageSize' });
	});

	it('scopes', () => {
		expect(scopes).toEqual([
			'employee.employment',
			'employee.employment.read',
			'employee.info',
			'employee.info.read',
			'employee.payment',
			'employee.payment.read',
			'company.info',
			'company.info.read',
			'company.payrollsettings.read',
			'offline_access',
		]);
	});
});
