/**
 * What a real n8n makes of failures after a write was carried out, with Retry On Fail. No answer of the
 * service is one of the sandbox.
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../../dev/n8n/api.mts';
import { createAddress, updateCostCenters } from '../../dev/package/calls.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { closedPort } from '../support/scripted.mts';
import { Pending } from '../support/setUp.mts';
import { openTlsFront, type TlsFront } from '../support/tls-front.mts';
import { employees } from './nodes.mts';
import { INSTALLING, PATIENCE, useStage, versions } from './setUp.mts';
import { PlainService, serverFault, unavailable, type Answer } from '../support/plain-service.mts';

jest.setTimeout(10 * 60_000);

const onward = {
	...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
	onError: 'continueRegularOutput',
} as const;

const operations = { 'Address: Create': createAddress, 'Cost Center: Update': updateCostCenters };

const commitTrace =
	'System.Exception: Timeout expired while committing\n   at TWK.Payroll.Data.UnitOfWork.Commit()';

/** What follows the write, the outcome that the error says, and its title. */
const rows: ReadonlyArray<readonly [string, Answer, 'refused' | 'unknown', string]> = [
	[
		'a code',
		serverFault('1205: Transaction was deadlocked after the address was inserted'),
		'refused',
		'1205: Transaction was deadlocked after the address was inserted',
	],
	[
		'a trace that mentions TWK',
		serverFault(commitTrace),
		'unknown',
		'Timeout expired while committing',
	],
];

describe.each(versions)('n8n %s', (version) => {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-outcomes-'));
	const certificate = join(folder, 'certificate.pem');
	const service = new Pending<PlainService & { readonly url: string }>('service');
	/** By operation, since one that has damaged a record does so for good. */
	const fronts = new Map<string, TlsFront>();

	beforeAll(async () => {
		service.is(await PlainService.start());
		for (const operation of Object.keys(operations)) {
			const fault = { onAnswer: 'corrupt record' } as const;
			const front = await openTlsFront(service.object.url, ['127.0.0.1'], fault);
			fronts.set(operation, front);
			appendFileSync(certificate, `${front.certificate}\n`);
		}
	}, INSTALLING);
	const stage = useStage({ version, env: { NODE_EXTRA_CA_CERTS: certificate } });
	afterAll(async () => {
		for (const front of fronts.values()) await front.close();
		await service.object.close();
		rmSync(folder, { recursive: true });
	});
	beforeEach(async () => {
		service.object.reset();
		await useAddress(service.object.url);
	});

	async function useAddress(soapUrl: string): Promise<void> {
		await stage.api.updateCredential(stage.credential, { soapUrl });
	}

	/** Runs an operation for one employee. */
	async function run(
		operation: keyof typeof operations,
		more: object = onward,
		verify = false,
	): Promise<Execution> {
		const node = payrollNode('payrollEmployee', { ...operations[operation], verify }, more);
		const id = await stage.create(chain(operation, manualTrigger, ...employees(1001), node));
		return await stage.api.run(id, { timeout: PATIENCE });
	}

	/** The error of the one item of a run. */
	const failure = (execution: Execution): IDataObject => {
		const [item] = execution.items('Payroll');
		return item?.error as IDataObject;
	};

	describe.each(Object.keys(operations) as Array<keyof typeof operations>)('%s', (operation) => {
		it.each(rows)('is sent once, if it ends with %s', async (_, answer, outcome, message) => {
			service.object.behaviour = { answer, reads: unavailable };
			const error = failure(await run(operation));
			expect(service.object.writes()).toBe(1);
			expect(error).toMatchObject({ message, outcome });
			expect(error.description).not.toMatch(/was not applied|Unprotected Mode/);
		});

		it('is in doubt, and sent once, if the record of TLS with the answer is corrupt', async () => {
			await useAddress(`https://127.0.0.1:${fronts.get(operation)?.port}`);
			const error = failure(await run(operation));
			// What is read before an update is corrupt already: nothing is written.
			const isRead = operation === 'Cost Center: Update';
			expect(service.object.writes()).toBe(isRead ? 0 : 1);
			const outcome = isRead ? 'notApplied' : 'unknown';
			expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome });
		});

		it('was not applied if the connection was refused', async () => {
			await useAddress(`http://127.0.0.1:${await closedPort()}`);
			const error = failure(await run(operation));
			expect(service.object.calls).toEqual([]);
			expect(error).toMatchObject({ code: 'NOT_REACHED', outcome: 'notApplied' });
		});
	});
});
