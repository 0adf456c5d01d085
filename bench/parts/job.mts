/** The README's job in a real n8n, from a sheet to verified changes: with this package, and without it. */
import { isDeepStrictEqual } from 'node:util';
import { n8nVersions } from '../../dev/n8n/host.mts';
import { openStage, type Stage } from '../../dev/n8n/stage.mts';
import { type NodeDraft, payrollNode } from '../../dev/n8n/workflow.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { sampleState, type Row } from '../../dev/sandbox/state.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { connectCredentials, WebhookWorkflow, type Cost } from '../n8n/executions.mts';
import {
	costCenterCall,
	httpRequest,
	MARKER,
	PERIOD,
	RECORDS,
	workflowOf,
} from '../n8n/workflows.mts';
import type { Part } from '../report.mts';

const EMPLOYEES = 200;
const LATENCY_MS = 50;
const ROUNDS = 5;

/** What moves to the new cost center, in percent. */
const MOVED = 5;

/** Two rows for each employee: the first cost center has less, the new one has that. */
const sheet = [...sampleState(EMPLOYEES).employees].flatMap(([id, { costCenters }]) => {
	const first = costCenters.find(({ Percentage }) => Number(Percentage) > MOVED);
	if (first === undefined) return [];
	const { Code } = first.CostCenter as Row;
	return [
		{ 'Employee ID': id, 'Cost Center Code': Code, Percentage: Number(first.Percentage) - MOVED },
		{ 'Employee ID': id, 'Cost Center Code': '4700', Percentage: MOVED },
	];
});

const updated = new Set(sheet.map((row) => row['Employee ID'])).size;

const code = (name: string, jsCode: string): NodeDraft => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

const xml = (name: string): NodeDraft => ({
	name,
	type: 'n8n-nodes-base.xml',
	parameters: { options: {} },
});

/** Reads, merges, writes and reads again, by n8n's own nodes. */
function handmade(sandbox: Connection): NodeDraft[] {
	const get = costCenterCall(sandbox);
	const update = costCenterCall(sandbox, 'costCenterUpdate');
	const reading = `=${get.envelope.replace(String(MARKER), "{{ $('Group').item.json.id }}")}`;
	const rowPattern = /<EmployeeCostCenter>.*<\/EmployeeCostCenter>/;
	const records = RECORDS.replace('$json', 'item.json');
	return [
		code(
			'Group',
			`const groups = {};
for (const { json } of $input.all()) (groups[json['Employee ID']] ??= []).push(json);
return Object.entries(groups).map(([id, rows], item) => ({ json: { id, rows }, pairedItem: { item } }));`,
		),
		httpRequest('Read', get, reading),
		xml('Records'),
		code(
			'Merge',
			`const escape = (text) => String(text ?? '').replace(/[&<>]/g, (sign) => '&#' + sign.charCodeAt(0) + ';');
const write = (record) => Object.entries(record).map(([name, value]) => '<' + name + '>' +
	(value !== null && typeof value === 'object' ? write(value) : escape(value)) + '</' + name + '>').join('');
return $input.all().map((item, index) => {
	const { id, rows } = $('Group').all()[index].json;
	const records = ${records};
	for (const row of rows) {
		const current = records.find(({ CostCenter }) => CostCenter.Code === row['Cost Center Code']);
		if (current) current.Percentage = row.Percentage;
		else records.push({ CostCenter: { Code: row['Cost Center Code'] }, Percentage: row.Percentage });
	}
	const list = records.map((record) => '<EmployeeCostCenter>' + write(record) + '</EmployeeCostCenter>').join('');
	const envelope = ${JSON.stringify(update.envelope.replace(rowPattern, 'ROWS'))}
		.replace('${MARKER}', id).replace('ROWS', () => list);
	return { json: { id, records, envelope }, pairedItem: { item: index } };
});`,
		),
		httpRequest('Write', update, '={{ $json.envelope }}'),
		httpRequest('Read Again', get, reading),
		xml('Records Afterwards'),
		code(
			'Compare',
			`const shares = (records) => Object.fromEntries(records.map(({ CostCenter, Percentage }) => [CostCenter.Code, Number(Percentage)]));
return $input.all().map((item, index) => {
	const { id, records } = $('Merge').all()[index].json;
	const [wanted, found] = [shares(records), shares(${records})];
	const verified = Object.keys(wanted).every((code) => wanted[code] === found[code]);
	return { json: { EmployeeId: Number(id), verified }, pairedItem: { item: index } };
});`,
		),
	];
}

