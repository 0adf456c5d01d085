/** How much of a batch's time is due to this package, and how much to n8n. */
import type { INodeType } from 'n8n-workflow';
import { describe } from '../../dev/engine/describe.mts';
import { chain, runWorkflow, type NodeDraft } from '../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../dev/sandbox/client.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { CREDENTIAL_TYPE, Payroll } from '../../dev/package/payroll.mts';
import { figureOf, ratioOf, takeTurns, type Samples } from '../measure.mts';
import { costCenterCall, employees, MARKER } from '../n8n/workflows.mts';
import { goal, type Part } from '../report.mts';

const EMPLOYEES = 1000;
/** Fixed, so that both make the same calls at once. */
const CONCURRENCY = 10;
const ROUNDS = 7;
const LATENCIES_MS = [50, 0] as const;

const contenders = ['This package', 'Bare loop'] as const;
type Contender = (typeof contenders)[number];

/** A node that sends an envelope for each item through n8n's own helper, and drops the answers. */
function bareLoop(sandbox: SandboxClient): INodeType {
	const { envelope, headers, url } = costCenterCall(sandbox);
	const bodyText = envelope.replace(String(MARKER), '{{ $json.id }}');
	return {
		description: {
			...describe('loop', 'Loop', []),
			credentials: [{ name: CREDENTIAL_TYPE, required: true }],
		},
		async execute() {
			const items = this.getInputData();
			const send = this.helpers.httpRequestWithAuthentication;
			let next = 0;
			const work = async (): Promise<void> => {
				while (next < items.length) {
					const item = next;
					next += 1;
					const body = this.evaluateExpression(bodyText, item) as string;
					await send.call(this, CREDENTIAL_TYPE, { method: 'POST', url, headers, body });
				}
			};
			await Promise.all(Array.from({ length: CONCURRENCY }, work));
			return [items];
		},
	};
}

/** Seconds per batch of each contender, with a service that delays each answer. */
async function measureAt(latencyMs: number): Promise<Samples<Contender>> {
	const sandbox = await launchSandbox({
		employees: EMPLOYEES,
		latencyMs,
		schemaValidation: false,
	});
	try {
		const payroll = await Payroll.load();
		const { credentials, host } = payroll;
		const own = payroll.node('payrollEmployee', await payroll.connect(sandbox), {
			...getCostCenters,
			options: { concurrency: CONCURRENCY },
		});
		// It takes the name of a node of the package, since only those may use the credential.
		const loop = { ...own, type: `${host.packageName}.payrollCompany`, parameters: {} };
		const nodeTypes = host.nodeTypes.with(loop.type, bareLoop(sandbox));
		const run = async (node: NodeDraft, isRight: (count: number) => boolean) => {
			await sandbox.reset();
			const drawing = chain(employees(EMPLOYEES), node);
			const start = performance.now();
			const { error, items } = await runWorkflow({ ...drawing, host: { nodeTypes }, credentials });
			const seconds = (performance.now() - start) / 1000;
			if (error !== undefined) throw error;
			const { maxInFlight } = await sandbox.stats();
			if (maxInFlight > CONCURRENCY || !isRight(items('Payroll').length)) {
				throw new Error(`${items('Payroll').length} items, ${maxInFlight} calls at once`);
			}
			return seconds;
		};
		const turns = {
			'This package': async () => await run(own, (count) => count > EMPLOYEES),
			'Bare loop': async () => await run(loop, (count) => count === EMPLOYEES),
		};
		for (const turn of Object.values(turns)) await turn();
		return await takeTurns(turns, ROUNDS);
	} finally {
		await sandbox.stop();
	}
}

export const floor: Part = {
	name: 'floor',
	title: 'Host floor',
	about: `${EMPLOYEES} calls of Cost Center: Get Many on n8n's engine. The bare loop is a node that sends the same envelopes by n8n's own helper, also ${CONCURRENCY} at a time, and drops the answers.`,
	async measure() {
		const rows = [];
		const goals = [];
		for (const latencyMs of LATENCIES_MS) {
			const samples = await measureAt(latencyMs);
			const throughput = ratioOf(samples['Bare loop'], samples['This package']);
			for (const name of contenders) {
				rows.push({
					name: `${name}, service takes ${latencyMs} ms`,
					cells: [
						{ figure: figureOf(samples[name]), unit: 's' },
						{ figure: ratioOf(samples['Bare loop'], samples[name]), unit: '×' },
					],
				} as const);
			}
			goals.push(
				goal(`Host floor: throughput against the bare loop, at ${latencyMs} ms`, throughput, '×', {
					atLeast: 0.9,
				}),
			);
		}
		return {
			tables: [{ title: `${EMPLOYEES} calls`, columns: ['Wall time', 'Throughput'], rows }],
			goals,
		};
	},
};
