/** Runs a check of the connection, for the tests of its parts. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Account } from '../../../dev/package/account.mts';
import type { Result } from '../../../dev/engine/index.mts';
import { checkConnection } from '../../../dev/package/calls.mts';

/** Checks an account's connection, with the company of each input item. */
export async function runCheck(
	{ payroll, credential }: Account,
	parameters: INodeParameters = {},
	input: IDataObject[] = [{ id: 100 }],
): Promise<Result> {
	const all = { ...checkConnection, ...parameters };
	return await payroll.run(input, payroll.node('payrollCompany', credential, all));
}

/** The one item of a check, which never ends with an error. */
export async function checkedItem(
	account: Account,
	parameters: INodeParameters = {},
): Promise<IDataObject> {
	const { error, json } = await runCheck(account, parameters);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toHaveLength(1);
	return json('Payroll')[0] ?? {};
}
