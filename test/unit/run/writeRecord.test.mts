/** The record of a node's writes: nobody who edits an execution moves its entries. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { Vault } from '../../../nodes/shared/run/vault.ts';
import { WriteRecord, type RecordedCall } from '../../../nodes/shared/run/writeRecord.ts';
import { inNode } from '../../../dev/package/node-context.mts';
import { inputItems } from '../../support/items.mts';
import { usePackage } from '../../support/setUp.mts';

const payroll = usePackage();

const callOf = (item: number, fingerprint = 'values'): RecordedCall => ({
	items: inputItems({}, [item]),
	vault: new Vault('secret'),
	fingerprint,
});

interface Stored {
	written: { calls: Record<number, unknown> };
}

/** Does work with the records of executions, which share what n8n stores of a node. */
async function withRecords<T>(work: (of: (execution: string) => WriteRecord, stored: Stored) => T) {
	return await inNode(payroll, undefined, async (context) => {
		const of = (execution: string): WriteRecord => {
			const changes = { getExecutionId: { value: () => execution } };
			return new WriteRecord(Object.create(context, changes) as IExecuteFunctions);
		};
		const stored = context.getContext('node') as unknown as Stored;
		return await Promise.resolve(work(of, stored));
	});
}

const applied = { records: [{ Id: 1 }], notices: [] };

it.each(['1', '2'])(
	'an entry that was moved to another item is not opened, execution %s',
	async (execution) => {
		const recall = withRecords((of, stored) => {
			of('1').begin(callOf(0)).applied(applied);
			stored.written.calls[1] = stored.written.calls[0];
			return of(execution).recall(callOf(1), 'never');
		});
		await expect(recall).rejects.toMatchObject({ outcome: 'unknown', isRecalled: true });
	},
);

it('an entry that was moved to another execution is not opened, and its own is, also in a retry of a retry', async () => {
	await withRecords((of, stored) => {
		of('7').begin(callOf(0)).applied(applied);
		const moved = stored.written.calls[0];
		delete (stored as Partial<Stored>).written;
		of('1').begin(callOf(1)).applied(applied);
		stored.written.calls[0] = moved;
		expect(() => of('2').recall(callOf(0), 'never')).toThrow(ServiceError);
		for (const execution of ['2', '3']) {
			expect(of(execution).recall(callOf(1), 'never')).toMatchObject({ records: [{ Id: 1 }] });
		}
	});
});

it('a write with other values that is refused with a code leaves known what a run before applied', async () => {
	const outcome = await withRecords((of) => {
		of('1').begin(callOf(0)).applied(applied);
		const refused = new ServiceError('FAULT_CODED', 'refused', '2011: No');
		of('2').begin(callOf(0, 'other')).failed(refused);
		return of('2').earlierOutcome(inputItems({}, [0]));
	});
	expect(outcome).toBe('applied');
});
