/** The forms of the operations Connection: Check and Connection: Revoke. */
import type { INodeProperties } from 'n8n-workflow';
import type { ScalarField } from '../../contract/fields';
import { revocationConfirmed, triedCompany, triedEmployee } from '../../contract/identity';
import { at, fill, InputError, texts } from '../../errors/InputError';
import { isEmpty } from '../../errors/words';
import type { InputItem } from '../../form/inputItem';
import { parameterName } from '../../form/names';
import { requestProperties } from '../../form/requestForm';
import { checkScalar } from '../../form/requestValues';

const COMPANY = 'companyId';
const EMPLOYEE = 'EmployeeId';
const CONFIRMED = 'confirmed';

/** The optional company and employee of a connection check. */
export const triedProperties: readonly INodeProperties[] = [
	...requestProperties({ [COMPANY]: triedCompany }),
	...requestProperties({ [EMPLOYEE]: triedEmployee }),
].map((property) => ({ ...property, required: false }));

/** The switch that confirms that the connection is to be ended. */
export const confirmationProperties: readonly INodeProperties[] = requestProperties({
	[CONFIRMED]: revocationConfirmed,
	// Allow neither an expression nor n8n's "let the model define this parameter".
}).map((property) => ({ ...property, noDataExpression: true, hint: revocationConfirmed.hint }));

/** Reads an optional field; `undefined` if it is empty. */
function readTried(item: InputItem, name: string, field: ScalarField): unknown {
	const value = item.read(parameterName(name), '');
	return isEmpty(value) ? undefined : at(name, () => checkScalar(value, field));
}

/**
 * Reads the company to call the REST API with; `undefined` if the field is empty.
 *
 * @throws {InputError} if the value is not a text
 */
export function readCompany(item: InputItem): string | undefined {
	const company = readTried(item, COMPANY, triedCompany);
	return company === undefined ? undefined : String(company).trim();
}

/**
 * Reads the employee to call the SOAP services with; `undefined` if the field is empty.
 *
 * @throws {InputError} if the value is not a 32-bit integer
 */
export function readEmployee(item: InputItem): number | undefined {
	const employee = readTried(item, EMPLOYEE, triedEmployee);
	return employee === undefined ? undefined : Number(employee);
}

/**
 * Ensures that the builder has confirmed that the connection ends. It reads the stored parameter
 * without evaluating it: an expression's value may come from an item or an AI model.
 *
 * @throws {InputError} naming the switch, if it is off or an expression
 */
export function requireConfirmation(item: InputItem): void {
	const confirmed = item.stored(CONFIRMED);
	if (confirmed === true) return;
	const name = `'${revocationConfirmed.label}'`;
	const template =
		typeof confirmed === 'string' ? texts.values.switchExpression : texts.values.switchOff;
	throw new InputError([{ path: [], text: fill(template, { name }) }]);
}
