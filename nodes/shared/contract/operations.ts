/** The interface as data (docs/dev/interface.md): resources, operations of SOAP and REST, and the identity server. */
import { TWK_EXCEPTION } from '../errors/phrases';
import type { Fields, RecordContent, RecordField } from './fields';
import type { Operation } from './operation';

/* The resources of section 2, with their fields in the order given there. */

/** A text that the form always shows. */
const shown = { kind: 'string', isShown: true } as const;

/** A text without which its record is probably incomplete. */
const usual = { ...shown, isUsual: true } as const;

const costCenter = {
	kind: 'record',
	type: 'CostCenter',
	label: 'Cost Center',
	fields: {
		Code: { ...shown, description: 'Code of the cost center', example: '4100' },
		Description: {
			kind: 'string',
			description: 'Description of the cost center',
			example: 'Warehouse',
		},
		Id: { kind: 'int', description: 'Identifier of the cost center', example: '17' },
	},
} as const satisfies RecordField;

const kostensoort = {
	kind: 'record',
	type: 'Kostensoort',
	label: 'Cost Type',
	fields: {
		Code: { kind: 'string', description: 'Code of the cost type', example: '400' },
		Description: {
			kind: 'string',
			description: 'Description of the cost type',
			example: 'Salaries',
		},
	},
} as const satisfies RecordField;

export const employeeCostCenter = {
	kind: 'record',
	type: 'EmployeeCostCenter',
	label: 'Cost Center',
	fields: {
		Id: {
			kind: 'int',
			label: 'Record ID',
			description: 'Identifier of the employee cost center record',
			example: '5001',
		},
		CostCenter: costCenter,
		Kostensoort: kostensoort,
		Percentage: {
			kind: 'decimal',
			description: 'Share of the cost center',
			example: '62.5',
			isShown: true,
			isPercentage: true,
		},
		Default: { kind: 'boolean', description: 'Whether this is the default cost center' },
	},
} as const satisfies RecordField;

/** The fields that employee and company addresses share. */
const addressFields = {
	Id: {
		kind: 'int',
		label: 'Address ID',
		description: 'Identifier of the address',
		example: '9001',
	},
	Default: { kind: 'boolean', description: 'Whether this is the default address' },
	Street: { ...usual, description: 'Without the house number', example: 'Keizersgracht' },
	HouseNumber: { ...usual, description: 'Without its addition', example: '241' },
	HouseNumberAddition: {
		...shown,
		description: 'What follows the number, such as a letter or a floor',
		example: 'B',
	},
	PostalCode: { ...usual, description: 'Written as in its country', example: '1016 EA' },
	City: { ...usual, description: 'City or village', example: 'Amsterdam' },
	StateProvince: {
		kind: 'string',
		label: 'State or Province',
		description: 'Where there is one',
		example: 'Noord-Holland',
	},
	CountryISOCode: {
		kind: 'country',
		label: 'Country ISO Code',
		description: 'Two upper-case letters, such as BE for Belgium',
		example: 'NL',
		isShown: true,
	},
} as const satisfies Fields;

const employeeAddress = {
	kind: 'record',
	type: 'EmployeeAddress',
	label: 'Address',
	fields: {
		...addressFields,
		Type: {
			kind: 'enumeration',
			description: 'What the address is used for',
			values: [
				'HomeAddress',
				'PostAddress',
				'AbsenceAddress',
				'HolidaysAddress',
				'WeekendAddress',
				'WorkAddress',
			],
			isShown: true,
		},
	},
} as const satisfies RecordField;

/* The operations of sections 4.2 and 4.3. */

/** The parameters of every list's query that choose a page. */
export const paging = { pageNumber: 'pageNumber', pageSize: 'pageSize' } as const;

/** A number that says what a request is about. */
const key = { kind: 'int', isKey: true } as const;

const employeeId = {
	...key,
	label: 'Employee ID',
	description:
		'Identifier of the employee at the service, not the number on the payslip; the example employees-of-all-companies lists it with the names',
	example: '1001',
} as const;

const company = {
	label: 'Company ID',
	description: 'Identifier of the company',
	example: '100',
} as const;

const period = {
	...key,
	description: 'Payroll period, such as 6 for June if wages are paid by the month',
	example: '6',
} as const;

