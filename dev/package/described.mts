/**
 * A sample call of each operation that the sandbox has beyond docs/dev/interface.md: the values of request
 * and response, and the XML of both. Each is what comes of the sandbox's sample data.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Service } from '../sandbox/schemas.mts';
import { companyPayday, employeePayday } from './described-payday.mts';

/** {soap_namespace} of the sandbox, unless told otherwise. */
const ROOT = 'http://payroll.example/soap/v3';
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const XSD = 'xmlns:xsd="http://www.w3.org/2001/XMLSchema"';
const COMMON = `xmlns="${ROOT}/Common"`;
const NIL = `xsi:nil="true" ${XSI}`;

/** A call, and what the sandbox answers to it. */
export interface DescribedCall {
	readonly service: Service;
	readonly name: string;
	/** The values of the request. */
	readonly request: IDataObject;
	/** The elements inside the operation's element, whose namespace is the default one. */
	readonly body: string;
	/** The elements inside the response element, as values. */
	readonly response: IDataObject;
}

const employee: IDataObject = {
	Id: '7c9e6679-7425-40de-944b-0000000003e9',
	PersonnelNumber: '9007199254740993',
	Initials: 'Ö.J.',
	LastName: 'de Groot-1001 & Zn.',
	BirthDate: '1960-01-28',
	Gender: 'Female',
	MaritalStatus: 'Registered partnership',
	CallAfter: '17:30:00',
	Children: 0,
	TaxCredit: true,
	EmailAddress: ['e1001@payroll.example', 'home.1001@payroll.example'],
	Phones: ['+31 20 555 1001'],
	Partner: {
		LastName: 'Jansen',
		BirthDate: '1990-02-28',
		BankAccount: { IBAN: 'NL91ABNA0417164300' },
	},
	BankAccount: { IBAN: 'NL20INGB0001234567', AccountHolder: 'de Groot' },
	Version: 1,
};

const changedEmployee: IDataObject = {
	Id: employee['Id'],
	PersonnelNumber: '-9223372036854775808',
	LastName: 'Groot',
	BirthDate: null,
	MaritalStatus: 'Widow(er)',
	CallAfter: '08:00:00.5Z',
	Children: -1,
	TaxCredit: false,
	Phones: ['+31 20 555 1001', null, ''],
	Partner: { LastName: 'X', BankAccount: { IBAN: 'NL91ABNA0417164300' } },
	Version: 1,
};

const components: IDataObject[] = [
	{ Code: 'Allowance', Value: { '@xsi:type': 'decimal', '#text': '120.50' } },
	{ Code: 'Leased car', Value: { '@xsi:type': 'boolean', '#text': 'true' } },
	{ Code: 'Grade', Value: { '@xsi:type': 'string', '#text': 'B2' } },
	{ Code: 'Step', Value: { '@xsi:type': 'int', '#text': '7' } },
	{ Code: 'Note', Value: null },
];

const wage = (period: number, amount: string): IDataObject => ({
	'@Year': '2026',
	'@Period': String(period),
	Amount: { '@Currency': 'EUR', '#text': amount },
	Rate: '1.0250',
	Components: { Component: components },
});

const newWage: IDataObject = {
	'@Year': 2027,
	'@Period': 1,
	Amount: { '@Currency': 'USD', '#text': '12345678901234567.89' },
	Components: {
		Component: [
			{ Code: 'Leased car', Value: { '@xsi:type': 'boolean', '#text': false } },
			{ Code: 'Since', Value: { '@xsi:type': 'date', '#text': '2026-12-31' } },
		],
	},
};

const absences: IDataObject[] = [
	{
		Id: 1,
		Start: '2026-02-03T08:30:00',
		End: '2026-02-10T17:00:00',
		Percentage: 50,
		Cause: 'Sick',
	},
	{
		Id: 2,
		Start: '2026-06-01T00:00:00+02:00',
		End: null,
		Hours: 4.5,
		Remark: 'Every week',
		Cause: "Doctor's visit & check-up",
	},
];

const newAbsence: IDataObject = {
	Start: '2026-09-01T09:00:00Z',
	End: null,
	Percentage: 33.33,
	Cause: 'Sick child',
};

/** An absence in the list of a company. */
const registered = (
	AbsenceId: number,
	Start: string,
	End: string | null,
	Percentage: number,
	EmployeeId: number,
): IDataObject => ({
	...{ AbsenceId, Percentage, Start, RegistrationStartDate: Start },
	...{ End, RegistrationEndDate: End, Dossiernr: 1, EmployeeId },
});

/** The calls of one service. */
type Calls = ReadonlyArray<Omit<DescribedCall, 'service'>>;

