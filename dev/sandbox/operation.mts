/** What an operation of the sandbox is, and what it does with a request's parameters. */
import type { Modes } from './options.mts';
import type { EmployeeRecords } from './records.mts';
import type { Service } from './schemas.mts';
import type { Company, Employee, Row, State } from './state.mts';
import type { XmlElement } from './xml.mts';

/** An exception inside the service, as .NET names it. */
export class ServiceException extends Error {
	constructor(
		message: string,
		readonly type = 'System.Exception',
	) {
		super(message);
	}
}

/**
 * A result: a scalar, rows named by their type, a record, or the elements of the response; undefined for an
 * empty response element.
 */
export type Result =
	| string
	| { type: string; rows: readonly Row[] }
	| { record: Row }
	| { elements: readonly XmlElement[] }
	| undefined;

export interface Operation {
	service: Service;
	/** What the service's description says about it. */
	documentation: string;
	/** Parameters as a .NET stack trace shows them. */
	signature: string;
	run(state: State, request: XmlElement, modes: Modes): Result;
}

/** The exception by which the service refuses a call (docs/dev/interface.md, section 7). */
export function refusal(message: string): ServiceException {
	return new ServiceException(`TWK exception: ${message}`);
}

/** The exception for a parameter that is not given. */
export function missing(parameter: string): ServiceException {
	const message = `Value cannot be null. Parameter name: ${parameter}`;
	return new ServiceException(message, 'System.ArgumentNullException');
}

/** The employee that a request names. */
export function employeeOf(state: State, request: XmlElement): Employee {
	const id = int(request, 'EmployeeId');
	const employee = state.employees.get(id);
	if (!employee) throw refusal(`Employee ${id} does not exist.`);
	return employee;
}

/** A company. */
export function companyOf(state: State, id: number): Company {
	const company = state.companies.get(id);
	if (!company) throw refusal(`Company ${id} does not exist.`);
	return company;
}

/** The child of a name. */
export function child(element: XmlElement, name: string): XmlElement | undefined {
	return element.children.find((candidate) => candidate.name === name);
}

/** An int parameter; one that is left out is 0, as .NET's default is. */
export function int(request: XmlElement, name: string): number {
	return Number(child(request, name)?.text ?? '0');
}

/** A text parameter; one that is left out or nil is empty. */
export function text(element: XmlElement, name: string): string {
	return child(element, name)?.text.trim() ?? '';
}

/** A parameter that has to be given. */
export function needed(request: XmlElement, name: string): XmlElement {
	const found = child(request, name);
	if (!found) throw missing(name);
	return found;
}

/** What only operations beyond docs/dev/interface.md know of the employee that a request names. */
export function employeeRecords(state: State, request: XmlElement): EmployeeRecords {
	employeeOf(state, request);
	return state.records.employee(int(request, 'EmployeeId'));
}

/** Name of the element for the result of a request. */
export function resultOf(request: XmlElement): string {
	return `${request.name}Result`;
}

/** A new element in the namespace of another. */
export function make(like: XmlElement, name: string, content: string | XmlElement[]): XmlElement {
	const { namespace } = like;
	const inside =
		typeof content === 'string' ? { children: [], text: content } : { children: content, text: '' };
	return { namespace, name, attributes: new Map(), ...inside };
}
