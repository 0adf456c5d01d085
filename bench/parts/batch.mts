/** A batch in a real n8n: with this package, and with what a user would build without it. */
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { n8nVersions } from '../../dev/n8n/host.mts';
import { openStage, type Stage } from '../../dev/n8n/stage.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { connectCredentials, WebhookWorkflow, type Cost } from '../n8n/executions.mts';
import {
	alternative,
	contenders,
	employees,
	workflowOf,
	type Contender,
} from '../n8n/workflows.mts';
import { goal, type Findings, type Part } from '../report.mts';

const EMPLOYEES = 1000;
const LATENCY_MS = 50;
const ROUNDS = 5;

const names = Object.keys(contenders) as Contender[];
const own: Contender = 'This package';
const noCall: Contender = 'No call at all';

/** The workflows in one n8n. */
type Workflows = Readonly<Record<Contender, WebhookWorkflow>>;

async function create(stage: Stage): Promise<Workflows> {
	const credentials = await connectCredentials(stage);
	const workflows: Record<string, WebhookWorkflow> = {};
	for (const name of names) {
		const draft = workflowOf(name, employees(EMPLOYEES), contenders[name](stage.sandbox));
		workflows[name] = await WebhookWorkflow.create(stage, draft, credentials);
	}
	return workflows as Workflows;
}

/** Runs every workflow once to warm n8n up, and checks its rows. */
async function rehearse(workflows: Workflows): Promise<void> {
	for (const name of names) {
		const { CostCenter_Get: calls = 0 } = (await workflows[name].run()).calls;
		const expected = name === noCall ? 0 : EMPLOYEES;
		if (calls !== expected) throw new Error(`${name}: ${calls} calls, expected ${expected}`);
	}
	const typed = await workflows[own].rows();
	if (typed.length < EMPLOYEES) throw new Error(`Only ${typed.length} rows`);
	for (const name of names.filter((one) => one !== own && one !== noCall)) {
		const rows = await workflows[name].rows();
		const isSame =
			name === alternative
				? isDeepStrictEqual(rows.map(comparable), typed.map(comparable))
				: isDeepStrictEqual(rows, typed);
		if (!isSame) throw new Error(`${name} gives other rows`);
	}
}

/** What a row has in common with one of texts, which has no request keys, and "1.50" for 1.5. */
function comparable({ Id, CostCenter, Kostensoort, Percentage, Default }: IDataObject): unknown {
	const costCenter = CostCenter as IDataObject;
	return {
		Id: Number(Id),
		CostCenter: { ...costCenter, Id: Number(costCenter.Id) },
		Kostensoort,
		Percentage: Number(Percentage),
		Default: String(Default),
	};
}

async function measure(stage: Stage): Promise<Findings> {
	const workflows = await create(stage);
	await rehearse(workflows);
	const turns = names.map((name) => [name, async () => await workflows[name].run()] as const);
	const samples = await takeTurns<Contender, Cost>(
		Object.fromEntries(turns) as Record<Contender, () => Promise<Cost>>,
		ROUNDS,
	);
	const all = (name: Contender, what: 'wall' | 'cpu' | 'peak' | 'inFlight') =>
		samples[name].map((one) => one[what]);
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
	about: `Cost Center: Get Many of ${EMPLOYEES} employees in n8n ${n8nVersions[0]}, started by a webhook. The service is another process, and takes ${LATENCY_MS} ms for each call. All settings are the defaults. HTTP Request is followed by XML, Edit Fields and Split Out, which give rows of texts; another Edit Fields gives them their types and the employee, so that all rows are the same (the benchmark compares them). It signs with n8n's own OAuth2 API credential. The goals are about rows of texts, which take the least. CPU time and memory are those of n8n's process, which also stores the execution; "No call at all" is the rest of the workflow.`,
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
