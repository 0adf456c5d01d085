/** Implements the SOAP operations of docs/dev/interface.md, section 4.3. */
import { listOperations } from './list-operations.mts';
import { child, companyOf, employeeOf, int, missing, refusal } from './operation.mts';
import type { Operation } from './operation.mts';
import type { Modes } from './options.mts';
import { otherOperations } from './other-operations.mts';
import { componentOperations } from './payday/components.mts';
import { payslipOperations } from './payday/payslips.mts';
import { reportOperations } from './payday/reports.mts';
import type { Row, State } from './state.mts';
import type { XmlElement } from './xml.mts';

const addressElements = [
	'Id',
	'Default',
	'Street',
	'HouseNumber',
	'HouseNumberAddition',
	'PostalCode',
	'City',
	'StateProvince',
	'CountryISOCode',
	'Type',
];
const costCenterElements = ['Id', 'CostCenter', 'Kostensoort', 'Percentage', 'Default'];

/** Every operation, by name. */
export const operations: Record<string, Operation> = {
	CostCenter_Get: {
		service: 'EmployeeService',
		documentation: 'Gets all cost centers of an employee.',
		signature: 'Int32 EmployeeId, Int32 Period, Int32 Year',
		run: (state, request) => ({
			type: 'EmployeeCostCenter',
			rows: employeeOf(state, request).costCenters,
		}),
	},
	CostCenter_Update: {
		service: 'EmployeeService',
		documentation: 'Updates the cost centers of an employee.',
		signature: 'Int32 EmployeeId, EmployeeCostCenter[] CostCenteren, Int32 Period, Int32 Year',
		run: updateCostCenters,
	},
	Address_GetListCurrent: {
		service: 'EmployeeService',
		documentation: 'Gets all currently active addresses of an employee.',
		signature: 'Int32 EmployeeId',
		run: (state, request) => ({
			type: 'EmployeeAddress',
			rows: employeeOf(state, request).addresses,
		}),
	},
	Address_Insert: {
		service: 'EmployeeService',
		documentation: 'Inserts an address of an employee into the given period.',
		signature:
			'Int32 EmployeeId, EmployeeAddress Address, Int32 Period, Int32 Year, Boolean UnprotectedMode',
		run: insertAddress,
	},
	Address_Update: {
		service: 'CompanyService',
		documentation: 'Updates the current address of a company.',
		signature: 'Int32 CompanyId, CompanyAddress Address',
		run: updateCompanyAddress,
	},
	...listOperations,
	...otherOperations,
	...componentOperations,
	...payslipOperations,
	...reportOperations,
};

/** Rows with an Id change that record, as far as elements are given; rows without one are new. */
function updateCostCenters(state: State, request: XmlElement, modes: Modes): undefined {
	const employee = employeeOf(state, request);
	const rows = child(request, 'CostCenteren')?.children.map(rowOf) ?? [];
	if (modes.costCenterUpdate === 'replace') {
		employee.costCenters = rows.map((row) => ({ Id: String(state.newId()), ...row }));
		return;
	}
	const changed = [...employee.costCenters];
	for (const row of rows) {
		if (row['Id'] === undefined) {
			changed.push({ Id: String(state.newId()), ...row });
			continue;
		}
		const index = changed.findIndex((existing) => existing['Id'] === row['Id']);
		if (index < 0) throw refusal(`Employee cost center ${row['Id']} does not exist.`);
		changed[index] = merged(changed[index] ?? {}, row, costCenterElements);
	}
	// All or nothing: an unknown row above leaves the employee as it was.
	employee.costCenters = changed;
}

function insertAddress(state: State, request: XmlElement): string {
	const employee = employeeOf(state, request);
	const address = child(request, 'Address');
	if (!address) throw missing('Address');
	const { current } = companyOf(state, employee.companyId);
	const order = (year: number, period: number) => year * 1000 + period;
	const asked = order(int(request, 'Year'), int(request, 'Period'));
	const unprotected = ['true', '1'].includes(child(request, 'UnprotectedMode')?.text.trim() ?? '');
	if (asked < order(current.year, current.period) && !unprotected) {
		throw refusal(
			'The period lies before the current period of the company. ' +
				'Use unprotected mode to insert anyway.',
		);
	}
	const { Id: _given, ...elements } = rowOf(address);
	const id = String(state.newId());
	employee.addresses = [...employee.addresses, { Id: id, ...elements }];
	return id;
}

function updateCompanyAddress(state: State, request: XmlElement): undefined {
	const company = companyOf(state, int(request, 'CompanyId'));
	const address = child(request, 'Address');
	if (!address) throw missing('Address');
	company.address = merged(company.address, rowOf(address), addressElements);
}

const canonical: Record<string, (text: string) => string> = {
	Id: (text) => String(Number(text)),
	Default: (text) => (['1', 'true'].includes(text.trim()) ? 'true' : 'false'),
	Percentage: (text) => text.trim(),
};

/** A record of the request, in the service's own notation of ints and booleans. */
function rowOf(element: XmlElement): Row {
	const value = (part: XmlElement) =>
		part.children.length > 0 ? rowOf(part) : (canonical[part.name]?.(part.text) ?? part.text);
	return Object.fromEntries(element.children.map((part) => [part.name, value(part)]));
}

function merged(existing: Row, changes: Row, order: readonly string[]): Row {
	const both: Row = { ...existing, ...changes };
	for (const [name, before] of Object.entries(existing)) {
		const change = changes[name];
		if (typeof before === 'object' && typeof change === 'object') {
			both[name] = merged(before, change, [...Object.keys(before), ...Object.keys(change)]);
		}
	}
	const known = order.filter((name) => name in both);
	return Object.fromEntries(known.map((name) => [name, both[name] ?? '']));
}
