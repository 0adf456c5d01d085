/** The operations of docs/interface.md, sections 4.2 and 4.3. */
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
	/** Of an operation that writes a list: how the list is read that it changes. */
	readonly rewrites?: Rewriting;
	/** Of an operation that inserts a record: how it is found out whether there is one like it. */
	readonly inserts?: Inserting;
	/** What to do about faults that say why. */
	readonly advice?: readonly FaultAdvice[];
}

/** What to do about a fault (docs/interface.md, section 7). */
export interface FaultAdvice {
	/** What the fault's text says. */
	readonly fault: RegExp;
	/** The request value with which this cannot be the reason. */
	readonly unless?: { readonly element: string; readonly value: boolean };
	readonly text: string;
}

/** How a list is read before it is written, and how its rows are told apart. */
export interface Rewriting {
	/** The request element that holds the list. */
	readonly list: string;
	/** The operation that reads it; all its request elements stand in the writing request too. */
	readonly read: SoapOperation;
	/** Paths of the elements that say which row is meant; the first that has a value decides. */
	readonly matchBy: ReadonlyArray<readonly string[]>;
}

/** How the records are read among which one is inserted. */
export interface Inserting {
	/** The request element that holds the new record; it is compared with those that are read. */
	readonly record: string;
	/** The operation that reads them; all its request elements stand in the inserting request too. */
	readonly read: SoapOperation;
}

/** One paged REST call; `path` holds its parameters in braces. */
export interface RestOperation {
	readonly method: 'GET';
	readonly path: string;
	readonly subject: string;
	/** What the subject identifies, in a message that it was not found. */
	readonly subjectName: string;
	readonly pathParameters: { readonly [name: string]: StringField };
	/** How items name a path parameter: as the SOAP services name the same thing. */
	readonly itemNames: { readonly [pathParameter: string]: string };
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
	description: 'Payroll period, as the payroll service numbers it',
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
			rowFields: [['CostCenter', 'Code'], ['Percentage']],
		},
		Period: period,
		Year: year,
	},
	rewrites: {
		list: 'CostCenteren',
		read: costCenterGet,
		matchBy: [['Id'], ['CostCenter', 'Code']],
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
				"Whether to insert into a period before the company's current one, which is refused otherwise",
		},
	},
	result: { kind: 'int', description: 'Identifier of the inserted address' },
	resultName: 'Id',
	inserts: { record: 'Address', read: addressGetListCurrent },
	advice: [
		{
			fault: /\bTWK\b/,
			unless: { element: 'UnprotectedMode', value: true },
			text: `If the period lies before the company's current one, turn on 'Unprotected Mode' to insert the address all the same.`,
		},
	],
} as const satisfies SoapOperation;

export const addressUpdate = {
	service: 'CompanyService',
	name: 'Address_Update',
	effect: 'write',
	subject: 'CompanyId',
	request: {
		CompanyId: companyId,
		Address: {
			...companyAddress,
			hint: 'Give all fields: the current address cannot be read, so fields that are not given may be lost',
		},
	},
} as const satisfies SoapOperation;

/** Every SOAP operation of docs/interface.md, section 4.3, in the order of its table. */
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
	subjectName: 'Company',
	pathParameters: {
		companyId: {
			kind: 'string',
			label: 'Company ID',
			description: 'Identifier of the company',
			example: '100',
		},
	},
	itemNames: { companyId: 'CompanyId' },
	paging: { pageNumber: 'pageNumber', pageSize: 'pageSize' },
} as const satisfies RestOperation;

/** The OAuth 2.0 scopes of docs/interface.md, section 5.4. */
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
