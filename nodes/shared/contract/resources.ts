/** The resources of interface.md section 2, field by field in the order given there. */
import type { Fields, RecordField } from './fields';

export const costCenter = {
	kind: 'record',
	type: 'CostCenter',
	label: 'Cost Center',
	identifiedBy: ['Code', 'Id'],
	fields: {
		Code: { kind: 'string', description: 'Code of the cost center', example: '4100' },
		Description: {
			kind: 'string',
			description: 'Description of the cost center',
			example: 'Warehouse',
		},
		Id: { kind: 'int', description: 'Identifier of the cost center', example: '17' },
	},
} as const satisfies RecordField;

export const kostensoort = {
	kind: 'record',
	type: 'Kostensoort',
	label: 'Cost Type',
	identifiedBy: ['Code'],
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
			shareOf: 100,
			example: '62.5',
		},
		Default: { kind: 'boolean', description: 'Whether this is the default cost center' },
	},
} as const satisfies RecordField;

/** What employee and company addresses have in common. */
const addressFields = {
	Id: {
		kind: 'int',
		label: 'Address ID',
		description: 'Identifier of the address',
		example: '9001',
	},
	Default: { kind: 'boolean', description: 'Whether this is the default address' },
	Street: { kind: 'string', description: 'Street', example: 'Keizersgracht' },
	HouseNumber: { kind: 'string', description: 'House number, without addition', example: '241' },
	HouseNumberAddition: {
		kind: 'string',
		description: 'Addition to the house number',
		example: 'B',
	},
	PostalCode: { kind: 'string', description: 'Postal code', example: '1016 EA' },
	City: { kind: 'string', description: 'City', example: 'Amsterdam' },
	StateProvince: {
		kind: 'string',
		label: 'State or Province',
		description: 'State or province',
		example: 'Noord-Holland',
	},
	CountryISOCode: {
		kind: 'string',
		label: 'Country ISO Code',
		description: 'Country code',
		example: 'NL',
	},
} as const satisfies Fields;

export const employeeAddress = {
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
		},
	},
} as const satisfies RecordField;

export const companyAddress = {
	kind: 'record',
	type: 'CompanyAddress',
	label: 'Address',
	fields: addressFields,
} as const satisfies RecordField;
