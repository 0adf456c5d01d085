/** Sample calls of the operations of a payroll day that the sandbox has: see `described.mts`. */
import { pdf } from '../sandbox/payday/pdf.mts';
import type { DescribedCall } from './described.mts';

const NIL = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const inPeriod = { EmployeeId: 1001, Period: 6, Year: 2026 };
const period = '<Period>6</Period><Year>2026</Year>';

export const employeePayday: ReadonlyArray<Omit<DescribedCall, 'service'>> = [
	{
		name: 'HourComponentVar_Get',
		request: inPeriod,
		body: `<EmployeeId>1001</EmployeeId>${period}`,
		response: { HourComponentVar_GetResult: [{ Id: 1001, HourCode: 2100, Hours: 8 }] },
	},
	{
		name: 'HourComponentVar_Insert',
		request: {
			...inPeriod,
			Hourcomponent: { Id: 0, HourCode: 2200, Hours: 4.25, CostCenterId: null, CostUnitId: 7 },
			UnprotectedMode: false,
		},
		body:
			'<EmployeeId>1001</EmployeeId><Hourcomponent><Id>0</Id><HourCode>2200</HourCode>' +
			`<Hours>4.25</Hours><CostCenterId ${NIL} /><CostUnitId>7</CostUnitId></Hourcomponent>` +
			`${period}<UnprotectedMode>false</UnprotectedMode>`,
		response: { HourComponentVar_InsertResult: 8001 },
	},
];

const runs = [
	{
		ID: 7101,
		Number: 1,
		PeriodStart: 5,
		PeriodEnd: 5,
		RunAt: '2026-05-22T00:00:00',
		IsLocked: true,
	},
	{
		ID: 7102,
		Number: 2,
		PeriodStart: 6,
		PeriodEnd: 6,
		RunAt: '2026-06-22T00:00:00',
		IsLocked: false,
	},
];

export const companyPayday: ReadonlyArray<Omit<DescribedCall, 'service'>> = [
	{
		name: 'Run_GetList',
		request: { CompanyId: 100, Year: 2026 },
		body: '<CompanyId>100</CompanyId><Year>2026</Year>',
		response: {
			Run_GetListResult: runs.map((run) => ({ ...run, Year: 2026, Description: 'Maand & bonus' })),
		},
	},
	{
		name: 'Run_GetEmployeesByRunCompany',
		request: { CompanyId: 100, RunId: 7102, Year: 2026 },
		body: '<CompanyId>100</CompanyId><RunId>7102</RunId><Year>2026</Year>',
		response: {
			Run_GetEmployeesByRunCompanyResult: [1, 2, 3, 4, 5, 6, 7, 8001].map((EmployeeNumber) => ({
				...{ EmployeeId: 1000 + EmployeeNumber, EmployeeNumber },
			})),
		},
	},
	{
		name: 'SalaryDocuments_GetEmployeePayslipsPDFByRunCompany_v2',
		request: { EmployeeID: 1004, CompanyId: 100, RunID: 7102, intYear: 2026 },
		body:
			'<EmployeeID>1004</EmployeeID><CompanyId>100</CompanyId><RunID>7102</RunID>' +
			'<intYear>2026</intYear>',
		response: {
			SalaryDocuments_GetEmployeePayslipsPDFByRunCompany_v2Result: [1, 2].map((index) => ({
				PDF: pdf(`Payslip ${index} of employee 1004, run 7102`),
			})),
		},
	},
];
