/** Whether the SOAP services can be called: the part of a check of the connection that takes most to tell. */
import { addressGetListCurrent } from '../contract/operations';
import { adviceOnFault } from '../errors/advice';
import { ServiceError } from '../errors/ServiceError';
import { callElements } from '../soap/call';
import { serviceNamespace, writeRequest } from '../soap/envelope';
import type { Fault } from '../soap/fault';
import { readEnvelope } from '../soap/response';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import { attempted } from './attempted';

/** What came of a call. */
export type SoapTrial =
	| { readonly ok: true; readonly httpStatus: number; readonly refusal?: ServiceError }
	/** `null` if a fault came back that may be about the employee, or about the credential. */
	| { readonly ok: false | null; readonly failure: ServiceError };

/** Asked for if no employee is given: the default of a number in .NET, so hardly the identifier of anyone. */
const NO_EMPLOYEE = 0;

/** A fault that is about the employee, who is not to be confused with the `EmployeeService`. */
const ABOUT_EMPLOYEE = /employee(?!service)|medewerker|werknemer|\bid(?:entifier)?\W{0,3}0\b/i;

/** A fault that is, or may be, about what the credential holds. Its words are not specified. */
const ABOUT_ACCESS =
	/token|\bkeys?\b|sleutel|scope|authori[sz]|autoris|permission|\brights?\b|recht|\baccess|toegang|denied|geweigerd|forbidden|log ?in|password|wachtwoord|licen[sc]|namespace|\bversion|\bversie|SOAP/i;

/** Whether a fault is about the employee alone. */
function isAboutEmployee({ code, message }: Fault): boolean {
	const mayBeAboutAccess =
		adviceOnFault(`${code}\n${message}`) !== undefined || ABOUT_ACCESS.test(message);
	return ABOUT_EMPLOYEE.test(message) && !mayBeAboutAccess;
}

/** Whether the call failed by a fault that says nothing about the credential. */
function isUnattributed(failure: ServiceError, { code, message }: Fault): boolean {
	const byFault = failure.kind === 'faultRefused' || failure.kind === 'faultUnclear';
	return byFault && adviceOnFault(`${code}\n${message}`) === undefined;
}

/**
 * Reads the addresses of an employee, a call that needs nothing but the employee.
 *
 * Without one it asks for an employee that does not exist. A refusal of that employee shows that
 * address, namespace and version are right, and that neither the Domain nor a key was refused first.
 *
 * @throws {CancelledError} where the user cancelled the run
 */
export async function trySoap(
	exchange: Exchange,
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
	return judged(failure, fault, employeeId !== undefined);
}

/** What a failed call says about the connection. */
function judged(
	failure: ServiceError,
	fault: Fault | undefined,
	isEmployeeGiven: boolean,
): SoapTrial {
	if (fault === undefined || !isUnattributed(failure, fault)) return { ok: false, failure };
	const { message, kind, httpStatus = 200, serviceCode, details } = failure;
	const isAboutIt = isAboutEmployee(fault);
	if (isEmployeeGiven) {
		if (!isAboutIt) return { ok: false, failure };
		const description =
			"The SOAP services answered, and refused this employee. Check 'Employee ID', and whether the employee belongs to the 'Domain' of the credential.";
		return {
			ok: false,
			failure: new ServiceError(kind, message, { description, httpStatus, serviceCode, details }),
		};
	}
	if (isAboutIt) return { ok: true, httpStatus, refusal: failure };
	return {
		ok: null,
		failure: new ServiceError(
			kind,
			`The service answered with a fault that may be about the employee: ${message}`,
			{
				description: "Give an 'Employee ID' to find out.",
				httpStatus,
				serviceCode,
				details,
			},
		),
	};
}
