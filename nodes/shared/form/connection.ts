/** The forms of the operations on the connection itself. */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { revocationConfirmed, triedCompany } from '../contract/identity';
import { InputError } from '../errors/InputError';
import { requestProperties } from './properties';
import { checkScalar } from './request';

const COMPANY = 'companyId';
const CONFIRMED = 'confirmed';

/** The company to try the REST API with, which may be left empty. */
export const companyProperties: readonly INodeProperties[] = requestProperties({
	[COMPANY]: triedCompany,
}).map((property) => ({ ...property, required: false }));

/** The switch that has to be on before the connection is ended. */
export const confirmationProperties: readonly INodeProperties[] = requestProperties({
	[CONFIRMED]: revocationConfirmed,
	// Neither an expression nor n8n's "let the model define this parameter".
}).map((property) => ({ ...property, noDataExpression: true, hint: revocationConfirmed.hint }));

/**
 * Reads the company to try the REST API with; `undefined` where there is none.
 *
 * @throws {InputError} where it is no text
 */
export function readCompany(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const value = context.getNodeParameter(COMPANY, itemIndex, '') as unknown;
	if (value === null || value === undefined) return undefined;
	const company = String(checkScalar(value, COMPANY, triedCompany)).trim();
	return company === '' ? undefined : company;
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
	const expected = typeof confirmed === 'string' ? 'the switch itself, no expression' : 'true';
	throw new InputError(revocationConfirmed.label, expected, confirmed ?? false);
}
