/** A real n8n stores and logs no secret, even if the services repeat all that they were sent. */
import { connect as drawLine, sequence } from '../../../dev/drawing.mts';
import { execution, type Execution, type StoredExecution } from '../../../dev/n8n/execution.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../../dev/package/payroll.mts';
import { connect } from '../../../dev/sandbox/oauth.mts';
import { close, executed, json, oauthError, page, reply } from '../../faults/acts.mts';
import { echo, soapFault } from '../../faults/echo.mts';
import type { Fault } from '../../faults/fault.mts';
import { SecretSearch, secretsOf } from '../../faults/secrets.mts';
import { FaultServer } from '../../faults/server.mts';
import { targets, type Target } from '../../faults/targets.mts';
import { INSTALLING, succeeded, versions } from '../setUp.mts';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { N8n } from '../../../dev/n8n/host.mts';
import { installN8n } from '../../../dev/n8n/install.mts';

/** A row of a table. */
interface Row {
	readonly table: string;
	readonly row: Readonly<Record<string, unknown>>;
}

/** Folders in n8n's user folder that npm has written. */
const installed = ['package', join('.n8n', 'nodes', 'node_modules')];

/** Every file in n8n's user folder that n8n wrote, including its log, by its path. */
function filesOf({ userFolder }: N8n): Map<string, Buffer> {
	const entries = readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(userFolder, join(entry.parentPath, entry.name)))
		.filter((name) => !installed.some((folder) => name.startsWith(`${folder}/`)));
	return new Map(entries.map((name) => [name, readFileSync(join(userFolder, name))]));
}

/** Every row of every table of the database. */
async function rowsOf({ userFolder, version }: N8n): Promise<Row[]> {
	const database = join(userFolder, '.n8n', 'database.sqlite');
	if (!existsSync(database)) throw new Error(`No database: ${database}`);
	const { runtime } = await installN8n(version);
	const program = join(process.cwd(), 'test', 'n8n', 'secrets', 'rows.mjs');
	const { status, stdout, stderr } = spawnSync(runtime.node, ['--no-warnings', program, database], {
		encoding: 'utf8',
		maxBuffer: 1 << 30,
	});
	if (status !== 0) throw new Error(`The rows could not be read: ${stderr}`);
	const lines = stdout.trimEnd().split('\n');
	return lines.map((line) => JSON.parse(line) as Row);
}

/** Secrets with all characters that an encoding changes. */
const secrets = {
	clientSecret: 'p+y/100% r:o&l=l secret',
	subscriptionKey: 'k+y/100% s:u&b="s" 5f0c\\2c0b',
};

/** Is put into items and an error, to show that the search finds what n8n stores. */
const planted = { name: 'planted', value: 'planted +/%:&="7f3a\\c" value' };

const columns = ['CostCenter_Get 1.1', 'Address_Insert 1.2', 'REST hourcodes'].map((name) => {
	const found = targets.find((target) => target.name === name);
	if (found === undefined) throw new Error(`There is no target ${name}`);
	return found;
});

/** Each repeats the request, with its secrets, in its answer. */
const faults: readonly Fault[] = [
	{
		name: 'an error with details',
		service: executed((call) =>
			call.cell.target.kind === 'restRead'
				? json(500, { message: echo(call) })(call)
				: reply(() => soapFault(call, `System.Exception: ${echo(call)}`))(call),
		),
		expect: {},
	},
	{ name: 'a page of a proxy', service: page(403), expect: {} },
	{ name: 'a rejected token', service: page(401), expect: {} },
	{
		name: 'a refused renewal',
		identity: oauthError(400, 'invalid_grant'),
		renewal: 'rejected',
		expect: {},
	},
	{ name: 'a lost answer', service: close, expect: {} },
];