const parameters = {
	...{ resource: 'costCenter', operation: 'update', specifyCostCenteren: 'items' },
	...{ period: String(PERIOD.Period), year: String(PERIOD.Year) },
};

const own = 'This package';
const contenders = {
	[own]: () => [payrollNode('payrollEmployee', parameters)],
	'This package, On Error: Continue': () => [
		payrollNode('payrollEmployee', parameters, { onError: 'continueRegularOutput' }),
	],
	'HTTP Request + XML + Code': handmade,
} as const;

async function measure(stage: Stage): Promise<readonly (readonly [string, readonly Cost[]])[]> {
	const credentials = await connectCredentials(stage);
	const turns: Record<string, () => Promise<Cost>> = {};
	for (const [name, nodes] of Object.entries(contenders)) {
		const draft = workflowOf(name, sheet, nodes(stage.sandbox));
		const workflow = await WebhookWorkflow.create(stage, draft, credentials);
		// Warms n8n up, too.
		const { calls } = await workflow.run();
		const verified = (await workflow.rows()).filter((item) => item.verified === true);
		const wanted = { CostCenter_Get: 2 * updated, CostCenter_Update: updated };
		if (verified.length !== updated || !isDeepStrictEqual({ ...calls }, wanted)) {
			throw new Error(`${name}: ${verified.length} verified, ${JSON.stringify(calls)}`);
		}
		turns[name] = async () => await workflow.run();
	}
	return Object.entries(await takeTurns(turns, ROUNDS));
}

export const job: Part = {
	name: 'job',
	title: 'The whole job in a real n8n',
	about: `Cost Center: Update from a sheet in n8n ${n8nVersions[0]}: ${updated} employees with two rows each are read, merged, written, read again and compared. The service takes ${LATENCY_MS} ms for each call. All settings of the node are the defaults. Without the package: HTTP Request, XML and Code nodes, which send all writes at once, whatever the first ones answer, and do without the checks, the preview, and the record of what was sent. CPU time is that of n8n's process; that of Code nodes is their task runner's, and does not count.`,
	async measure() {
		const stage = await openStage({
			version: n8nVersions[0],
			sandbox: { employees: EMPLOYEES, latencyMs: LATENCY_MS, schemaValidation: false },
		});
		try {
			const samples = await measure(stage);
			const base = samples.find(([name]) => name === own)?.[1] ?? [];
			const all = (costs: readonly Cost[], what: 'wall' | 'cpu' | 'inFlight') =>
				costs.map((cost) => cost[what]);
			const rows = samples.map(([name, costs]) => ({
				name,
				cells: [
					{ figure: figureOf(all(costs, 'wall')), unit: 's' as const },
					{ figure: ratioOf(all(costs, 'wall'), all(base, 'wall')), unit: '×' as const },
					{ figure: figureOf(all(costs, 'cpu')), unit: 'ms' as const },
					{ figure: ratioOf(all(costs, 'cpu'), all(base, 'cpu')), unit: '×' as const },
					{ figure: figureOf(all(costs, 'inFlight')), unit: '' as const },
				],
			}));
			const columns = ['Wall time', 'Ratio', 'CPU', 'Ratio', 'Most in flight'];
			return { tables: [{ title: `${updated} employees`, columns, rows }], goals: [] };
		} finally {
			await stage.close();
		}
	},
};
