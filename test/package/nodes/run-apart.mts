/** What apart.mts runs: takes a list of credentials and parameters as JSON, and prints the results. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { Payroll } from '../../../dev/package/payroll.mts';

/** An employee's node, and the data of its credential. */
export type Task = readonly [ICredentialDataDecryptedObject, INodeParameters];

const payroll = await Payroll.load();

const run = async ([data, parameters]: Task) => {
	const id = await payroll.store(data);
	const node = payroll.node('payrollEmployee', id, parameters);
	const { error, json } = await payroll.run([{ id: 1001 }], node);
	const { message, description, context } = error ?? {};
	const known = context?.data as IDataObject | undefined;
	const items = json('Payroll').length;
	return { message, description, ...known, items, token: await payroll.accessToken(id) };
};

const tasks = JSON.parse(process.argv[2] ?? '') as Task[];
const results = [];
for (const task of tasks) results.push(await run(task));
process.stdout.write(JSON.stringify(results), () => process.exit());
