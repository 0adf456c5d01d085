/** Operations on payroll runs: who is in one, and the payslips. */
import { child, companyOf, int, refusal } from '../operation.mts';
import type { Operation } from '../operation.mts';
import type { State } from '../state.mts';
import type { XmlElement } from '../xml.mts';
import { pdf } from './pdf.mts';
import type { Run } from './state.mts';

/** Runs of a company in a year; other companies than 100 have none. */
function runsOf(state: State, request: XmlElement, year: string): readonly Run[] {
	const company = int(request, 'CompanyId');
	companyOf(state, company);
	const all = company === 100 ? state.payday.runs : [];
	return all.filter((run) => run.year === int(request, year));
}

/** The run that a request names. */
function runOf(state: State, request: XmlElement, names: { id: string; year: string }): Run {
	const id = int(request, names.id);
	const found = runsOf(state, request, names.year).find((run) => run.id === id);
	if (!found) throw refusal(`Run ${id} does not exist.`);
	return found;
}

export const payslipOperations: Record<string, Operation> = {
	Run_GetList: {
		service: 'CompanyService',
		documentation: 'Gets the payroll runs of a company in a year.',
		signature: 'Int32 CompanyId, Int32 Year',
		run: (state, request) => ({
			type: 'RunInfo',
			rows: runsOf(state, request, 'Year').map(({ id, year, period }) => ({
				...{ ID: String(id), Number: String(id - 7100), Year: String(year) },
				...{ PeriodStart: String(period), PeriodEnd: String(period), Description: 'Maand & bonus' },
				...{ RunAt: `2026-0${period}-22T00:00:00`, IsLocked: String(period === 5) },
			})),
		}),
	},
	Run_GetEmployeesByRunCompany: {
		service: 'CompanyService',
		documentation: 'Gets the employees of a payroll run.',
		signature: 'Int32 CompanyId, Int32 RunId, Int32 Year',
		run: (state, request) => ({
			type: 'EmployeeIdNumber',
			rows: runOf(state, request, { id: 'RunId', year: 'Year' }).employees.map((id) => ({
				...{ EmployeeId: String(id), EmployeeNumber: String(id - 1000) },
			})),
		}),
	},
	// The names of the parameters are spelled as services of this kind spell them.
	SalaryDocuments_GetEmployeePayslipsPDFByRunCompany_v2: {
		service: 'CompanyService',
		documentation: 'Gets the payslips of an employee in a payroll run, one for each employment.',
		signature: 'Int32 EmployeeID, Int32 CompanyId, Int32 RunID, Int32 intYear',
		run(state, request) {
			const { id, employees } = runOf(state, request, { id: 'RunID', year: 'intYear' });
			const employee = Number(child(request, 'EmployeeID')?.text);
			const isPaid = employees.includes(employee) && state.employees.has(employee);
			const count = !isPaid || employee === 1007 ? 0 : employee === 1004 ? 2 : 1;
			const rows = Array.from({ length: count }, (_none, index) => ({
				PDF: pdf(`Payslip ${index + 1} of employee ${employee}, run ${id}`),
			}));
			return { type: 'Payslip', rows };
		},
	},
};
