/** The part of a connection check that calls the SOAP services and interprets their faults. */
import { addressGetListCurrent } from '../../contract/operations';
import { fill, ServiceError, texts } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import { callSoap } from '../../soap/call';
import { trial, type Part } from './part';

/** Used if no employee is given. 0 is the default of a number in .NET, so probably nobody's Id. */
const NO_EMPLOYEE = 0;

/** Matches faults about the employee, but not the service name `EmployeeService`. */
const ABOUT_EMPLOYEE = /employee(?!service)|medewerker|werknemer|\bid(?:entifier)?\W{0,3}0\b/i;

/** Matches faults that are or may be about the credential. Their texts are not specified. */
const ABOUT_ACCESS =
	/token|\bkeys?\b|sleutel|scope|authori[sz]|autoris|permission|\brights?\b|recht|\baccess|toegang|denied|geweigerd|forbidden|log ?in|password|wachtwoord|licen[sc]|namespace|\bversion|\bversie|SOAP/i;

/** The advice on a fault that no field of the credential explains. */
const UNEXPLAINED: readonly unknown[] = [
	texts.refused.fault.advice,
	texts.refused.unclearFault.advice,
];

/** Whether the call failed with a fault that no field of the credential explains. */
function isUnexplained({ kind, description }: ServiceError): boolean {
	return (kind === 'faultRefused' || kind === 'faultUnclear') && UNEXPLAINED.includes(description);
}

/** Returns the error of a fault with the texts of one about the employee. */
function explained(
	failure: ServiceError,
	{ title, advice }: (typeof texts.check)['employee' | 'undecided'],
): ServiceError {
	return new ServiceError(failure.kind, fill(title, { fault: failure.message }), {
		...failure,
		description: advice,
		isTransient: false,
	});
}

/**
 * Reads the addresses of an employee, a call whose only parameter is the employee
 * (docs/dev/interface.md, section 4.3).
 *
 * Without an employee, it reads those of employee 0, who should not exist. If the service refuses
 * that employee, then host, namespace and SOAP version are right, and neither the Domain nor a key
 * was refused first.
 *
 * @returns the part of the check; `ok` is `null` if a fault may be about the employee or about the
 * credential
 * @throws {CancelledError} if the user cancelled the run
 */
export async function checkSoap(
	{ exchange, connection }: ServiceAccess,
	employeeId: number | undefined,
): Promise<Part> {
	const request = { EmployeeId: employeeId ?? NO_EMPLOYEE };
	const { failure } = await trial(callSoap(exchange, connection, addressGetListCurrent, request));
	if (failure === undefined) return [{ httpStatus: 200 }];
	const values = { httpStatus: null };
	if (!isUnexplained(failure)) return [values, failure];
	const { message: fault, httpStatus } = failure;
	const isAboutEmployee = ABOUT_EMPLOYEE.test(fault) && !ABOUT_ACCESS.test(fault);
	if (employeeId !== undefined) {
		return [values, isAboutEmployee ? explained(failure, texts.check.employee) : failure];
	}
	if (isAboutEmployee) return [{ httpStatus, message: fill(texts.check.noEmployee, { fault }) }];
	return [{ ok: null, ...values }, explained(failure, texts.check.undecided)];
}
