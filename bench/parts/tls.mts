/** A batch over TLS and a network, and what it would take if n8n kept its connections. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../dev/listen.mts';
import { n8nVersions } from '../../dev/n8n/host.mts';
import { openStage, type Stage } from '../../dev/n8n/stage.mts';
import { payrollNode, type NodeDraft } from '../../dev/n8n/workflow.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { connectCredentials, WebhookWorkflow, type Cost } from '../n8n/executions.mts';
import {
	alternative,
	contenders as batchContenders,
	costCenterCall,
	webhookWorkflow,
} from '../n8n/workflows.mts';
import { goal, type Findings, type Part } from '../report.mts';
import { openTlsFront, type TlsFront, type TlsTraffic } from '../service/tls.mts';

const EMPLOYEES = 500;
const LATENCY_MS = 50;
const ROUND_TRIP_MS = 20;
const ROUNDS = 5;
const CONCURRENCY = 10;

/** The node of bench/contenders that does the least, with the credential read once as in the package. */
function bareLoop(service: Connection, keepConnections: boolean): NodeDraft {
	const { envelope, headers, url } = costCenterCall(service);
	const parameters = { concurrency: CONCURRENCY, envelope, headers: JSON.stringify(headers), url };
	return {
		name: 'Loop',
		type: 'CUSTOM.loop',
		parameters: { ...parameters, keepConnections, readCredentialOnce: true },
		credentials: { [CREDENTIAL_TYPE]: { id: null, name: 'Payroll' } },
	};
}

/** The contenders, this package first. */
const contenders = {
	'This package': () => [payrollNode('payrollEmployee', getCostCenters)],
	'This package, 10 at a time': () => [
		payrollNode('payrollEmployee', {
			...getCostCenters,
			options: { concurrency: CONCURRENCY },
		}),
	],
	[alternative]: batchContenders[alternative],
	'Bare loop': (service) => [bareLoop(service, false)],
	'Bare loop, connections kept': (service) => [bareLoop(service, true)],
} as const satisfies Readonly<Record<string, (service: Connection) => NodeDraft[]>>;

type Contender = keyof typeof contenders;
const names = Object.keys(contenders) as Contender[];

/** One execution. */
interface Run extends Cost, TlsTraffic {}

async function run(stage: Stage, front: TlsFront, workflow: WebhookWorkflow): Promise<Run> {
	await stage.sandbox.reset();
	front.forget();
	const cost = await workflow.run();
	const { CostCenter_Get: calls } = (await stage.sandbox.stats()).soapExecuted;
	if (calls !== EMPLOYEES) throw new Error(`${calls} calls, expected ${EMPLOYEES}`);
	return { ...cost, ...front.traffic() };
}

async function measure(stage: Stage, front: TlsFront): Promise<Findings> {
	const service = { ...stage.sandbox, url: front.url };
	const credentials = await connectCredentials(stage);
	const turns: Partial<Record<Contender, () => Promise<Run>>> = {};
	for (const name of names) {
		const draft = webhookWorkflow(name, EMPLOYEES, contenders[name](service));
		const workflow = await WebhookWorkflow.create(stage, draft, credentials);
		turns[name] = async () => await run(stage, front, workflow);
		// Warms n8n up.
		await turns[name]();
	}
	const samples = await takeTurns(turns as Record<Contender, () => Promise<Run>>, ROUNDS);
	const all = (name: Contender, what: keyof Run) => samples[name].map((one) => one[what]);
	const perCall = (name: Contender, what: keyof Run) =>
		figureOf(all(name, what).map((value) => value / EMPLOYEES));
	const own = 'This package';
	return {
		tables: [
			{
				title: `${EMPLOYEES} employees`,
				columns: [
					'Wall time',
					'Ratio',
					'CPU per call',
					'Connections',
					'TLS sessions resumed',
					'Round trips per call',
				],
				rows: names.map((name) => ({
					name,
					cells: [
						{ figure: figureOf(all(name, 'wall')), unit: 's' },
						{ figure: ratioOf(all(name, 'wall'), all(own, 'wall')), unit: '×' },
						{ figure: perCall(name, 'cpu'), unit: 'ms' },
						{ figure: figureOf(all(name, 'connections')), unit: '' },
						{ figure: figureOf(all(name, 'resumed')), unit: '' },
						{ figure: perCall(name, 'roundTrips'), unit: '' },
					],
				})),
			},
		],
		goals: [
			goal(
				'TLS: throughput against the bare loop, 10 at a time',
				ratioOf(all('Bare loop', 'wall'), all('This package, 10 at a time', 'wall')),
				'×',
				{ atLeast: 0.9 },
			),
			goal(
				'TLS: HTTP Request + XML takes longer by',
				ratioOf(all(alternative, 'wall'), all(own, 'wall')),
				'×',
				{ atLeast: 1 },
			),
		],
	};
}

export const tls: Part = {
	name: 'tls',
	title: 'TLS and a network',
	about: `As *Batch in a real n8n*, with ${EMPLOYEES} employees, over TLS 1.3 and a proxy that makes each round trip take ${ROUND_TRIP_MS} ms, including the one that opens a connection. The service takes ${LATENCY_MS} ms for each call. The loops make ${CONCURRENCY} calls at a time, as the package in its second row. The bare loop is a node that sends the same envelopes by n8n's own helper, reads the credential once, and drops the answers. With *connections kept*, n8n only signs its requests; they are sent by the same HTTP client, with one agent for the whole run. The proxy counts connections and round trips.`,
	async measure() {
		const folder = await mkdtemp(join(tmpdir(), 'payroll-bench-'));
		const port = await freePort();
		const front = await openTlsFront(`http://127.0.0.1:${port}`, ROUND_TRIP_MS);
		try {
			const authority = join(folder, 'authority.pem');
			await writeFile(authority, front.certificate);
			const stage = await openStage({
				version: n8nVersions[0],
				sandbox: { employees: EMPLOYEES, latencyMs: LATENCY_MS, port, schemaValidation: false },
				credential: { soapUrl: front.url },
				env: {
					N8N_CUSTOM_EXTENSIONS: `${process.cwd()}/bench/contenders`,
					NODE_EXTRA_CA_CERTS: authority,
				},
			});
			try {
				return await measure(stage, front);
			} finally {
				await stage.close();
			}
		} finally {
			await front.close();
			await rm(folder, { recursive: true });
		}
	},
};
