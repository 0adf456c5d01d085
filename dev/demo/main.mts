/**
 * `npm run demo`: the package from connecting an account to the items of all six operations, on
 * n8n's engine against the sandbox. Ends with 0 only if all of it was right.
 */
import type { IDataObject } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../sandbox/client.mts';
import { Payroll } from '../package/payroll.mts';
import { stepProblems, totalProblems } from './checks.mts';
import { Service } from './service.mts';
import { stepAfterExpiry, steps } from './steps.mts';

/** Items shown of each step. */
const ROWS = 8;

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

/** Runs everything and prints it; gives the closing line, and what was wrong. */
async function show(sandbox: SandboxClient): Promise<{ summary: string; problems: string[] }> {
	const payroll = await Payroll.load();
	const credential = await payroll.connect(sandbox);
	console.log(`Payroll sandbox at ${sandbox.url}\n${sandbox.user} has logged in and given consent`);
	const service = new Service(sandbox, async () => await payroll.accessToken(credential));

	const problems: string[] = [];
	let total = 0;
	let items: IDataObject[] = [];
	for (const step of steps) {
		const afterExpiry = step === stepAfterExpiry;
		if (afterExpiry) {
			await sandbox.expireAccessTokens();
			console.log('\n*** The access token expires: the service refuses it from here on ***');
		}
		const input = step.input(items);
		const before = await sandbox.stats();
		const node = payroll.node(step.node, credential, step.parameters);
		const result = await payroll.run(input, node);
		const after = await sandbox.stats();
		items = result.json('Payroll');
		total += items.length;

		console.log(`\n${step.title} – ${step.operation}`);
		console.table(items.slice(0, ROWS).map((item) => cells(item, step.columns)));
		if (items.length > ROWS) console.log(`… ${items.length - ROWS} more`);
		const counts = `${count(input.length, 'item')} in, ${count(items.length, 'item')} out`;
		const refreshes = count(after.refreshesSucceeded, 'token refresh', 'token refreshes');
		console.log(`${counts}; ${refreshes} so far`);

		const expected = await step.expect(input, service);
		const run = { step, inputs: input.length, result, expected, before, after, afterExpiry };
		problems.push(...stepProblems(run));
	}

	const stats = await sandbox.stats();
	const violations = (await sandbox.requests()).flatMap((request) => request.violations);
	problems.push(...totalProblems(stats, violations));
	const refreshes = count(stats.refreshesSucceeded, 'refresh', 'refreshes');
	return { summary: `${steps.length} operations, ${count(total, 'item')}, ${refreshes}`, problems };
}

let status = 1;
let sandbox: SandboxClient | undefined;
try {
	sandbox = await launchSandbox({ schemaValidation: true });
	const { summary, problems } = await show(sandbox);
	if (problems.length === 0) status = 0;
	console.log(`\n${status === 0 ? summary : ['What was wrong:', ...problems].join('\n- ')}`);
} catch (error) {
	console.error(error);
} finally {
	await sandbox?.stop();
}
process.exitCode = status;
