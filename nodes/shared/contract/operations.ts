/** The operations of interface.md sections 4.2 and 4.3. */
import type {
	Field,
	Fields,
	ListField,
	RecordOf,
	ScalarField,
	StringField,
	ValueOf,
} from './fields';
import { companyAddress, employeeAddress, employeeCostCenter } from './resources';

/** Whether a call only reads, or changes data at the service (a write is never repeated on doubt). */
export type Effect = 'read' | 'write';

/** One SOAP operation; `request` stands in wire order, a missing `result` is an empty response. */
export interface SoapOperation {
	readonly service: string;
	readonly name: string;
	readonly effect: Effect;
	/** The request element that names whom the call is about; calls about the same one keep order. */
	readonly subject: string;
	readonly request: Fields;
	readonly result?: ListField | ScalarField;
	/** The element name under which a scalar result stands in an item. */
	readonly resultName?: string;
}

/** One paged REST call; `path` holds its parameters in braces. */
export interface RestOperation {
	readonly method: 'GET';
	readonly path: string;
	readonly subject: string;
	readonly pathParameters: { readonly [name: string]: StringField };
	readonly paging: { readonly pageNumber: string; readonly pageSize: string };
}

/** The request values of an operation, by element name. */
export type RequestOf<O extends SoapOperation> = RecordOf<O['request']>;

/** The result value of an operation; `undefined` where the response element is empty. */
export type ResultOf<O extends SoapOperation> = O extends { result: infer R extends Field }
	? ValueOf<R>
	: undefined;

const employeeId = {
	kind: 'int',
	label: 'Employee ID',
	description: 'Identifier of the employee',
	example: '1001',
} as const;

const companyId = {
	kind: 'int',
	label: 'Company ID',
	description: 'Identifier of the company',
	example: '100',
} as const;

const period = {
	kind: 'int',
	description: 'Payroll period the call refers to, as the payroll service numbers it',
	example: '6',
} as const;

const year = {
	kind: 'int',
	description: 'Year the payroll period belongs to',
	example: '2026',
} as const;

export const costCenterGet = {
	service: 'EmployeeService',
	name: 'CostCenter_Get',
	effect: 'read',
	subject: 'EmployeeId',
	request: { EmployeeId: employeeId, Period: period, Year: year },
	result: { kind: 'list', of: employeeCostCenter },
} as const satisfies SoapOperation;

export const costCenterUpdate = {
	service: 'EmployeeService',
	name: 'CostCenter_Update',
	effect: 'write',
	subject: 'EmployeeId',
	request: {
		EmployeeId: employeeId,
		CostCenteren: {
			kind: 'list',
			label: 'Cost Centers',
			description: 'The cost centers to write',
			of: employeeCostCenter,
		},
		Period: period,
		Year: year,
	},
} as const satisfies SoapOperation;

export const addressGetListCurrent = {
	service: 'EmployeeService',
	name: 'Address_GetListCurrent',
	effect: 'read',
	subject: 'EmployeeId',
	request: { EmployeeId: employeeId },
	result: { kind: 'list', of: employeeAddress },
} as const satisfies SoapOperation;

export const addressInsert = {
	service: 'EmployeeService',
	name: 'Address_Insert',
	effect: 'write',
	subject: 'EmployeeId',
	request: {
		EmployeeId: employeeId,
		Address: employeeAddress,
		Period: period,
		Year: year,
		UnprotectedMode: {
			kind: 'boolean',
			description:
				"Whether to insert into a period before the company's current one, which the service refuses otherwise",
		},
	},
	result: { kind: 'int', description: 'Identifier of the inserted address' },
	resultName: 'Id',
} as const satisfies SoapOperation;

export const addressUpdate = {
	service: 'CompanyService',
	name: 'Address_Update',
	effect: 'write',
	subject: 'CompanyId',
	request: { CompanyId: companyId, Address: companyAddress },
} as const satisfies SoapOperation;

/** Every SOAP operation of the interface, in the order of its table. */
export const soapOperations = [
	costCenterGet,
	costCenterUpdate,
	addressGetListCurrent,
	addressInsert,
	addressUpdate,
] as const satisfies readonly SoapOperation[];

export const hourCodesGet = {
	method: 'GET',
	path: '/api/companies/{companyId}/hourcodes',
	subject: 'companyId',
	pathParameters: {
		companyId: {
			kind: 'string',
			label: 'Company ID',
			description: 'Identifier of the company',
			example: '100',
		},
	},
	paging: { pageNumber: 'pageNumber', pageSize: 'pageSize' },
} as const satisfies RestOperation;

/** The OAuth 2.0 scopes of interface.md section 5.4. */
export const scopes = [
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
] as const;
