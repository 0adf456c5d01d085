/** The example that waits for a report which the service makes in the background. */
import {
	exampleWorkflow,
	withFields,
	withParameters,
} from '../../../dev/package/workflow-file.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { succeeded, versions } from '../setUp.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const start = 'Reports_Accountant_Company_EmployeeWageComponentsPerRunPeriod_Background';
const fetchIt = 'Reports_BackgroundTask_Result';

/** The example, which asks for the report after this time. */
const every = (amount: number) =>
	withParameters(exampleWorkflow('report-in-background.json'), 'Wait', () => ({ amount }));

describe.each(versions)('a report made in the background, in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;

	const row = (Number: string) => ({
		...{ Number, Name: `de Groot-100${Number} & Zn.`, Period: '6' },
		...{ Code: '2100', Value: '125,50' },
	});

	it('is asked for until it is ready, and then gives its rows', async () => {
		await stage.sandbox.configure({ reportChecks: 2 });
		const done = succeeded(await examples.run(every(0.1)));
		expect(done.items('Rows')).toEqual(['1', '2', '3'].map(row));
		expect(await examples.executed()).toEqual({ [start]: 1, [fetchIt]: 3 });
	});

	it('is not asked for more often than the settings say, and is then not failed but not ready', async () => {
		await stage.sandbox.configure({ reportChecks: 100 });
		const late = await examples.run(withFields(every(0.1), 'Settings', { tries: 3 }));
		expect(late.error?.message).toMatch(
			/^The report is not ready after 3 tries\. Its task is [\da-f-]{36}\.$/,
		);
		expect(await examples.executed()).toEqual({ [start]: 1, [fetchIt]: 3 });
		expect([late.runs('Rows'), late.runs('Report Failed')]).toEqual([[], []]);
	});

	it('has failed if the service says so, or refuses to say anything', async () => {
		await stage.sandbox.configure({ reportChecks: 1 });
		const failing = await examples.run(withFields(every(0.1), 'Settings', { year: 2019 }));
		expect(failing.error?.message).toBe('The service did not make the report: its status is Error');
		expect([failing.runs('Rows'), failing.runs('Not Ready')]).toEqual([[], []]);

		const lost = withParameters(every(0.1), 'Get Report', (given) => ({
			...given,
			operationParameters: { ...(given.operationParameters as object), value: { TaskId: 'none' } },
		}));
		const { error } = await examples.run(lost);
		expect(error?.message).toMatch(/^The service did not make the report: .*TaskId/);
	});

	const itInNewest = version === newestN8n ? it : it.skip;
	// n8n stores an execution that waits for longer than a minute, and counts the tries after that, too.
	itInNewest('is asked for again when n8n has stored the execution in the meantime', async () => {
		await stage.sandbox.configure({ reportChecks: 100 });
		const id = await stage.create(withFields(every(66), 'Settings', { tries: 2 }));
		const { error } = await stage.api.run(id, { timeout: 280_000 });
		expect(error?.message).toMatch(/not ready after 2 tries/);
		expect(await examples.executed()).toEqual({ [start]: 1, [fetchIt]: 2 });
	});
});
