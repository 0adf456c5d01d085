/** The example that waits for a report which the service makes in the background. */
import {
	exampleWorkflow,
	withFields,
	withParameters,
} from '../../../dev/package/workflow-file.mts';
import { succeeded, versions } from '../setUp.mts';
import { sending, useExamples } from './setUp.mts';

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

	it('has failed if the service says so, or refuses to say anything', async () => {
		await stage.sandbox.configure({ reportChecks: 1 });
		const failing = await examples.run(withFields(every(0.1), 'Settings', { year: 2019 }));
		expect(failing.error?.message).toBe('The service did not make the report: its status is Error');
		expect([failing.runs('Rows'), failing.runs('Not Ready')]).toEqual([[], []]);

		const lost = sending(every(0.1), 'Get Report', { TaskId: 'none' });
		const { error } = await examples.run(lost);
		expect(error?.message).toMatch(/^The service did not make the report: .*TaskId/);
	});
});
