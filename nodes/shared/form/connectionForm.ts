/** The forms of the operations on the connection itself. */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ScalarField } from '../contract/fields';
import { revocationConfirmed, triedCompany, triedEmployee } from '../contract/identity';
import { at, InputError } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { parameterName } from './names';
import { requestProperties } from './requestForm';
import { checkScalar } from './requestValues';

const COMPANY = 'companyId';
const EMPLOYEE = 'EmployeeId';
const CONFIRMED = 'confirmed';

/** The company and the employee to try the connection with, which may be left empty. */
export const triedProperties: readonly INodeProperties[] = [
	...requestProperties({ [COMPANY]: triedCompany }),
	...requestProperties({ [EMPLOYEE]: triedEmployee }),
].map((property) => ({ ...property, required: false }));

/** The switch that has to be on before the connection is ended. */
export const confirmationProperties: readonly INodeProperties[] = requestProperties({
	[CONFIRMED]: revocationConfirmed,
	// Neither an expression nor n8n's "let the model define this parameter".
}).map((property) => ({ ...property, noDataExpression: true, hint: revocationConfirmed.hint }));

/** The value of a field that may be left empty; `undefined` if it is. */
function readTried(
	context: IExecuteFunctions,
	name: string,
	field: ScalarField,
	itemIndex: number,
): unknown {
	const value = context.getNodeParameter(parameterName(name), itemIndex, '') as unknown;
	return isEmpty(value) ? undefined : at(name, () => checkScalar(value, field));
}

/**
 * Reads the company to try the REST API with; `undefined` where there is none.
 *
 * @throws {InputError} where it is no text
 */
export function readCompany(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const company = readTried(context, COMPANY, triedCompany, itemIndex);
	return company === undefined ? undefined : String(company).trim();
}

/**
 * Reads the employee to try the SOAP services with; `undefined` where there is none.
 *
 * @throws {InputError} where it is no whole number
 */
export function readEmployee(context: IExecuteFunctions, itemIndex: number): number | undefined {
	const employee = readTried(context, EMPLOYEE, triedEmployee, itemIndex);
	return employee === undefined ? undefined : Number(employee);
}

/**
 * Sees to it that whoever built the workflow has confirmed the end of the connection. The parameter
 * is looked at as it is stored: what an expression gives may come from an item or from an AI model.
 *
 * @throws {InputError} naming the switch
 */
export function requireConfirmation(context: IExecuteFunctions): void {
	const confirmed: unknown = context.getNode().parameters[CONFIRMED];
	if (confirmed === true) return;
	const name = `'${revocationConfirmed.label}'`;
	throw new InputError([
		{
			path: [],
			text:
				typeof confirmed === 'string'
					? `The switch ${name} takes no expression. Turn it on by hand.`
					: `Turn on the switch ${name}.`,
		},
	]);
}
