/** Files in queue mode: n8n 2 keeps them in its database, n8n 1 in memory. */
import { newestN8n } from '../../../dev/n8n/install.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { atService, fileOf, roundTrip, serveSlip, uploads } from '../files.mts';
import { webhook } from '../nodes.mts';
import { callOnceRegistered, succeeded, versions } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

describe.each(versions)('n8n %s in queue mode', (version) => {
	const service = useScriptedServer();
	const cluster = useCluster(version, {});

	test('a worker saves a payslip of 5 MiB, and uploads it byte by byte', async () => {
		service.play(serveSlip);
		const { api, credential, main } = cluster;
		await api.updateCredential(credential, atService(service));
		const draft = roundTrip('Files', webhook('files'));
		const id = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		await api.activate(id);
		await callOnceRegistered(main, 'files');
		const [execution] = await api.ended(id, 1);
		const file = fileOf(succeeded(execution));
		expect(uploads(service)).toEqual([true]);
		expect(file).toMatchObject({ fileName: 'Payslip_Get-1001.pdf', mimeType: 'application/pdf' });
		expect(file?.data === 'database').toBe(version === newestN8n);
	});
});
