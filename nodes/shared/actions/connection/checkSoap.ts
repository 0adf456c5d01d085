/** The part of a connection check that calls the SOAP services and interprets their faults. */
import { addressGetListCurrent } from '../../contract/operations';
import type { Connection } from '../../credential/connection';
import { adviceOnFault } from '../../errors/advice';
import { fill, ServiceError, texts } from '../../errors/ServiceError';
import type { Reader } from '../../exchange/exchange';
import { callElements } from '../../soap/call';
import { serviceNamespace, writeRequest } from '../../soap/envelope';
import type { Fault } from '../../soap/fault';
import { readEnvelope } from '../../soap/response';
import { attempted } from './attempted';

/** The result of the trial call. */
export type SoapTrial =
	| { readonly ok: true; readonly httpStatus: number; readonly refusal?: ServiceError }
	/** `null` if the fault may be about the employee or about the credential. */
	| { readonly ok: false | null; readonly failure: ServiceError };

/** Used if no employee is given. 0 is the default of a number in .NET, so probably nobody's Id. */
const NO_EMPLOYEE = 0;

/** Matches faults about the employee, but not the service name `EmployeeService`. */
const ABOUT_EMPLOYEE = /employee(?!service)|medewerker|werknemer|\bid(?:entifier)?\W{0,3}0\b/i;

/** Matches faults that are or may be about the credential. Their texts are not specified. */
const ABOUT_ACCESS =
	/token|\bkeys?\b|sleutel|scope|authori[sz]|autoris|permission|\brights?\b|recht|\baccess|toegang|denied|geweigerd|forbidden|log ?in|password|wachtwoord|licen[sc]|namespace|\bversion|\bversie|SOAP/i;

/** Whether a fault is about the employee, and not possibly about the credential. */
function isAboutEmployee({ code, message }: Fault): boolean {
	const mayBeAboutAccess =
		adviceOnFault(`${code}\n${message}`) !== undefined || ABOUT_ACCESS.test(message);
	return ABOUT_EMPLOYEE.test(message) && !mayBeAboutAccess;
}

/** Whether the call failed with a fault that no field of the credential explains. */
function isUnattributed(failure: ServiceError, { code, message }: Fault): boolean {
	const byFault = failure.kind === 'faultRefused' || failure.kind === 'faultUnclear';
	return byFault && adviceOnFault(`${code}\n${message}`) === undefined;
}

/**
 * Reads the addresses of an employee, a call whose only parameter is the employee
 * (docs/interface.md, section 4.3).
 *
 * Without an employee, it reads those of employee 0, who should not exist. If the service refuses
 * that employee, then host, namespace and SOAP version are right, and neither the Domain nor a key
 * was refused first.
 *
 * @throws {CancelledError} if the user cancelled the run
 */
export async function trySoap(
	exchange: Reader,
	connection: Connection,
	employeeId: number | undefined,
): Promise<SoapTrial> {
	const operation = addressGetListCurrent;
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const children = writeRequest(operation, { EmployeeId: employeeId ?? NO_EMPLOYEE });
	let fault: Fault | undefined;
	const { failure } = await attempted(async () => {
		await callElements(exchange, connection, operation, children, (text) => {
			fault = undefined;
			const answer = readEnvelope(operation, namespace, text);
			if (answer.kind === 'fault') fault = answer.fault;
			return answer;
		});
	});
	if (failure === undefined) return { ok: true, httpStatus: 200 };
	return interpretFailure(failure, fault, employeeId !== undefined);
}

/** Returns the error of a fault with the texts of one about the employee. */
function explained(
	{ kind, message, httpStatus = 200, serviceCode, details }: ServiceError,
	{ title, advice }: (typeof texts.check)['employee' | 'undecided'],
): ServiceError {
	const description = advice;
	return new ServiceError(kind, fill(title, { fault: message }), {
		description,
		httpStatus,
		serviceCode,
		details,
	});
}

/** Interprets a failed call. */
function interpretFailure(
	failure: ServiceError,
	fault: Fault | undefined,
	isEmployeeGiven: boolean,
): SoapTrial {
	if (fault === undefined || !isUnattributed(failure, fault)) return { ok: false, failure };
	const isAboutIt = isAboutEmployee(fault);
	if (isEmployeeGiven) {
		if (!isAboutIt) return { ok: false, failure };
		return { ok: false, failure: explained(failure, texts.check.employee) };
	}
	if (isAboutIt) return { ok: true, httpStatus: failure.httpStatus ?? 200, refusal: failure };
	return { ok: null, failure: explained(failure, texts.check.undecided) };
}
