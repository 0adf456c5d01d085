import { getAddresses } from '../../../dev/package/calls.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ latencyMs: 20 });
const credential = useCredential(payroll, sandbox);
const employees = Array.from({ length: 12 }, (_, i) => ({ id: 1001 + i }));
const run = async () =>
	await payroll.run(
		employees,
		credential.employee({ ...getAddresses, options: { concurrency: 12 } }),
	);

it('serves so many calls at a time, while the others stay open', async () => {
	await sandbox.configure({ workers: 3 });
	const start = performance.now();
	expect((await run()).error).toBeUndefined();
	const milliseconds = performance.now() - start;
	const { maxInFlight, openMs } = await sandbox.stats();
	expect(maxInFlight).toBeGreaterThan(3);
	// Twelve calls of 20 ms by three workers, and the waiting of the others.
	expect(milliseconds).toBeGreaterThanOrEqual(79);
	expect(openMs).toBeGreaterThanOrEqual(3 * (20 + 40 + 60 + 80) - 12);
	await sandbox.configure({ workers: null });
});

it('refuses calls beyond so many that are open', async () => {
	await sandbox.configure({ mostOpen: 5 });
	expect((await run()).error).toBeUndefined();
	const { refused, soapExecuted } = await sandbox.stats();
	expect(refused).toBeGreaterThan(0);
	expect(soapExecuted).toEqual({ Address_GetListCurrent: 12 });
	await sandbox.configure({ mostOpen: null });
});
