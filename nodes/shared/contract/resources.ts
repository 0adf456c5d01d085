/** The resources of docs/dev/interface.md, section 2, with their fields in the order given there. */
import type { Fields, RecordField } from './fields';

const costCenter = {
	kind: 'record',
	type: 'CostCenter',
	label: 'Cost Center',
	fields: {
		Code: {
			kind: 'string',
			description: 'Code of the cost center',
			example: '4100',
			isShown: true,
		},
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
	Street: {
		kind: 'string',
		description: 'Without the house number',
		example: 'Keizersgracht',
		isShown: true,
		isUsual: true,
	},
	HouseNumber: {
		kind: 'string',
		description: 'Without its addition',
		example: '241',
		isShown: true,
		isUsual: true,
	},
	HouseNumberAddition: {
		kind: 'string',
		description: 'What follows the number, such as a letter or a floor',
		example: 'B',
		isShown: true,
	},
	PostalCode: {
		kind: 'string',
		description: 'Written as in its country',
		example: '1016 EA',
		isShown: true,
		isUsual: true,
	},
	City: {
		kind: 'string',
		description: 'City or village',
		example: 'Amsterdam',
		isShown: true,
		isUsual: true,
	},
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
			isShown: true,
		},
	},
} as const satisfies RecordField;

export const companyAddress = {
	kind: 'record',
	type: 'CompanyAddress',
	label: 'Address',
	fields: addressFields,
} as const satisfies RecordField;
