/** A batch in a real n8n: with this package, and with what a user would build without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../dev/n8n/api.mts';
import { n8nVersions } from '../../dev/n8n/host.mts';
import { openStage, type Stage } from '../../dev/n8n/stage.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { cpuOf, forgetPeak, peakOf } from '../n8n/process.mts';
import {
	contenders,
	GENERIC_CREDENTIAL_TYPE,
	genericCredentialData,
	pathOf,
	workflowOf,
	type Contender,
} from '../n8n/workflows.mts';
import { goal, type Findings, type Part } from '../report.mts';

const EMPLOYEES = 1000;
const LATENCY_MS = 50;
const ROUNDS = 5;

const names = Object.keys(contenders) as Contender[];
const own: Contender = 'This package';
/** What one would build without this package. */
const alternative: Contender = "HTTP Request + XML, n8n's OAuth2 API credential";
const noCall: Contender = 'No call at all';

/** The cost of one execution. */
interface Run {
	/** Seconds from the webhook's call to its answer. */
	readonly wall: number;
	/** CPU time of n8n's process in milliseconds, including storing the execution. */
	readonly cpu: number;
	/** Peak memory of n8n in megabytes. */
	readonly peak: number;
	/** The highest number of calls in flight at the service. */
	readonly inFlight: number;
	readonly calls: number;
}

/** How many times each workflow runs. */
const runs = Object.fromEntries(names.map((name) => [name, 0])) as Record<Contender, number>;

/** The workflows in one n8n, each with its id. */
type Workflows = Readonly<Record<Contender, string>>;

async function create({ api, credential, sandbox }: Stage): Promise<Workflows> {
	const data = genericCredentialData(sandbox);
	const generic = await api.createCredential(GENERIC_CREDENTIAL_TYPE, data, 'OAuth2');
	await api.connect(generic, sandbox);
	const credentials = { [CREDENTIAL_TYPE]: credential, [GENERIC_CREDENTIAL_TYPE]: generic };
	const ids: Record<string, string> = {};
	for (const name of names) {
		const id = await api.createWorkflow(workflowOf(name, sandbox, EMPLOYEES), credentials);
		await api.activate(id);
		ids[name] = id;
	}
	return ids as Workflows;
}

async function call(stage: Stage, name: Contender): Promise<void> {
	const response = await fetch(`${stage.n8n.url}/webhook/${pathOf(name)}`);
	const body = await response.text();
	if (!response.ok) throw new Error(`${name}: HTTP ${response.status}, ${body}`);
}

/** Waits until n8n has stored so many executions of a workflow. */
async function stored(stage: Stage, workflow: string, count: number): Promise<void> {
	for (;;) {
		try {
			await stage.api.endedSummaries(workflow, count);
			return;
		} catch (error) {
			// A busy n8n may report its database as not ready for a moment.
			if (!(error instanceof ApiError && error.status === 503)) throw error;
			await sleep(200);
		}
	}
}

async function run(stage: Stage, workflows: Workflows, name: Contender): Promise<Run> {
	const { pid } = stage.n8n;
	runs[name] += 1;
	await stage.sandbox.reset();
	forgetPeak(pid);
	const cpu = cpuOf(pid);
	const start = performance.now();
	await call(stage, name);
	const wall = (performance.now() - start) / 1000;
	await stored(stage, workflows[name], runs[name]);
	const { maxInFlight, soapExecuted } = await stage.sandbox.stats();
	return {
		wall,
		cpu: cpuOf(pid) - cpu,
		peak: peakOf(pid) / 1e6,
		inFlight: maxInFlight,
		calls: soapExecuted.CostCenter_Get ?? 0,
	};
}

/** Returns the rows of a workflow's last execution. */
async function rowsOf(stage: Stage, workflow: string): Promise<IDataObject[]> {
	const [execution] = await stage.api.ended(workflow, 1);
	const node = execution?.data.resultData.lastNodeExecuted;
	if (execution === undefined || node === undefined) throw new Error('Nothing was executed');
	return execution.items(node);
}

/** Runs every workflow once to warm n8n up, and checks its rows. */
async function rehearse(stage: Stage, workflows: Workflows): Promise<void> {
	for (const name of names) {
		const { calls } = await run(stage, workflows, name);
		const expected = name === noCall ? 0 : EMPLOYEES;
		if (calls !== expected) throw new Error(`${name}: ${calls} calls, expected ${expected}`);
	}
	const expected = await rowsOf(stage, workflows[own]);
	if (expected.length < EMPLOYEES) throw new Error(`Only ${expected.length} rows`);
	for (const name of names.filter((one) => one !== own && one !== noCall)) {
		const rows = await rowsOf(stage, workflows[name]);
		if (!isDeepStrictEqual(rows, expected)) throw new Error(`${name} gives other rows`);
	}
}

async function measure(stage: Stage): Promise<Findings> {
	const workflows = await create(stage);
	await rehearse(stage, workflows);
	const turns = names.map((name) => [name, async () => await run(stage, workflows, name)] as const);
	const samples = await takeTurns<Contender, Run>(
		Object.fromEntries(turns) as Record<Contender, () => Promise<Run>>,
		ROUNDS,
	);
	const all = (name: Contender, what: keyof Run) => samples[name].map((one) => one[what]);
	return {
		tables: [
			{
				title: `${EMPLOYEES} employees`,
				columns: ['Wall time', 'Ratio', 'CPU per item', 'Ratio', 'Peak memory', 'Most in flight'],
				rows: names.map((name) => ({
					name,
					cells: [
						{ figure: figureOf(all(name, 'wall')), unit: 's' },
						{ figure: ratioOf(all(name, 'wall'), all(own, 'wall')), unit: '×' },
						{ figure: figureOf(all(name, 'cpu').map((cpu) => cpu / EMPLOYEES)), unit: 'ms' },
						{ figure: ratioOf(all(name, 'cpu'), all(own, 'cpu')), unit: '×' },
						{ figure: figureOf(all(name, 'peak')), unit: 'MB' },
						{ figure: figureOf(all(name, 'inFlight')), unit: '' },
					],
				})),
			},
		],
		goals: [
			goal(
				'Batch: HTTP Request + XML takes longer by',
				ratioOf(all(alternative, 'wall'), all(own, 'wall')),
				'×',
				{ atLeast: 2 },
			),
			goal(
				'Batch: CPU time against HTTP Request + XML',
				ratioOf(all(own, 'cpu'), all(alternative, 'cpu')),
				'×',
				{ atMost: 0.333 },
			),
		],
	};
}

export const batch: Part = {
	name: 'batch',
	title: 'Batch in a real n8n',
	about: `Cost Center: Get Many of ${EMPLOYEES} employees in n8n ${n8nVersions[0]}, started by a webhook. The service is another process, and takes ${LATENCY_MS} ms for each call. All settings are the defaults. HTTP Request is followed by XML, Edit Fields, Split Out and Edit Fields, to get the same rows, types included; the benchmark compares them. It signs with n8n's own OAuth2 API credential, as one would without this package, or with this package's credential; the goals are about the former. CPU time and memory are those of n8n's process, which also stores the execution; "No call at all" is the rest of the workflow.`,
	async measure() {
		const stage = await openStage({
			version: n8nVersions[0],
			sandbox: { employees: EMPLOYEES, latencyMs: LATENCY_MS, schemaValidation: false },
		});
		try {
			return await measure(stage);
		} finally {
			await stage.close();
		}
	},
};
