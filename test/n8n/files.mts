/** A workflow that reads a file of the service, and sends it to the service again. */
import { randomBytes } from 'node:crypto';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import type { Execution, WorkflowDraft } from '../../dev/n8n/api.mts';
import { chain, payrollNode, type NodeDraft } from '../../dev/n8n/workflow.mts';
import { calledIn, FILES_ROOT, servingFiles } from '../support/file-service.mts';
import type { ScriptedServer } from '../support/scripted.mts';

/** A payslip of 5 MiB. */
export const SLIP = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5 * 2 ** 20)]);

/** Answers calls with the payslip, and uploads with a number. */
export const serveSlip = servingFiles((name) =>
	name === 'Document_Insert' ? '7' : SLIP.toString('base64'),
);

/** What the credential has to be changed to. */
export const atService = ({ url }: ScriptedServer) => ({ soapUrl: url, soapNamespace: FILES_ROOT });

function calling(name: string, value: INodeParameters, options: INodeParameters): NodeDraft {
	const parameters = {
		...{ resource: 'custom', operation: 'call', options },
		operationName: { __rl: true, mode: 'list', value: name },
		operationParameters: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
	} as unknown as INodeParameters;
	return payrollNode('payrollEmployee', parameters, { name });
}

/** Reads a payslip and uploads it. */
export function roundTrip(name: string, trigger: NodeDraft): WorkflowDraft {
	const file = { outputPropertyName: 'slip', onlyReads: true };
	return chain(
		name,
		trigger,
		calling('Payslip_Get', { EmployeeId: 1001 }, file),
		calling('Document_Insert', { EmployeeId: 1001, 'Document.Content': 'slip' }, {}),
	);
}

/** The file of the execution's item, as n8n keeps it. */
export function fileOf(execution: Execution): IBinaryData | undefined {
	return execution.runs('Payslip_Get')[0]?.data?.main?.[0]?.[0]?.binary?.slip;
}

/** Whether each upload that arrived has the payslip, byte by byte. */
export function uploads({ received }: ScriptedServer): boolean[] {
	return received
		.filter(({ body }) => calledIn(body) === 'Document_Insert')
		.map(({ body }) => {
			const [, content = ''] = /<Content>([^<]*)</.exec(body) ?? [];
			return Buffer.from(content, 'base64').equals(SLIP);
		});
}
