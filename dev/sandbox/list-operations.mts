/** Operations by which most workflows begin: who there is, and who is absent. */
import { child, companyOf, employeeOf, employeeRecords, int } from './operation.mts';
import { make, resultOf, text, type Operation, type Result } from './operation.mts';
import { privateAddress } from './payday/state.mts';
import type { EmployeeRecords } from './records.mts';
import type { State } from './state.mts';
import type { XmlElement } from './xml.mts';

/** The type of employee that all employees of the sample data have. */
const PAYROLL = 2;

const employeeTypes = ['New hire', 'Payroll', 'Former payroll'];

/** What has no date although its type demands one. */
const noDate = '0001-01-01T00:00:00';

/** The values of a record: null is sent as nil, undefined is left out. */
type Values = Record<string, string | number | null | undefined>;

function record(like: XmlElement, name: string, values: Values): XmlElement {
	const given = Object.entries(values).filter(([, value]) => value !== undefined);
	const parts = given.map(([key, value]) =>
		value === null
			? { ...make(like, key, ''), attributes: new Map([['xsi:nil', 'true']]) }
			: make(like, key, String(value)),
	);
	return make(like, name, parts);
}

const list = (request: XmlElement, rows: XmlElement[]): Result => ({
	elements: [make(request, resultOf(request), rows)],
});

/** An employee as in all lists. */
function listed(state: State, id: number): Values {
	const { employee } = state.records.employee(id);
	const name = `${text(employee, 'Initials')} ${text(employee, 'LastName')}`;
	return { Id: id, Number: id % 1000, DisplayName: name.trim() };
}

function employeesOf(state: State, companyId: number): number[] {
	companyOf(state, companyId);
	const all = [...state.employees].filter(([, employee]) => employee.companyId === companyId);
	return all.map(([id]) => id);
}

function absencesOf(request: XmlElement, id: number, { absences }: EmployeeRecords): XmlElement[] {
	return absences.map((absence) => {
		const end = text(absence, 'End') || null;
		return record(request, 'EmployeeAbsence', {
			AbsenceId: text(absence, 'Id'),
			Comment: text(absence, 'Remark') || undefined,
			Percentage: Math.round(Number(text(absence, 'Percentage') || 100)),
			Start: text(absence, 'Start'),
			RegistrationStartDate: text(absence, 'Start'),
			End: end,
			RegistrationEndDate: end === noDate ? null : end,
			Dossier: undefined,
			Dossiernr: 1,
			EmployeeId: id,
		});
	});
}

export const listOperations: Record<string, Operation> = {
	List_GetAll: {
		service: 'CompanyService',
		documentation: 'Gets all companies that are open to the user.',
		signature: '',
		run: (state, request) =>
			list(
				request,
				[...state.companies].map(([id, { number, name }]) =>
					record(request, 'Company', {
						...{ ID: id, Number: number, Name: name, LoonaangifteTijdvak: 'Month' },
					}),
				),
			),
	},
	List_GetByCompany: {
		service: 'EmployeeService',
		documentation: 'Gets the employees of a company that have a type.',
		signature: 'Int32 CompanyId, Int32 EmployeeType',
		run(state, request) {
			const ids = employeesOf(state, int(request, 'CompanyId'));
			const found = int(request, 'EmployeeType') === PAYROLL ? ids : [];
			return list(
				request,
				found.map((id) => record(request, 'Employee', listed(state, id))),
			);
		},
	},
	EmployeeType_GetList: {
		service: 'EmployeeService',
		documentation: 'Gets the types of employees.',
		signature: '',
		run: (_state, request) =>
			list(
				request,
				employeeTypes.map((Description, index) =>
					record(request, 'EmployeeType', { Id: index + 1, Description }),
				),
			),
	},
	PersonalInfo_GetCurrent: {
		service: 'EmployeeService',
		documentation: 'Gets the personal information of an employee.',
		signature: 'Int32 EmployeeId',
		run(state, request) {
			employeeOf(state, request);
			const id = int(request, 'EmployeeId');
			const { employee } = employeeRecords(state, request);
			const addresses = employee.children.filter(({ name }) => name === 'EmailAddress');
			const [work, home] = addresses.map((address) => address.text);
			const values = {
				...listed(state, id),
				EmployeeNumber: id % 1000,
				Initials: text(employee, 'Initials') || undefined,
				LastName: text(employee, 'LastName'),
				EmailPrivate: privateAddress(id, home),
				EmailWork: work,
				Birthday: child(employee, 'BirthDate')?.text
					? `${text(employee, 'BirthDate')}T00:00:00`
					: null,
			};
			return { elements: [record(request, resultOf(request), values)] };
		},
	},
	Absence_GetAll_AllEmployeesByCompany: {
		service: 'EmployeeService',
		documentation: 'Gets the absences of all employees of a company.',
		signature: 'Int32 CompanyId',
		run(state, request) {
			const ids = employeesOf(state, int(request, 'CompanyId'));
			return list(
				request,
				ids.flatMap((id) => absencesOf(request, id, state.records.employee(id))),
			);
		},
	},
};
