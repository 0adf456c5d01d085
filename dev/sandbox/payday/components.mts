/** Operations on the variable hours of an employee in a period. */
import { child, companyOf, employeeOf, int, missing, refusal, text } from '../operation.mts';
import type { Operation } from '../operation.mts';
import type { State } from '../state.mts';
import type { XmlElement } from '../xml.mts';

const order = (year: number, period: number): number => year * 1000 + period;

/** The hours of the employee and period that a request names. */
function hoursOf(state: State, request: XmlElement) {
	const ids = ['EmployeeId', 'Period', 'Year'].map((name) => int(request, name));
	return state.payday.hours(...(ids as [number, number, number]));
}

export const componentOperations: Record<string, Operation> = {
	HourComponentVar_Get: {
		service: 'EmployeeService',
		documentation: 'Gets the variable hours of an employee in a period.',
		signature: 'Int32 EmployeeId, Int32 Period, Int32 Year',
		run(state, request) {
			employeeOf(state, request);
			const rows = hoursOf(state, request).map(({ id, code, hours }) => ({
				...{ Id: String(id), HourCode: String(code), Hours: hours },
			}));
			return { type: 'HourComponent', rows };
		},
	},
	HourComponentVar_Insert: {
		service: 'EmployeeService',
		documentation:
			'Adds variable hours of an employee in a period, also if there are some of that code.',
		signature:
			'Int32 EmployeeId, HourComponent Hourcomponent, Int32 Period, Int32 Year, Boolean UnprotectedMode',
		run(state, request) {
			const { current } = companyOf(state, employeeOf(state, request).companyId);
			const given = child(request, 'Hourcomponent');
			if (!given) throw missing('Hourcomponent');
			const asked = order(int(request, 'Year'), int(request, 'Period'));
			const isOpen = ['true', '1'].includes(text(request, 'UnprotectedMode'));
			if (asked < order(current.year, current.period) && !isOpen) {
				throw refusal('The period lies before the current period of the company.');
			}
			const code = text(given, 'HourCode');
			if (!/^\d{4}$/.test(code)) throw refusal('The hours have no such code.');
			const id = state.payday.newId();
			hoursOf(state, request).push({ id, code: Number(code), hours: text(given, 'Hours') });
			return String(id);
		},
	},
};
