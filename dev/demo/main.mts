/**
 * `npm run demo`: the package from connecting an account to the items of all six operations, on
 * n8n's engine against the sandbox. Ends with 0 only if all of it was right.
 */
import { Console } from 'node:console';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { IDataObject } from 'n8n-workflow';
import type { Action, Resources } from '../../nodes/shared/run/action.ts';
import { launchSandbox, type SandboxClient } from '../sandbox/client.mts';
import { Payroll, storedSecrets } from '../package/payroll.mts';
import { stepProblems, totalProblems } from './checks.mts';
import { Service } from './service.mts';
import { stepAfterExpiry, steps, type Step } from './steps.mts';

/** Items shown of each step. */
const ROWS = 8;

/** Everything printed, to be searched for secrets. */
let printed = '';
const terminal = new Console(
	new Writable({
		write(text: Buffer, _encoding, done) {
			printed += String(text);
			process.stdout.write(text, done);
		},
	}),
);

function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}

/** The values of an item's fields, which are named with dots where they are nested. */
function cells(item: IDataObject, names: readonly string[]): IDataObject {
	const valueOf = (name: string): unknown =>
		name
			.split('.')
			.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], item);
	return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as IDataObject;
}

/** A step's operation in the built package, and its title. */
function actionOf({ node, parameters }: Step): { action: Action; title: string } {
	const name = node.charAt(0).toUpperCase() + node.slice(1);
	const file = join(process.cwd(), 'dist', 'nodes', name, 'actions.js');
	const { resources } = createRequire(file)(file) as { resources: Resources };
	const resource = resources[parameters.resource];
	const action = resource?.operations[parameters.operation];
	if (action === undefined) throw new Error(`${name} does not offer ${parameters.operation}`);
	return { action, title: `${resource?.name}: ${action.name} – ${action.operation}` };
}

/** Runs everything and prints it; gives the closing line, and what was wrong. */
async function show(sandbox: SandboxClient): Promise<{ summary: string; problems: string[] }> {
	const payroll = await Payroll.load();
	const credential = await payroll.connect(sandbox);
	terminal.log(`Payroll sandbox at ${sandbox.url}\n${sandbox.user} has logged in and given consent`);
	const stored = async () => await payroll.credentials.stored(credential);
	const secrets = [sandbox.password, ...storedSecrets(await stored())];
	const service = new Service(sandbox, async () => await payroll.accessToken(credential));

	const problems: string[] = [];
	let total = 0;
	let items: IDataObject[] = [];
	for (const step of steps) {
		const { action, title } = actionOf(step);
		const afterExpiry = step === stepAfterExpiry;
		if (afterExpiry) {
			await sandbox.expireAccessTokens();
			terminal.log('\n*** The access token expires: the service refuses it from here on ***');
		}
		const input = step.input(items);
		const before = await sandbox.stats();
		const node = payroll.node(step.node, credential, step.parameters);
		const result = await payroll.run(input, node);
		const after = await sandbox.stats();
		items = result.json('Payroll');
		total += items.length;

		terminal.log(`\n${title}`);
		terminal.table(items.slice(0, ROWS).map((item) => cells(item, step.columns)));
		if (items.length > ROWS) terminal.log(`… ${items.length - ROWS} more`);
		const counts = `${count(input.length, 'item')} in, ${count(items.length, 'item')} out`;
		const refreshes = count(after.refreshesSucceeded, 'token refresh', 'token refreshes');
		terminal.log(`${counts}; ${refreshes} so far`);

		const expected = await step.expect(input, service);
		const run = { action, inputs: input.length, result, expected, before, after, afterExpiry };
		problems.push(...stepProblems(run));
	}

	const stats = await sandbox.stats();
	const violations = (await sandbox.requests()).flatMap((request) => request.violations);
	problems.push(...totalProblems(stats, violations));
	secrets.push(...storedSecrets(await stored()));
	if (secrets.some((secret) => printed.includes(secret))) {
		problems.push('a secret was printed');
	}
	const refreshes = count(stats.refreshesSucceeded, 'refresh', 'refreshes');
	return { summary: `${steps.length} operations, ${count(total, 'item')}, ${refreshes}`, problems };
}

let status = 1;
let sandbox: SandboxClient | undefined;
try {
	sandbox = await launchSandbox({ schemaValidation: true });
	const { summary, problems } = await show(sandbox);
	if (problems.length === 0) status = 0;
	terminal.log(`\n${status === 0 ? summary : ['What was wrong:', ...problems].join('\n- ')}`);
} catch (error) {
	console.error(error);
} finally {
	await sandbox?.stop();
}
process.exitCode = status;
