/** A sample call of each operation: its parameters, and what must come of it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Row } from '../sandbox/state.mts';
import { sampleEmployee, sampleRecord } from './sample-records.mts';

/** Parameters of an operation that is chosen. */
export type Chosen = INodeParameters & { resource: string; operation: string };

// The SOAP operations and the REST call, driven by the input item.
export const getCostCenters: Chosen = {
	resource: 'costCenter',
	operation: 'getAll',
	simplify: false,
	employeeId: '={{ $json.id }}',
	period: 6,
	year: 2026,
};

export const updateCostCenters: Chosen = {
	resource: 'costCenter',
	operation: 'update',
	employeeId: '={{ $json.id }}',
	costCenteren: {
		row: [
			{
				costCenterCode: '4900',
				percentage: 100,
				fields: { kostensoortCode: '400', default: true },
			},
		],
	},
	period: 6,
	year: 2026,
	keepOthers: false,
	// Verify reads again after each write.
	verify: false,
};

export const getAddresses: Chosen = {
	resource: 'address',
	operation: 'getAll',
	simplify: false,
	employeeId: '={{ $json.id }}',
};

export const createAddress: Chosen = {
	resource: 'address',
	operation: 'create',
	employeeId: '={{ $json.id }}',
	street: 'Keizersgracht',
	houseNumber: '241',
	postalCode: '1016 EA',
	city: 'Amsterdam',
	type: 'HomeAddress',
	period: 6,
	year: 2026,
	unprotectedMode: false,
	verify: false,
};

export const updateCompany: Chosen = {
	resource: 'address',
	operation: 'update',
	companyId: '={{ $json.id }}',
	street: 'Herengracht',
	houseNumber: '1',
	postalCode: '1012 AB',
	city: 'Amsterdam',
};

export const getHourCodes: INodeParameters = {
	resource: 'hourCode',
	operation: 'getAll',
	companyId: '={{ $json.id }}',
	returnAll: true,
};

export const getDepartments: Chosen = {
	resource: 'list',
	operation: 'getAll',
	path: '/api/companies/{companyId}/departments',
	parameters: { parameter: [{ name: 'companyId', value: '={{ $json.id }}' }] },
	returnAll: true,
};

/** *Other Operation: Call* of an operation from the list; its values are columns of the item. */
export const callFromList = (name: string, more: INodeParameters = {}): Chosen => ({
	resource: 'custom',
	operation: 'call',
	operationName: { __rl: true, mode: 'list', value: name },
	operationParameters: { mappingMode: 'autoMapInputData', value: null },
	...more,
});

/** The same of an operation by its name, with values or an expression that gives them. */
export const callByName = (
	name: string,
	values: string | object = {},
	more: INodeParameters = {},
): Chosen => ({
	resource: 'custom',
	operation: 'call',
	operationName: name,
	parametersJson: typeof values === 'string' ? values : JSON.stringify(values),
	...more,
});

/** Values by hand in a form of n8n's resource mapper, by the ids of its fields. */
export const filledIn = (value: object): INodeParameters =>
	({ mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] }) as INodeParameters;

/** Parameters of the operations on the connection itself. */
export const checkConnection: Chosen = {
	resource: 'connection',
	operation: 'check',
	companyId: '={{ $json.id }}',
};

export const revokeConnection: Chosen = {
	resource: 'connection',
	operation: 'revoke',
	confirmed: true,
};

/** How a workflow calls a SOAP operation, and what must come of it with the sandbox's sample data. */
export interface SoapCall {
	/** The service's name of the operation. */
	readonly name: string;
	readonly node: 'payrollEmployee' | 'payrollCompany';
	readonly parameters: Chosen;
	/** The employee or company of the call; writes and reads never share one. */
	readonly id: number;
	/** The elements inside the operation's element of the request. */
	readonly body: (id: number) => string;
	/** The items; an item of *Create* also has the `Id` that the service gives the new record. */
	readonly items: (id: number) => readonly IDataObject[];
}

/** The period of the calls, as a request contains it and as items do. */
const inPeriod = '<Period>6</Period><Year>2026</Year>';
const itsPeriod = { Period: 6, Year: 2026 };

/** The codes of an employee's cost centers. */
const codesOf = (id: number) =>
	sampleEmployee(id).costCenters.map(({ CostCenter }) => (CostCenter as Row).Code as string);

/** Every SOAP operation that has a form; most tests of all operations take them from here. */
export const soapCalls: readonly SoapCall[] = [
	{
		name: 'CostCenter_Get',
		node: 'payrollEmployee',
		parameters: getCostCenters,
		id: 1003,
		body: (id) => `<EmployeeId>${id}</EmployeeId>${inPeriod}`,
		items: (EmployeeId) =>
			sampleEmployee(EmployeeId).costCenters.map((row) => ({
				...{ EmployeeId, ...itsPeriod },
				...sampleRecord(row),
			})),
	},
	{
		name: 'CostCenter_Update',
		node: 'payrollEmployee',
		parameters: updateCostCenters,
		id: 1010,
		body: (id) =>
			`<EmployeeId>${id}</EmployeeId><CostCenteren><EmployeeCostCenter><CostCenter><Code>4900</Code></CostCenter>` +
			`<Kostensoort><Code>400</Code></Kostensoort><Percentage>100</Percentage><Default>true</Default>` +
			`</EmployeeCostCenter></CostCenteren>${inPeriod}`,
		items: (EmployeeId) => [
			{
				...{ EmployeeId, ...itsPeriod, success: true, written: true },
				changes: [
					'4900: added, 100 %, Cost Type Code 400, Default',
					...codesOf(EmployeeId).map((code) => `${code}: removed`),
				].join(' · '),
				percentageTotal: 100,
			},
		],
	},
	{
		name: 'Address_GetListCurrent',
		node: 'payrollEmployee',
		parameters: getAddresses,
		id: 1003,
		body: (id) => `<EmployeeId>${id}</EmployeeId>`,
		items: (EmployeeId) =>
			sampleEmployee(EmployeeId).addresses.map((row) => ({ EmployeeId, ...sampleRecord(row) })),
	},
	{
		name: 'Address_Insert',
		node: 'payrollEmployee',
		parameters: createAddress,
		id: 1011,
		body: (id) =>
			`<EmployeeId>${id}</EmployeeId><Address><Street>Keizersgracht</Street><HouseNumber>241</HouseNumber>` +
			`<PostalCode>1016 EA</PostalCode><City>Amsterdam</City><Type>HomeAddress</Type></Address>${inPeriod}<UnprotectedMode>false</UnprotectedMode>`,
		items: (EmployeeId) => [{ EmployeeId, ...itsPeriod }],
	},
	{
		name: 'Address_Update',
		node: 'payrollCompany',
		parameters: updateCompany,
		id: 200,
		body: (id) =>
			`<CompanyId>${id}</CompanyId><Address><Street>Herengracht</Street><HouseNumber>1</HouseNumber>` +
			`<PostalCode>1012 AB</PostalCode><City>Amsterdam</City></Address>`,
		items: (CompanyId) => [{ CompanyId, success: true }],
	},
];
