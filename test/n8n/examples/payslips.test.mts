/** The example that sends payslips by mail: to whom each of them came, and who got none. */
import type { IDataObject } from 'n8n-workflow';
import { pdf } from '../../../dev/sandbox/payday/pdf.mts';
import {
	exampleWorkflow,
	withFields,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { createExample } from '../../../dev/n8n/examples.mts';
import { succeeded, versions } from '../setUp.mts';
import { smtpData, useMailServer } from './mail.mts';
import { sending, useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const mail = useMailServer();
const draft = exampleWorkflow('payslips-by-mail.json');
const wet = withFields(draft, 'Settings', { send: true });

const home = (id: number): string => `home.${id}@payroll.example`;

/** The payslip that the service has. */
const payslip = (id: number, index = 1): Buffer =>
	Buffer.from(pdf(`Payslip ${index} of employee ${id}, run 7102`), 'base64');

describe.each(versions)('payslips by mail, in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;

	/** Runs the example; gives the rows of its report. */
	const report = async (workflow: WorkflowDraft): Promise<IDataObject[]> => {
		const smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
		const id = await createExample(stage, workflow, { smtp });
		return succeeded(await stage.api.run(id)).items('Report');
	};

	/** Who got which files, in the order of the addresses. */
	const delivered = () =>
		mail
			.received()
			.map(({ to, files }) => [to, [...files]] as const)
			.sort(([[one = '']], [[other = '']]) => one.localeCompare(other));

	const without = [
		[1002, 'Employee 1006 has the same e-mail address'],
		[1003, 'The record has no e-mail address'],
		[1005, 'The record does not have one e-mail address'],
		[1006, 'Employee 1002 has the same e-mail address'],
		[1007, 'There is no payslip in this run'],
		[9001, expect.stringMatching(/^TWK exception: Employee 9001 does not exist/) as string],
	];

	it('come to the addresses of their employees, and whoever gets none is a row of the report', async () => {
		const rows = await report(wet);
		expect(delivered()).toEqual([
			[[home(1001)], [['payslip-1001.pdf', payslip(1001)]]],
			[[home(1004)], [['payslip-1004-1.pdf', payslip(1004)]]],
			[[home(1004)], [['payslip-1004-2.pdf', payslip(1004, 2)]]],
		]);
		const notSent = rows.filter(({ Result }) => Result === 'not sent');
		expect(notSent.map(({ EmployeeId, Reason }) => [EmployeeId, Reason])).toEqual(without);
		const sent = rows.filter(({ Result }) => Result === 'sent');
		expect(sent.map(({ EmployeeId, Address }) => [EmployeeId, Address])).toEqual(
			[1001, 1004, 1004].map((id) => [id, home(id)]),
		);
		expect(rows).toHaveLength(9);
	});

	/** The payslip of 1001 belongs to a run that does not exist. */
	const lost = sending(wet, 'Get Payslips', {
		RunID: "={{ $json.EmployeeId < 1004 ? 1 : $('Settings').first().json.runId }}",
	});

	it.each([
		['an address that is refused', [home(1001)], wet, `No mailbox ${home(1001)}`],
		['one that cannot be fetched', [], lost, 'TWK exception: Run 1 does not exist'],
	])(
		'are sent to those alone who are named, and go on after %s',
		async (_, refused, given, reason) => {
			mail.refuse(...refused);
			const rows = await report(withFields(given, 'Settings', { only: '[1001, 1003, 1004]' }));
			expect(rows.map(({ EmployeeId, Result }) => [EmployeeId, Result])).toEqual([
				[1001, 'not sent'],
				[1003, 'not sent'],
				[1004, 'sent'],
				[1004, 'sent'],
			]);
			expect(rows[0]?.Reason).toContain(reason);
			expect(delivered()).toEqual([
				[[home(1004)], [['payslip-1004-1.pdf', payslip(1004)]]],
				[[home(1004)], [['payslip-1004-2.pdf', payslip(1004, 2)]]],
			]);
		},
	);
});