const year = { ...key, description: 'Year of the payroll period', example: '2026' } as const;

/** The response of an operation without a result. */
const empty = { fields: {} } as const satisfies RecordContent;

export const costCenterGet = {
	service: 'EmployeeService',
	name: 'CostCenter_Get',
	effect: 'read',
	request: { fields: { EmployeeId: employeeId, Period: period, Year: year } },
	response: { fields: { CostCenter_GetResult: { kind: 'list', of: employeeCostCenter } } },
} as const satisfies Operation;

export const costCenterUpdate = {
	service: 'EmployeeService',
	name: 'CostCenter_Update',
	effect: 'write',
	request: {
		fields: {
			EmployeeId: employeeId,
			CostCenteren: {
				kind: 'list',
				label: 'Cost Centers',
				description: 'The cost centers to write',
				hint: "The node finds a record by its 'Record ID', else by its code",
				of: employeeCostCenter,
				matchOn: [['CostCenter', 'Code'], ['Id']],
			},
			Period: period,
			Year: year,
		},
	},
	response: empty,
} as const satisfies Operation;

export const addressGetListCurrent = {
	service: 'EmployeeService',
	name: 'Address_GetListCurrent',
	effect: 'read',
	request: { fields: { EmployeeId: employeeId } },
	response: { fields: { Address_GetListCurrentResult: { kind: 'list', of: employeeAddress } } },
} as const satisfies Operation;

export const addressInsert = {
	service: 'EmployeeService',
	name: 'Address_Insert',
	effect: 'write',
	request: {
		fields: {
			EmployeeId: employeeId,
			Address: employeeAddress,
			Period: period,
			Year: year,
			UnprotectedMode: {
				kind: 'boolean',
				isPermission: true,
				description:
					"Whether to allow a period before the company's current one. If off, the service refuses it.",
			},
		},
	},
	response: {
		fields: {
			Address_InsertResult: {
				kind: 'int',
				required: true,
				property: 'Id',
				description: 'Identifier of the inserted address',
			},
		},
	},
	advice({ UnprotectedMode, Period, Year }) {
		const today = new Date();
		const month = today.getFullYear() * 12 + today.getMonth() + 1;
		const isPast = Number(Year) * 12 + Number(Period) < month;
		const fault = isPast ? TWK_EXCEPTION : /\bTWK exception\b[^]*\bperiod/i;
		const text =
			"If the period is before the company's current one, turn on 'Unprotected Mode' to insert the address anyway.";
		return UnprotectedMode === true ? [] : [{ fault, text }];
	},
} as const satisfies Operation;

export const addressUpdate = {
	service: 'CompanyService',
	name: 'Address_Update',
	effect: 'write',
	request: {
		fields: {
			CompanyId: { ...key, ...company },
			Address: {
				kind: 'record',
				type: 'CompanyAddress',
				label: 'Address',
				fields: addressFields,
				hint: 'The whole address is overwritten: fields that you leave out are lost',
			},
		},
	},
	response: empty,
} as const satisfies Operation;

/** Every SOAP operation of docs/dev/interface.md, section 4.3, in the order of its table. */
export const soapOperations = [
	costCenterGet,
	costCenterUpdate,
	addressGetListCurrent,
	addressInsert,
	addressUpdate,
] as const satisfies readonly Operation[];

/** Whether an operation is one of the contract; one that a description gives may have the same name. */
export const isOfContract = (operation: Operation): boolean =>
	soapOperations.some((own) => own === operation);

/** The services of docs/dev/interface.md, section 4.3. */
export const services: readonly string[] = [
	...new Set(soapOperations.map(({ service }) => service)),
];

export const hourCodesGet = {
	method: 'GET',
	path: '/api/companies/{companyId}/hourcodes',
	pathParameters: { companyId: { kind: 'string', ...company } },
} as const;

/** The identity server's paths (docs/dev/interface.md, section 4.1), and the OAuth 2.0 scopes (section 5.4). */
export const identityServer = {
	/** Where the user logs in and gives consent. */
	consent: '/connect/authorize',
	/** Exchanges a code or a refresh token for tokens. */
	token: '/connect/token',
	/** Revokes tokens. The interface does not specify its method and format. */
	revocation: '/connect/revocation',
	scopes: [
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
	],
} as const;
