/**
 * Operations that docs/dev/interface.md does not have, as a service of this kind has them; some have types
 * that only JSON can give. They work on the elements of the request, which are validated beforehand.
 */
import { child, companyOf, employeeRecords, int, make, needed, refusal } from './operation.mts';
import { resultOf, text, type Operation } from './operation.mts';
import type { State } from './state.mts';
import { changed, typeOf, type XmlElement } from './xml.mts';

const without = (element: XmlElement, name: string): XmlElement[] =>
	element.children.filter((part) => part.name !== name);

const isTrue = (element: XmlElement | undefined): boolean =>
	['true', '1'].includes(element?.text.trim() ?? '');

const isNil = (element: XmlElement | undefined): boolean =>
	['true', '1'].includes(element?.attributes.get('xsi:nil')?.trim() ?? '');

/** A record with the Id that the service gives it, in the place that the schema has for it. */
function withId(state: State, record: XmlElement): [id: string, record: XmlElement] {
	const id = String(state.records.newId());
	return [id, changed(record, { children: [make(record, 'Id', id), ...without(record, 'Id')] })];
}

export const otherOperations: Record<string, Operation> = {
	Employee_Get: {
		service: 'EmployeeService',
		documentation: 'Gets the personal data of an employee.',
		signature: 'Int32 EmployeeId',
		run: (state, request) => ({
			elements: [changed(employeeRecords(state, request).employee, { name: resultOf(request) })],
		}),
	},
	Employee_Update: {
		service: 'EmployeeService',
		documentation:
			'Replaces the personal data of an employee. Returns the new version & any warnings; the ' +
			'result is false if nothing changed.',
		signature: 'Int32 EmployeeId, Employee Employee, UInt32& Version, String[]& Warnings',
		run: updateEmployee,
	},
	Wage_GetHistory: {
		service: 'EmployeeService',
		documentation: 'Gets the wages of an employee, of a year or from a date on.',
		signature: 'Int32 EmployeeId, Object Item',
		run(state, request) {
			const [year, from, until] = ['Year', 'From', 'Until'].map((name) => text(request, name));
			const isWanted = ({ attributes }: XmlElement): boolean => {
				const period = (attributes.get('Period') ?? '').trim().padStart(2, '0');
				const own = Number(attributes.get('Year'));
				if (year) return own === Number(year);
				const date = `${own}-${period}-01`;
				return date >= (from ?? '') && (!until || date <= until);
			};
			const rows = employeeRecords(state, request).wages.filter(isWanted);
			const count = make(request, 'Count', String(rows.length));
			return { elements: [make(request, resultOf(request), [count, ...rows])] };
		},
	},
	Wage_Insert: {
		service: 'EmployeeService',
		documentation: 'Adds the wage of a period to an employee.',
		signature: 'Int32 EmployeeId, Wage Wage',
		run(state, request) {
			employeeRecords(state, request).wages.push(needed(request, 'Wage'));
			return undefined;
		},
	},
	Absence_GetList: {
		service: 'EmployeeService',
		documentation: 'Gets the absences of an employee, of all causes or of some.',
		signature: 'Int32 EmployeeId, AbsenceCause[] Causes, Boolean OpenOnly',
		run(state, request) {
			const causes = child(request, 'Causes')?.children.map((cause) => cause.text) ?? [];
			const isWanted = (absence: XmlElement): boolean =>
				(causes.length === 0 || causes.includes(text(absence, 'Cause'))) &&
				(!isTrue(child(request, 'OpenOnly')) || isNil(child(absence, 'End')));
			const rows = employeeRecords(state, request).absences.filter(isWanted);
			return { elements: [make(request, resultOf(request), rows)] };
		},
	},
	Absence_Insert: {
		service: 'EmployeeService',
		documentation:
			'Adds an absence to an employee, as a percentage or in hours. Returns its identifier.',
		signature: 'Int32 EmployeeId, Absence Absence, Boolean NotifyManager',
		run(state, request) {
			const [id, row] = withId(state, needed(request, 'Absence'));
			employeeRecords(state, request).absences.push(row);
			return id;
		},
	},
	Setting_Get: {
		service: 'CompanyService',
		documentation: 'Gets a setting of a company, which can be of any type.',
		signature: 'Int32 CompanyId, String Name',
		run(state, request) {
			companyOf(state, int(request, 'CompanyId'));
			const setting = state.records.settings.get(text(request, 'Name'));
			const name = resultOf(request);
			const none = { ...make(request, name, ''), attributes: new Map([['xsi:nil', 'true']]) };
			return { elements: [setting ? changed(setting, { name }) : none] };
		},
	},
};

function updateEmployee(state: State, request: XmlElement) {
	const records = employeeRecords(state, request);
	const given = needed(request, 'Employee');
	if (text(given, 'Id').toLowerCase() !== text(records.employee, 'Id')) {
		throw refusal('The Id is not the one of the employee.');
	}
	const version = Number(text(records.employee, 'Version'));
	const expected = text(given, 'Version');
	if (expected !== '' && Number(expected) !== version) {
		throw refusal(`The employee was changed, and is at version ${version} now.`);
	}
	const isChanged = !isSame(given, records.employee);
	const now = String(version + (isChanged ? 1 : 0));
	const children = [...without(given, 'Version'), make(given, 'Version', now)];
	records.employee = changed(given, { children });
	const warnings = child(given, 'EmailAddress') ? [] : ['The employee has no email address.'];
	return {
		elements: [
			make(request, resultOf(request), String(isChanged)),
			make(request, 'Version', now),
			make(
				request,
				'Warnings',
				warnings.map((warning) => make(request, 'string', warning)),
			),
		],
	};
}

/** Whether two records have the same content; their versions do not count. */
function isSame(one: XmlElement, other: XmlElement): boolean {
	const parts = (element: XmlElement): unknown =>
		element.children.length === 0
			? [element.name, typeOf(element), isNil(element), element.text]
			: [element.name, typeOf(element), element.children.map(parts)];
	const content = (record: XmlElement): string =>
		JSON.stringify(without(record, 'Version').map(parts));
	return content(one) === content(other);
}
