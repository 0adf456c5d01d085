/** Files in a real n8n of each version, where it keeps them by default and where it can be told to. */
import type { N8nVersion } from '../../dev/n8n/host.mts';
import { manualTrigger } from '../../dev/n8n/workflow.mts';
import { useScriptedServer } from '../support/setUp.mts';
import { atService, fileOf, roundTrip, serveSlip, SLIP, uploads } from './files.mts';
import { succeeded, useStage, versions } from './setUp.mts';

/** n8n 1 keeps files in memory by default, n8n 2 in the file system. */
const cases = versions.flatMap((version) => {
	const modes = version.startsWith('1.') ? ['default', 'filesystem'] : ['filesystem'];
	return modes.map((mode): readonly [N8nVersion, string] => [version, mode]);
});

describe.each(cases)('n8n %s with files in %s', (version, mode) => {
	const service = useScriptedServer();
	const stage = useStage({ version, env: { N8N_DEFAULT_BINARY_DATA_MODE: mode } });

	it('a payslip of 5 MiB is saved, shown and uploaded byte by byte', async () => {
		service.play(serveSlip);
		const { api, credential } = stage;
		await api.updateCredential(credential, atService(service));
		const execution = succeeded(
			await api.run(await stage.create(roundTrip('Files', manualTrigger))),
		);
		expect(execution.items('Document_Insert')).toEqual([{ EmployeeId: 1001, Result: 7 }]);
		expect(uploads(service)).toEqual([true]);
		const file = fileOf(execution);
		expect(file).toMatchObject({ fileName: 'Payslip_Get-1001.pdf', mimeType: 'application/pdf' });
		if (mode === 'default') {
			expect(Buffer.from(file?.data ?? '', 'base64').equals(SLIP)).toBe(true);
			return;
		}
		const query = new URLSearchParams({ id: file?.id ?? '', action: 'download' });
		const shown = await api.session.fetch(`/rest/binary-data?${query}`);
		expect(Buffer.from(await shown.arrayBuffer()).equals(SLIP)).toBe(true);
	});
});
