/**
 * Reads an employee's addresses in a process of its own, which reads its proxy and certificate
 * authorities from the environment at its start. Takes a credential as JSON; prints the result.
 */
import { getAddresses } from '../../../dev/package/calls.mts';
import { Payroll } from '../../../dev/package/payroll.mts';

const payroll = await Payroll.load();
const id = await payroll.store(JSON.parse(process.argv[2] ?? ''));
const { error, json } = await payroll.run(
	[{ id: 1001 }],
	payroll.node('payrollEmployee', id, getAddresses),
);
const { message, description } = error ?? {};
const items = json('Payroll').length;
const token = await payroll.accessToken(id);
process.stdout.write(JSON.stringify({ message, description, items, token }), () => process.exit());
