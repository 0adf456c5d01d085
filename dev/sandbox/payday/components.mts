/** Operations on the hours and wages of a period, which have the same shape under other names. */
import { child, companyOf, employeeOf, int, missing, refusal } from '../operation.mts';
import type { Operation } from '../operation.mts';
import type { XmlElement } from '../xml.mts';

interface Names {
	of: 'hours' | 'wages';
	/** Name of a record in a result, and in a request, where the service spells it in another way. */
	record: string;
	parameter: string;
	code: string;
	value: string;
}

const order = (year: number, period: number): number => year * 1000 + period;

const text = (record: XmlElement, name: string): string => child(record, name)?.text.trim() ?? '';

function pair({ of, record, parameter, code, value }: Names): Record<'get' | 'insert', Operation> {
	return {
		get: {
			service: 'EmployeeService',
			documentation: `Gets the variable ${of} of an employee in a period.`,
			signature: 'Int32 EmployeeId, Int32 Period, Int32 Year',
			run(state, request) {
				employeeOf(state, request);
				const [id, period, year] = ['EmployeeId', 'Period', 'Year'].map((name) =>
					int(request, name),
				) as [number, number, number];
				const rows = state.payday.components(of, id, period, year).map((one) => ({
					...{ Id: String(one.id), [code]: String(one.code), [value]: one.value },
				}));
				return { type: record, rows };
			},
		},
		insert: {
			service: 'EmployeeService',
			documentation: `Adds variable ${of} of an employee in a period, also if there are some of that code.`,
			signature: `Int32 EmployeeId, ${record} ${parameter}, Int32 Period, Int32 Year, Boolean UnprotectedMode`,
			run(state, request) {
				const { current } = companyOf(state, employeeOf(state, request).companyId);
				const given = child(request, parameter);
				if (!given) throw missing(parameter);
				const [period, year] = [int(request, 'Period'), int(request, 'Year')];
				const isOpen = ['true', '1'].includes(text(request, 'UnprotectedMode'));
				if (order(year, period) < order(current.year, current.period) && !isOpen) {
					throw refusal('The period lies before the current period of the company.');
				}
				if (!/^\d{4}$/.test(text(given, code))) throw refusal(`The ${of} have no such code.`);
				const id = state.payday.newId();
				const all = state.payday.components(of, int(request, 'EmployeeId'), period, year);
				all.push({ id, code: Number(text(given, code)), value: text(given, value) });
				return String(id);
			},
		},
	};
}

const hours = pair({
	...{ of: 'hours', record: 'HourComponent', parameter: 'Hourcomponent' },
	...{ code: 'HourCode', value: 'Hours' },
});
const wages = pair({
	...{ of: 'wages', record: 'WageComponent', parameter: 'WageComponent' },
	...{ code: 'Code', value: 'Value' },
});

export const componentOperations: Record<string, Operation> = {
	HourComponentVar_Get: hours.get,
	HourComponentVar_Insert: hours.insert,
	WageComponentVar_Get: wages.get,
	WageComponentVar_Insert: wages.insert,
};
