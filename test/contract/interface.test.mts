import type { Field, Fields } from '../../nodes/shared/contract/fields.ts';
import {
	consentPath,
	discovery,
	revocation,
	tokenPath,
} from '../../nodes/shared/contract/identity.ts';
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

/** Section 4.3: service, operation, effect and subject, request elements in order, response. */
const section43: ReadonlyArray<readonly [string, string, string, string, string]> = [
	[
		'EmployeeService',
		'CostCenter_Get',
		'reads EmployeeId',
		'EmployeeId int, Period int, Year int',
		'CostCenter_GetResult: repeated EmployeeCostCenter',
	],
	[
		'EmployeeService',
		'CostCenter_Update',
		'writes EmployeeId',
		'EmployeeId int, CostCenteren repeated EmployeeCostCenter, Period int, Year int',
		'empty',
	],
	[
		'EmployeeService',
		'Address_GetListCurrent',
		'reads EmployeeId',
		'EmployeeId int',
		'Address_GetListCurrentResult: repeated EmployeeAddress',
	],
	[
		'EmployeeService',
		'Address_Insert',
		'writes EmployeeId',
		'EmployeeId int, Address EmployeeAddress, Period int, Year int, UnprotectedMode boolean',
		'Address_InsertResult: int',
	],
	[
		'CompanyService',
		'Address_Update',
		'writes CompanyId',
		'CompanyId int, Address CompanyAddress',
		'empty',
	],
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
		expect(described).toHaveLength(Object.keys(section2).length);
	});

	it('resources wherever an operation uses them', () => {
		const used = operations.flatMap(({ request, result }) =>
			records(result === undefined ? request : { ...request, result }),
		);
		for (const [type, fields] of used)
			expect([type, table(fields)]).toEqual([type, section2[type]]);
		expect([...new Set(used.map(([type]) => type))].sort()).toEqual(Object.keys(section2).sort());
	});

	it('SOAP operations: effect, subject, request elements in order, and responses', () => {
		expect(
			operations.map(({ service, name, effect, subject, request, result }) => [
				service,
				name,
				`${effect}s ${subject}`,
				table(request),
				result === undefined ? 'empty' : `${name}Result: ${typeName(result)}`,
			]),
		).toEqual(section43);
	});

	it.each(operations)('whom $name is about: an element of the request', (operation) => {
		expect(Object.keys(operation.request)).toContain(operation.subject);
	});

	it('one REST call', () => {
		const { method, path, pathParameters, paging } = hourCodesGet;
		expect([method, path]).toEqual(['GET', '/api/companies/{companyId}/hourcodes']);
		expect(Object.keys(pathParameters)).toEqual(['companyId']);
		expect(paging).toEqual({ pageNumber: 'pageNumber', pageSize: 'pageSize' });
	});

	it('the endpoints of the identity server', () => {
		expect([discovery.method, discovery.path]).toEqual([
			'GET',
			'/.well-known/openid-configuration',
		]);
		expect([consentPath, tokenPath]).toEqual(['/connect/authorize', '/connect/token']);
		expect(revocation.path).toBe('/connect/revocation');
		expect([discovery.effect, revocation.effect]).toEqual(['read', 'write']);
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
