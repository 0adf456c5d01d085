/** Files in a real n8n of each version, where it keeps them by default and where it can be told to. */
import { randomBytes } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { N8nVersion } from '../../dev/n8n/host.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { calledIn, FILES_ROOT, servingFiles } from '../support/file-service.mts';
import { useScriptedServer } from '../support/setUp.mts';
import { succeeded, useStage, versions } from './setUp.mts';

/** A payslip of 5 MiB. */
const SLIP = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5 * 2 ** 20)]);

function calling(name: string, value: INodeParameters, options: INodeParameters) {
	const parameters = {
		...{ resource: 'custom', operation: 'call', options },
		operationName: { __rl: true, mode: 'list', value: name },
		operationParameters: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
	} as unknown as INodeParameters;
	return payrollNode('payrollEmployee', parameters, { name });
}

/** Reads the payslip and uploads it. */
const roundTrip = chain(
	'Files',
	manualTrigger,
	calling('Payslip_Get', { EmployeeId: 1001 }, { outputPropertyName: 'slip', onlyReads: true }),
	calling('Document_Insert', { EmployeeId: 1001, 'Document.Content': 'slip' }, {}),
);

/** n8n 1 keeps files in memory by default, n8n 2 in the file system. */
const cases = versions.flatMap((version) => {
	const modes = version.startsWith('1.') ? ['default', 'filesystem'] : ['filesystem'];
	return modes.map((mode): readonly [N8nVersion, string] => [version, mode]);
});

describe.each(cases)('n8n %s with files in %s', (version, mode) => {
	const service = useScriptedServer();
	const stage = useStage({ version, env: { N8N_DEFAULT_BINARY_DATA_MODE: mode } });

	it('a payslip of 5 MiB is saved, shown and uploaded byte by byte', async () => {
		const answer = (name: string) => (name === 'Document_Insert' ? '7' : SLIP.toString('base64'));
		const { api } = stage;
		service.play(servingFiles(answer));
		await api.updateCredential(stage.credential, {
			soapUrl: service.url,
			soapNamespace: FILES_ROOT,
		});
		const execution = succeeded(await api.run(await stage.create(roundTrip)));
		expect(execution.items('Document_Insert')).toEqual([{ EmployeeId: 1001, Result: 7 }]);
		const [upload, ...others] = service.received.filter(
			({ body }) => calledIn(body) === 'Document_Insert',
		);
		expect(others).toEqual([]);
		const content = /<Content>([^<]*)</.exec(upload?.body ?? '')?.[1] ?? '';
		expect(Buffer.from(content, 'base64').equals(SLIP)).toBe(true);

		const file = execution.runs('Payslip_Get')[0]?.data?.main?.[0]?.[0]?.binary?.slip;
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
