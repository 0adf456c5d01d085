/** How a real n8n reports a connection that fails, before and after a write was carried out, with Retry On Fail. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { createAddress } from '../../dev/package/calls.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { PlainService } from '../support/plain-service.mts';
import { closedPort } from '../support/scripted.mts';
import { Pending } from '../support/setUp.mts';
import { openTlsFront, type TlsFront } from '../support/tls-front.mts';
import { employees } from './nodes.mts';
import { INSTALLING, PATIENCE, useStage, versions } from './setUp.mts';

jest.setTimeout(10 * 60_000);

const onward = {
	...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
	onError: 'continueRegularOutput',
} as const;

describe.each(versions)('n8n %s', (version) => {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-outcomes-'));
	const certificate = join(folder, 'certificate.pem');
	const service = new Pending<PlainService & { readonly url: string }>('service');
	let front: TlsFront;

	beforeAll(async () => {
		service.is(await PlainService.start());
		front = await openTlsFront(service.object.url, ['127.0.0.1'], { onAnswer: 'corrupt record' });
		writeFileSync(certificate, front.certificate);
	}, INSTALLING);
	const stage = useStage({ version, env: { NODE_EXTRA_CA_CERTS: certificate } });
	afterAll(async () => {
		await front.close();
		await service.object.close();
		rmSync(folder, { recursive: true });
	});

	/** The error of an insert at an address. */
	async function failure(soapUrl: string): Promise<IDataObject> {
		service.object.reset();
		await stage.api.updateCredential(stage.credential, { soapUrl });
		const node = payrollNode('payrollEmployee', { ...createAddress, verify: false }, onward);
		const id = await stage.create(chain('Create', manualTrigger, ...employees(1001), node));
		const [item] = (await stage.api.run(id, { timeout: PATIENCE })).items('Payroll');
		return item?.error as IDataObject;
	}

	it('a write is in doubt, and sent once, if the record of TLS with the answer is corrupt', async () => {
		const error = await failure(`https://127.0.0.1:${front.port}`);
		expect(service.object.writes()).toBe(1);
		expect(error).toMatchObject({ code: 'CONNECTION_LOST', outcome: 'unknown' });
	});

	it('a write was not applied if the connection was refused', async () => {
		const error = await failure(`http://127.0.0.1:${await closedPort()}`);
		expect(error).toMatchObject({ code: 'NOT_REACHED', outcome: 'notApplied' });
	});
});
