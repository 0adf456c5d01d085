/** Batches of 10,000 items that all fail: every error comes out, and n8n's editor is answered meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { Execution } from '../../dev/n8n/api.mts';
import {
	chain,
	itemsNode,
	manualTrigger,
	payrollNode,
	type NodeDraft,
} from '../../dev/n8n/workflow.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { replying } from '../support/scripted.mts';
import { useScriptedServer } from '../support/setUp.mts';
import { succeeded, useStage, versions } from './setUp.mts';

jest.setTimeout(10 * 60_000);

/**
 * How much longer the editor may wait for an answer than with n8n's own nodes, in milliseconds. One piece of work that
 * grows with the items, or with the items and the Domains, takes much longer.
 */
const MAX_WAIT = 3_000;

/** Each item is also a row of the cost centers of one of ten employees, which add up to 100 %. */
const rows = Array.from({ length: 10_000 }, (_, index) => ({
	id: index,
	EmployeeId: 1001 + (index % 10),
	Period: 6,
	Year: 2026,
	Percentage: 0.1,
	'CostCenter.Code': `C${index}`,
}));

const asRows: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	specifyCostCenteren: 'items',
	keepOthers: false,
};

/** As .NET writes the calls that led to an error. */
const trace = Array.from(
	{ length: 30 },
	(_, line) =>
		`\r\n   at Payroll.Services.Step${line}(Int32 id, Row row) in D:\\src\\Payroll.cs:line ${line}`,
).join('');

const fault = [
	'<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault>',
	'<faultcode>soap:Server</faultcode><faultstring>System.Web.Services.Protocols.SoapException: ',
	'Server was unable to process request. ---&gt; System.Exception: TWK exception: 2011: The period lies ',
	`before the current period.${trace}\r\n   --- End of inner exception stack trace ---${trace}`,
	`</faultstring><detail><StackTrace>${trace}</StackTrace></detail></soap:Fault></soap:Body></soap:Envelope>`,
].join('');

describe.each(versions)('n8n %s', (version) => {
	const service = useScriptedServer();
	const stage = useStage({ version });

	beforeAll(async () => {
		await stage.api.updateCredential(stage.credential, { soapUrl: service.url });
	});

	/** Runs a workflow of these nodes with the rows; gives also how long the editor waited for an answer at most. */
	async function watched(...nodes: NodeDraft[]): Promise<{ wait: number; execution: Execution }> {
		const { api } = stage;
		const draft = chain('Busy', manualTrigger, ...itemsNode(rows), ...nodes);
		const workflow = await stage.create(draft);
		let hasEnded = false;
		let wait = 0;
		const run = async (): Promise<string> => {
			try {
				await api.start(workflow);
				const [ended] = await api.endedSummaries(workflow, 1, 9 * 60_000);
				return String(ended?.id);
			} finally {
				hasEnded = true;
			}
		};
		const ask = async (): Promise<void> => {
			for (; !hasEnded; await sleep(100)) {
				const asked = performance.now();
				await api.session.rest('GET', '/settings');
				wait = Math.max(wait, performance.now() - asked);
			}
		};
		const [id] = await Promise.all([run(), ask()]);
		return { wait, execution: succeeded(await api.execution(id)) };
	}

	it.each<[string, INodeParameters, string, number]>([
		[
			'by their values',
			{ ...getCostCenters, employeeId: '=no {{ $json.id }}' },
			'VALUE_INVALID',
			0,
		],
		[
			'by faults, for 2,000 tenants',
			{
				...{ ...getCostCenters, employeeId: '={{ $json.EmployeeId }}' },
				options: { domain: '=tenant-{{ $json.id % 2000 }}' },
			},
			'FAULT_REFUSED',
			rows.length,
		],
		['by faults, 1,000 rows each', asRows, 'FAULT_REFUSED', 10],
	])('items fail %s', async (_, parameters, code, calls) => {
		service.play(replying(500, 'text/xml', fault));
		const { wait, execution } = await watched(
			payrollNode('payrollEmployee', parameters, { onError: 'continueRegularOutput' }),
		);
		expect(service.received).toHaveLength(calls);
		const items = execution.items('Payroll');
		expect(items.map(({ id }) => id as number).sort((one, other) => one - other)).toEqual(
			rows.map(({ id }) => id),
		);
		for (const { error } of items) expect(error).toMatchObject({ code });

		// n8n itself takes its time to pass such items on, and to store them.
		service.play(replying(200, 'application/json', items));
		const url = { url: service.url, options: {} };
		const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, executeOnce: true };
		const other = await watched(
			{ name: 'Fetch', ...http, parameters: url },
			{ name: 'Nothing', type: 'n8n-nodes-base.noOp' },
		);
		expect(other.execution.items('Nothing')).toEqual(items);
		expect(wait).toBeLessThan(other.wait + MAX_WAIT);
	});
});
