/**
 * `npm run demo`: the package from connecting an account to the items of all six operations, on
 * n8n's engine against the sandbox. Ends with 0 only if all of it was right.
 */
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../sandbox/client.mts';
import { getHourCodes, soapCalls } from '../package/calls.mts';
import { Payroll } from '../package/payroll.mts';
import { sampleCompany } from '../package/sample-records.mts';

/** Items shown of each step. */
const ROWS = 8;

/** One workflow: input items, and a node that makes a call for each of them. */
interface Step {
	/** The service's own name of the operation. */
	readonly operation: string;
	readonly node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';
	readonly parameters: INodeParameters;
	readonly ids: readonly number[];
	/** The items of one input item, or a part of their fields. */
	readonly items: (id: number) => readonly IDataObject[];
}

/** The access token expires before this step, whose calls are sent at the same time. */
const AFTER_EXPIRY = 'Address_GetListCurrent';

const steps: readonly Step[] = [
	...soapCalls.map(({ name, node, parameters, id, items }): Step => {
		const ids = node === 'payrollCompany' ? [100, 200] : [id, id + 4, id + 8];
		return { operation: name, node, parameters, ids, items };
	}),
	{
		operation: 'GET hourcodes',
		node: 'payrollHourCodes',
		parameters: { ...getHourCodes, options: { pageSize: 10 } },
		ids: [100, 200],
		items: (CompanyId) => sampleCompany(CompanyId).hourCodes.map((row) => ({ CompanyId, ...row })),
	},
];

/** Whether an item has these fields; the service chooses the Id of a new record. */
const isAs = (item: IDataObject | undefined, fields: IDataObject | undefined): boolean =>
	item !== undefined && isDeepStrictEqual({ ...item, ...fields }, item);

/** How often the service has to carry out an operation: an update of cost centers reads first. */
function expectedCalls(name: string): number {
	const names = name === 'CostCenter_Get' ? [name, 'CostCenter_Update'] : [name];
	return steps
		.filter(({ operation }) => names.includes(operation))
		.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Runs everything and prints it; returns what was wrong. */
async function show(sandbox: SandboxClient): Promise<string[]> {
	const payroll = await Payroll.load();
	const credential = await payroll.connect(sandbox);
	console.log(`Payroll sandbox at ${sandbox.url}\n${sandbox.user} has logged in and given consent`);
	const problems: string[] = [];
	for (const { operation, node, parameters, ids, items } of steps) {
		if (operation === AFTER_EXPIRY) {
			await sandbox.expireAccessTokens();
			console.log('\n*** The access token expires: the service refuses it from here on ***');
		}
		const input = ids.map((id) => ({ id }));
		const result = await payroll.run(input, payroll.node(node, credential, parameters));
		const found = result.json('Payroll');
		console.log(`\n${operation}: ${input.length} items in, ${found.length} out`);
		console.table(found.slice(0, ROWS));
		if (result.error) problems.push(`${operation}: ${result.error.message}`);
		const expected = ids.flatMap(items);
		const wrong = Array.from({ length: Math.max(found.length, expected.length) }).findIndex(
			(_, index) => !isAs(found[index], expected[index]),
		);
		if (wrong >= 0) {
			const [is, should] = [found[wrong], expected[wrong]].map((one) => JSON.stringify(one));
			problems.push(`${operation}: item ${wrong} is ${is}, the service has ${should}`);
		}
	}
	const { refreshesSucceeded, refreshesRefused, soapExecuted } = await sandbox.stats();
	for (const { name } of soapCalls) {
		const count = expectedCalls(name);
		if (soapExecuted[name] !== count)
			problems.push(`${name} was called ${soapExecuted[name]} times`);
	}
	if (refreshesSucceeded !== 1 || refreshesRefused !== 0) {
		problems.push(`${refreshesSucceeded} refreshes succeeded, ${refreshesRefused} were refused`);
	}
	return [...problems, ...(await sandbox.requests()).flatMap(({ violations }) => violations)];
}

const sandbox = await launchSandbox({ schemaValidation: true });
try {
	const problems = await show(sandbox);
	const good = `\n${steps.length} operations, 1 token refresh, every result correct`;
	console.log(problems.length === 0 ? good : ['\nWhat was wrong:', ...problems].join('\n- '));
	process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
	await sandbox.stop();
}