const employeeCalls: Calls = [
	{
		name: 'List_GetByCompany',
		request: { CompanyId: 200, EmployeeType: 2 },
		body: '<CompanyId>200</CompanyId><EmployeeType>2</EmployeeType>',
		response: {
			List_GetByCompanyResult: [1, 2, 3].map((number) => ({
				...{ Id: 200000 + number, Number: number },
				DisplayName: `Ö.J. de Groot-${200000 + number} & Zn.`,
			})),
		},
	},
	{
		name: 'EmployeeType_GetList',
		request: {},
		body: '',
		response: {
			EmployeeType_GetListResult: [
				{ Id: 1, Description: 'New hire' },
				{ Id: 2, Description: 'Payroll' },
				{ Id: 3, Description: 'Former payroll' },
			],
		},
	},
	{
		name: 'PersonalInfo_GetCurrent',
		request: { EmployeeId: 1001 },
		body: '<EmployeeId>1001</EmployeeId>',
		response: {
			PersonalInfo_GetCurrentResult: {
				...{ Id: 1001, Number: 1, DisplayName: 'Ö.J. de Groot-1001 & Zn.', EmployeeNumber: 1 },
				...{ Initials: 'Ö.J.', LastName: 'de Groot-1001 & Zn.' },
				...{ EmailPrivate: 'home.1001@payroll.example', EmailWork: 'e1001@payroll.example' },
				Birthday: '1960-01-28T00:00:00',
			},
		},
	},
	{
		name: 'Absence_GetAll_AllEmployeesByCompany',
		request: { CompanyId: 200 },
		body: '<CompanyId>200</CompanyId>',
		response: {
			Absence_GetAll_AllEmployeesByCompanyResult: [
				registered(398001, '2026-02-03T08:30:00', '2026-02-10T17:00:00', 50, 200001),
				{
					...registered(398002, '2026-06-01T00:00:00+02:00', null, 100, 200001),
					Comment: 'Every week',
				},
				registered(398003, '2026-02-03T08:30:00', '2026-02-10T17:00:00', 50, 200002),
				{
					...registered(398004, '2026-06-01T00:00:00+02:00', '0001-01-01T00:00:00', 100, 200002),
					...{ Comment: 'Every week', RegistrationEndDate: null },
				},
				registered(398005, '2026-02-03T08:30:00', '2026-02-10T17:00:00', 50, 200003),
			],
		},
	},
	{
		name: 'Employee_Get',
		request: { EmployeeId: 1001 },
		body: '<EmployeeId>1001</EmployeeId>',
		response: { Employee_GetResult: employee },
	},
	{
		name: 'Employee_Update',
		request: { EmployeeId: 1001, Employee: changedEmployee },
		body:
			'<EmployeeId>1001</EmployeeId><Employee>' +
			'<Id>7c9e6679-7425-40de-944b-0000000003e9</Id>' +
			'<PersonnelNumber>-9223372036854775808</PersonnelNumber><LastName>Groot</LastName>' +
			`<BirthDate ${NIL} /><MaritalStatus>Widow(er)</MaritalStatus>` +
			'<CallAfter>08:00:00.5Z</CallAfter><Children>-1</Children><TaxCredit>false</TaxCredit>' +
			`<Phones><string>+31 20 555 1001</string><string ${NIL} /><string /></Phones>` +
			`<Partner><LastName>X</LastName><BankAccount><IBAN ${COMMON}>NL91ABNA0417164300</IBAN>` +
			'</BankAccount></Partner><Version>1</Version></Employee>',
		response: {
			Employee_UpdateResult: true,
			Version: 2,
			Warnings: ['The employee has no email address.'],
		},
	},
	{
		name: 'Wage_GetHistory',
		request: { EmployeeId: 1001, From: '2026-02-01', Until: '2026-03-31' },
		body: '<EmployeeId>1001</EmployeeId><From>2026-02-01</From><Until>2026-03-31</Until>',
		response: {
			Wage_GetHistoryResult: { Count: 2, Wage: [wage(2, '3177.50'), wage(3, '3177.50')] },
		},
	},
	{
		name: 'Wage_Insert',
		request: { EmployeeId: 1001, Wage: newWage },
		body:
			`<EmployeeId>1001</EmployeeId><Wage Year="2027" Period="1" ${XSI} ${XSD}>` +
			'<Amount Currency="USD">12345678901234567.89</Amount><Components>' +
			'<Component><Code>Leased car</Code><Value xsi:type="xsd:boolean">false</Value></Component>' +
			'<Component><Code>Since</Code><Value xsi:type="xsd:date">2026-12-31</Value></Component>' +
			'</Components></Wage>',
		response: {},
	},
	{
		name: 'Absence_GetList',
		request: { EmployeeId: 1001 },
		body: '<EmployeeId>1001</EmployeeId>',
		response: { Absence_GetListResult: absences },
	},
	{
		name: 'Absence_Insert',
		request: { EmployeeId: 1001, Absence: newAbsence, NotifyManager: true },
		body:
			`<EmployeeId>1001</EmployeeId><Absence><Start>2026-09-01T09:00:00Z</Start><End ${NIL} />` +
			'<Percentage>33.33</Percentage><Cause>Sick child</Cause></Absence>' +
			'<NotifyManager>true</NotifyManager>',
		response: { Absence_InsertResult: 7001 },
	},
];

const companyCalls: Calls = [
	{
		name: 'List_GetAll',
		request: {},
		body: '',
		response: {
			List_GetAllResult: [
				{ ID: 100, Number: 1, Name: 'Bakkerij De Vries & Zn. B.V.', LoonaangifteTijdvak: 'Month' },
				{ ID: 200, Number: 2, Name: "Café 't Hoekje", LoonaangifteTijdvak: 'Month' },
			],
		},
	},
	{
		name: 'Setting_Get',
		request: { CompanyId: 100, Name: 'PayDay' },
		body: '<CompanyId>100</CompanyId><Name>PayDay</Name>',
		response: { Setting_GetResult: { '@xsi:type': 'int', '#text': '25' } },
	},
];

/** Operations of both services beyond docs/dev/interface.md; each call is the first after a reset. */
export const describedCalls: readonly DescribedCall[] = [
	...[...employeeCalls, ...employeePayday].map((call) => ({
		...call,
		service: 'EmployeeService' as const,
	})),
	...[...companyCalls, ...companyPayday].map((call) => ({
		...call,
		service: 'CompanyService' as const,
	})),
];
