/** What tls.test.mts runs: takes a credential and parameters as JSON, and prints what came of them. */
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { Payroll } from '../../../dev/package/payroll.mts';

/** The data of a credential, and an employee's node. */
export type Task = readonly [ICredentialDataDecryptedObject, INodeParameters];

const payroll = await Payroll.load();
const [data, parameters] = JSON.parse(process.argv[2] ?? '') as Task;
const id = await payroll.store(data);
const node = payroll.node('payrollEmployee', id, parameters);
const { error, json } = await payroll.run([{ id: 1001 }], node);
const outcome = {
	message: error?.message,
	description: error?.description,
	items: json('Payroll').length,
	token: await payroll.accessToken(id),
};
export type Outcome = typeof outcome;
process.stdout.write(JSON.stringify(outcome), () => process.exit());
