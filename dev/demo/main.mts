/**
 * `npm run demo`: a sheet of cost centers is previewed, written and written again, by the built package on n8n's engine
 * against the sandbox. Ends with 0 only if every result is as expected.
 */
import '../engine/today.cjs';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { Payroll } from '../package/payroll.mts';
import { launchSandbox } from '../sandbox/client.mts';

/** The new shares of five employees. 1005 has 100 % on 4500, which the sheet forgets. */
const sheet = [
	{ 'Employee ID': 1001, 'Cost Center Code': '4100', Percentage: 60 },
	{ 'Employee ID': 1001, 'Cost Center Code': '4700', Percentage: 40 },
	{ 'Employee ID': 1002, 'Cost Center Code': '4300', Percentage: 27.5 },
	{ 'Employee ID': 1002, 'Cost Center Code': '4700', Percentage: 10 },
	{ 'Employee ID': 1003, 'Cost Center Code': '4500', Percentage: 0 },
	{ 'Employee ID': 1003, 'Cost Center Code': '4700', Percentage: 33.33 },
	{ 'Employee ID': 1004, 'Cost Center Code': '4600', Percentage: 12.5 },
	{ 'Employee ID': 1004, 'Cost Center Code': '4700', Percentage: 25 },
	{ 'Employee ID': 1005, 'Cost Center Code': '4700', Percentage: 40 },
];

/** What the sheet changes. */
const changes = {
	1001: '4100: 100 → 60 % · 4700: added, 40 %',
	1002: '4300: 37.5 → 27.5 % · 4700: added, 10 %',
	1003: '4500: 33.33 → 0 %, ends · 4700: added, 33.33 %',
	1004: '4600: 37.5 → 12.5 % · 4700: added, 25 %',
};

/** A row of the tables: what an item says. */
const rowOf = (item: IDataObject): IDataObject => {
	const shown = ['EmployeeId', 'changes', 'percentageTotal', 'written', 'verified', 'outcome'];
	return Object.fromEntries(shown.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
};

/** The rows that a run must give, and then the employee who fails. */
const rowsWith = (more: IDataObject, text?: string): IDataObject[] => [
	...Object.entries(changes).map(([id, own]) => ({
		...{ EmployeeId: Number(id), changes: text ?? own, percentageTotal: 100, ...more },
	})),
	{ EmployeeId: 1005, outcome: 'notApplied' },
];

const problems: string[] = [];
const check = (what: string, found: unknown, expected: unknown): void => {
	if (isDeepStrictEqual(found, expected)) return;
	problems.push(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
};

const sandbox = await launchSandbox({ schemaValidation: true });
try {
	const payroll = await Payroll.load();
	const credential = await payroll.connect(sandbox);
	const failures: string[] = [];

	/** Runs Cost Center: Update on the sheet, with its switches as they are by default; returns a row for each employee. */
	const update = async (dryRun: boolean): Promise<IDataObject[]> => {
		const parameters = {
			...{ resource: 'costCenter', operation: 'update', specifyCostCenteren: 'items' },
			...{ period: '6', year: '2026', dryRun },
		};
		const more = { onError: 'continueRegularOutput' } as const;
		const node = payroll.node('payrollEmployee', credential, parameters, more);
		return (await payroll.run(sheet, node)).json('Payroll').map((item) => {
			if (!item.error) return rowOf(item);
			const { message, request, outcome } = item.error as IDataObject;
			const { EmployeeId } = request as IDataObject;
			failures.push(`${String(EmployeeId)}: ${String(message)}`);
			return { EmployeeId, outcome };
		});
	};

	console.log(`A sheet of ${sheet.length} rows moves five employees to cost center 4700.\n`);
	const preview = await update(true);
	console.log('Dry Run: what would change. Nothing is written.');
	console.table(preview);
	check('Dry Run', preview, rowsWith({ written: false }));
	check('Calls after the dry run', (await sandbox.stats()).soapCalls.CostCenter_Update, undefined);

	await sandbox.expireAccessTokens();
	const written = await update(false);
	console.log('\nThe change, although the access token has expired: it is renewed on the way.');
	console.table(written);
	check('The change', written, rowsWith({ written: true, verified: true, outcome: 'applied' }));

	const nothing = { written: false, outcome: 'unchanged' };
	check('The same sheet again', await update(false), rowsWith(nothing, 'nothing changed'));
	console.log('\nThe same sheet again: nothing changed, nothing is sent.');

	const [reason = ''] = failures;
	console.log(`\nWho failed, each time:\n${reason}`);
	check('Who failed', failures, [reason, reason, reason]);
	const { soapExecuted, refreshesSucceeded, refreshesRefused } = await sandbox.stats();
	check('Updates', soapExecuted.CostCenter_Update, Object.keys(changes).length);
	check('Renewals', [refreshesSucceeded, refreshesRefused], [1, 0]);
	problems.push(...(await sandbox.requests()).flatMap(({ violations }) => violations));
	console.log(
		['', ...(problems.length > 0 ? problems : ['Every result is as expected.'])].join('\n'),
	);
	process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
	await sandbox.stop();
}
