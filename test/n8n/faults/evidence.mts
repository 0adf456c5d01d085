/** Runs the table of faults in a real n8n, and searches everything that it stores and logs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../faults/fault.mts';
import { secretsOf, SecretSearch } from '../../faults/secrets.mts';
import { FaultServer } from '../../faults/server.mts';
import { targets } from '../../faults/targets.mts';
import { inParallel } from '../../support/parallel.mts';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { execution, type Execution, type StoredExecution } from '../../../dev/n8n/execution.mts';
import type { N8nVersion } from '../../../dev/n8n/host.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { Cells } from './cells.mts';
import { isToFail, type Plan } from './plans.mts';
import { planted, planting } from './planted.mts';
import { files, rows } from './traces.mts';

/** Most executions wait most of the time: for a time-out, or before they try again. */
const AT_ONCE = 60;

/** How many workflows are created at once. */
const MAKERS = 4;

/** Secrets with all characters that an encoding changes. */
const secrets = {
	clientSecret: 'p+y/100% r:o&l=l secret',
	subscriptionKey: 'k+y/100% s:u&b="s" 5f0c\\2c0b',
	domain: 'kantoor zuid+7/3%a:b&c=<d>',
};

/** What came of a table. */
export interface Evidence {
	/** Where n8n shows another outcome than the table says. */
	readonly surprises: readonly string[];
	/** The titles of all errors that n8n shows. */
	readonly titles: ReadonlySet<string>;
	readonly executions: number;
	readonly credentials: number;
	readonly secrets: number;
	/** What n8n printed at log level debug. */
	readonly log: string;
	readonly files: readonly string[];
	/** How many rows the tables of the database have. */
	readonly rows: ReadonlyMap<string, number>;
	/** The titles that were found in the database. */
	readonly stored: ReadonlySet<string>;
	readonly search: SecretSearch;
	/** What was received by servers that nothing may be sent to. */
	readonly unexpected: readonly string[];
	readonly seconds: number;
}

/** Runs these plans, each once, in an n8n of this version that is then stopped and searched. */
export async function gather(version: N8nVersion, plans: readonly Plan[]): Promise<Evidence> {
	const started = performance.now();
	const stage = await openStage({
		version,
		logLevel: 'debug',
		// As in n8n's own images; otherwise its log adds a space after each colon, also within a secret.
		env: { NODE_ENV: 'production' },
		// The page names its number of records, so that the list is read with one call.
		sandbox: { ...secrets, hourCodeBody: 'metadata' },
	});
	const server = await FaultServer.start(stage.sandbox.url);
	try {
		const cells = new Cells(stage, server);
		const connected = await renewConnected(stage, server);
		await cells.prepare(plans);
		const runs = await runAll(stage, cells, plans);
		const last = await stage.api.run(await stage.create(planting));

		const tokens = new Set([...server.issued, ...cells.granted, ...(await received(stage))]);
		const search = new SecretSearch().lookFor([...secretsOf(stage.sandbox, tokens), planted]);
		const titles = new Set<string>();
		const surprises: string[] = [];
		for (const id of [connected.id, ...runs.keys(), last.id]) {
			const stored = await stage.api.session.rest<StoredExecution>('GET', `/executions/${id}`);
			const found = execution(stored);
			search.search(`execution ${id}, as n8n gives it`, stored);
			search.search(`execution ${id}`, found.data);
			const plan = runs.get(id);
			if (plan) surprises.push(...judge(plan, found, titles));
		}

		await stage.n8n.stop();
		const names: string[] = [];
		for (const [name, content] of files(stage.n8n)) {
			names.push(name);
			search.search(`file ${name}`, content);
		}
		const counts = new Map<string, number>();
		const stored = new Set<string>();
		for await (const { table, row } of rows(stage.n8n)) {
			counts.set(table, (counts.get(table) ?? 0) + 1);
			search.search(`table ${table}`, row);
			// The data of an execution is a JSON text in its row.
			const text = JSON.stringify(row);
			for (const title of titles) if (text.includes(inJson(inJson(title)))) stored.add(title);
		}
		return {
			surprises,
			titles,
			executions: runs.size + 2,
			credentials: cells.count + 1,
			secrets: tokens.size + Object.keys(secrets).length,
			log: stage.n8n.log(),
			files: names,
			rows: counts,
			stored,
			search,
			unexpected: server.unexpected,
			seconds: (performance.now() - started) / 1000,
		};
	} finally {
		await server.close();
		await stage.close();
	}
}

/** A text as it is in JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Renews the tokens of the credential that was connected in n8n, by a call that is rejected. */
async function renewConnected(stage: Stage, server: FaultServer): Promise<Execution> {
	const [target] = targets;
	const fault: Fault = { name: 'no fault', expect: {} };
	if (target === undefined) throw new Error('No targets');
	const { url } = server.open(fault, target);
	const changes = { identityUrl: url, restUrl: url, soapUrl: url };
	await stage.api.updateCredential(stage.credential, changes);
	await stage.sandbox.expireAccessTokens();
	const node = payrollNode('payrollEmployee', getCostCenters);
	const id = await stage.create(
		chain('Connected', manualTrigger, ...itemsNode([{ id: 1003 }]), node),
	);
	const done = await stage.api.run(id);
	if (done.status !== 'success') throw new Error(`Not renewed: ${done.error?.message}`);
	return done;
}

/** Creates and runs the workflows of these plans; gives the plans by the ids of their executions. */
async function runAll(
	{ api }: Stage,
	cells: Cells,
	plans: readonly Plan[],
): Promise<Map<string, Plan>> {
	const runs = new Map<string, Plan>();
	// Without the data of the executions, which are large.
	const running = async () => (await api.executions({ status: ['new', 'running'] })).length;
	await inParallel(plans, MAKERS, async (plan) => {
		const workflow = await cells.make(plan);
		while ((await running()) >= AT_ONCE) await sleep(250);
		runs.set(await api.start(workflow), plan);
	});
	while ((await running()) > 0) await sleep(250);
	return runs;
}

/** All tokens and authorization codes that the sandbox received. */
async function received({ sandbox }: Stage): Promise<string[]> {
	return (await sandbox.requests()).flatMap(({ headers, body, path }) => {
		const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
		const form = new URLSearchParams(path === '/connect/token' ? body : '');
		return [bearer, form.get('refresh_token'), form.get('code')].filter((token) => token != null);
	});
}

/** Compares a run with what the table says; adds the titles of its errors. */
function judge(plan: Plan, found: Execution, titles: Set<string>): string[] {
	const { fault, stops } = plan;
	const failed = new Set<string>();
	for (const { name } of plan.targets) {
		const items = found.runs(name).flatMap(({ data }) => data?.main?.flat() ?? []);
		for (const error of items.flatMap((item) => item?.json.error ?? [])) {
			failed.add(name);
			titles.add((error as { message: string }).message);
		}
		const { error } = found.runs(name).at(-1) ?? {};
		if (error === undefined) continue;
		failed.add(name);
		titles.add(error.message);
	}
	const wrong = plan.targets.filter(
		(target) => isToFail(fault, target) !== failed.has(target.name),
	);
	const status =
		stops && plan.targets.some((target) => isToFail(fault, target)) ? 'error' : 'success';
	const problems = wrong.map(
		({ name }) => `${fault.name} × ${name}: ${failed.has(name) ? 'fails' : 'succeeds'}`,
	);
	if (found.status !== status)
		problems.push(`${fault.name}: the execution ended as ${found.status}`);
	return problems;
}
