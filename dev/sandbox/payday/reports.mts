/** The ReportService, which makes a report in the background: one call starts it, others ask for it. */
import { randomUUID } from 'node:crypto';
import { child, companyOf, int } from '../operation.mts';
import type { Operation } from '../operation.mts';
import type { State } from '../state.mts';
import { escapeXml } from '../xml.mts';
import type { Task } from './state.mts';

/** The report: the wages of the employees of a company in period 6, with the decimal comma of the country. */
function report(state: State, { company, year }: Task): string {
	const ids = [...state.employees].filter(([, { companyId }]) => companyId === company).slice(0, 3);
	const rows = (year === 2026 ? ids : []).map(
		([id]) =>
			`<Employee><Number>${id - 1000}</Number>` +
			`<Name>${escapeXml(`de Groot-${id} & Zn.`)}</Name><Period>6</Period>` +
			'<Code>2100</Code><Value>125,50</Value></Employee>',
	);
	return `<reports><report><EmployeeWageComponentsReport>${rows.join('')}</EmployeeWageComponentsReport></report></reports>`;
}

/** What has become of a task; the first year of the service is 2020. */
function statusOf(task: Task | undefined, checks: number): string {
	if (task === undefined) return 'Unknown';
	if (task.asked > checks) return task.year < 2020 ? 'Error' : 'Success';
	return task.asked > 1 ? 'Executing' : 'Enqueued';
}

export const reportOperations: Record<string, Operation> = {
	Reports_Accountant_Company_EmployeeWageComponentsPerRunPeriod_Background: {
		service: 'ReportService',
		documentation: 'Starts a report of the wage components of a year. Returns the id of the task.',
		signature: 'Int32 companyId, Int32 year',
		run(state, request) {
			const company = int(request, 'companyId');
			companyOf(state, company);
			const id = randomUUID();
			state.payday.tasks.set(id, { company, year: int(request, 'year'), asked: 0 });
			return id;
		},
	},
	Reports_BackgroundTask_Result: {
		service: 'ReportService',
		documentation: 'Gets the status of a task, and its content once it has succeeded.',
		signature: 'Guid TaskId',
		run(state, request, { reportChecks }) {
			const id = child(request, 'TaskId')?.text.trim().toLowerCase() ?? '';
			const task = state.payday.tasks.get(id);
			if (task) task.asked += 1;
			const Status = statusOf(task, reportChecks);
			const content = task && Status === 'Success' && { Content: report(state, task) };
			return { record: { TaskId: id, Status, ...content } };
		},
	},
};