describe.each(versions)('n8n %s', (version) => {
	let stage: Stage;
	let server: FaultServer;
	const tokens = new Set<string>();
	const search = new SecretSearch();
	const executions: Execution[] = [];
	const stored = new Map<string, number>();

	/** A node whose credential leads to a fault. */
	async function node(fault: Fault, target: Target, stops: boolean) {
		const { api, sandbox } = stage;
		const granted = await connect(sandbox);
		tokens.add(granted.access_token).add(String(granted.refresh_token));
		const cell = server.open(fault, target);
		if (fault.renewal) cell.rejected.add(granted.access_token);
		const data = credentialData(sandbox, {
			...cell.addresses(server.endpoints),
			soapVersion: target.soapVersion,
			oauthTokenData: { ...granted },
		});
		const id = await api.createCredential(CREDENTIAL_TYPE, data, cell.name);
		return payrollNode(target.node, target.parameters(cell.name), {
			name: target.name,
			onError: stops ? 'stopWorkflow' : 'continueRegularOutput',
			credentials: { [CREDENTIAL_TYPE]: { id, name: 'Payroll' } },
		});
	}

	/** Runs a fault on some targets, one after the other. */
	async function run(fault: Fault, on: readonly Target[], stops: boolean): Promise<void> {
		let drawing = sequence(manualTrigger);
		for (const target of on) {
			const [list, input] = itemsNode([target.input], `${target.name} (Input)`);
			if (!list || !input) throw new Error('No input');
			drawing = drawLine(drawing, manualTrigger.name, list);
			drawing = drawLine(drawing, list.name, input);
			drawing = drawLine(drawing, input.name, await node(fault, target, stops));
		}
		const draft = { name: fault.name, ...drawing };
		executions.push(await stage.api.run(await stage.api.createWorkflow(draft)));
	}

	beforeAll(async () => {
		stage = await openStage({
			version,
			logLevel: 'debug',
			// As in n8n's own images; otherwise its log adds a space after each colon, also within a secret.
			env: { NODE_ENV: 'production' },
			sandbox: secrets,
		});
		server = await FaultServer.start(stage.sandbox.url);
		for (const [index, fault] of faults.entries()) {
			await run(fault, columns, false);
			await run(fault, columns.slice(index % columns.length).slice(0, 1), true);
		}
		// Twice, so that the refresh token that n8n has received is also presented.
		const read = payrollNode('payrollEmployee', getCostCenters);
		const draft = chain('Renewed', manualTrigger, ...itemsNode([{ id: 1003 }]), read);
		const id = await stage.create(draft);
		for (let times = 0; times < 2; times += 1) {
			await stage.sandbox.expireAccessTokens();
			executions.push(succeeded(await stage.api.run(id)));
		}
		const planting = chain(
			'Planting',
			manualTrigger,
			...itemsNode([
				{ plain: planted.value, encoded: encodeURIComponent(planted.value) },
				{ base64: Buffer.from(planted.value).toString('base64') },
			]),
			{
				name: 'Stop',
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: planted.value },
			},
		);
		executions.push(await stage.api.run(await stage.create(planting)));

		for (const { headers, body } of await stage.sandbox.requests()) {
			const form = new URLSearchParams(body);
			const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
			for (const token of [bearer, form.get('refresh_token'), form.get('code')]) {
				if (token) tokens.add(token);
			}
		}
		search.lookFor([...secretsOf(stage.sandbox, [...tokens, ...server.issued]), planted]);
		for (const one of executions) {
			const path = `/executions/${one.id}`;
			const given = await stage.api.session.rest<StoredExecution>('GET', path);
			search.search(`execution ${one.id}, as n8n gives it`, given);
			search.search(`execution ${one.id}`, execution(given).data);
		}
		await stage.n8n.stop();
		for (const [name, content] of filesOf(stage.n8n)) search.search(`file ${name}`, content);
		for (const { table, row } of await rowsOf(stage.n8n)) {
			stored.set(table, (stored.get(table) ?? 0) + 1);
			search.search(`table ${table}`, row);
		}
	}, INSTALLING);

	afterAll(async () => {
		await server?.close();
		await stage?.close();
	});

	it('stores each execution and its errors', () => {
		const ends = faults.flatMap(() => ['success', 'error']);
		expect(executions.map(({ status }) => status)).toEqual([
			...ends,
			...['success', 'success', 'error'],
		]);
		expect(stored.get('execution_data')).toBe(executions.length);
		expect(stored.get('credentials_entity')).toBe(faults.length * (columns.length + 1) + 1);
		const log = stage.n8n.log();
		for (const { name } of columns) expect(log).toContain(`debug | Running node "${name}" started`);
		expect(log).toContain('The credential needs to be reconnected');
		expect(server.unexpected).toEqual([]);
	});

	it('stores what is planted in an item and in an error, and the search finds it everywhere', () => {
		const found = search.hits.filter(({ secret }) => secret === planted.name);
		const kinds = [
			/^execution \d+, as n8n gives it\.data/,
			/^execution \d+\.resultData\.runData\./,
			/^execution \d+\.resultData\.error\./,
			/^file \.n8n\/database\.sqlite/,
			/^file \.n8n\/n8nEventLog\.log/,
			/^file start-\d+\.log/,
			/^table execution_data\./,
		];
		expect(kinds.filter((kind) => !found.some(({ path }) => kind.test(path)))).toEqual([]);
		expect(found.map(({ encoding }) => encoding)).toEqual(
			expect.arrayContaining(['as it is', 'in JSON', 'URL-encoded', 'base64']),
		);
	});

	it('stores and logs no secret', () => {
		expect(search.hits.filter(({ secret }) => secret !== planted.name)).toEqual([]);
	});
});
