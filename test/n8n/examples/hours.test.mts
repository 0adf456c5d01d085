/** The example that adds hours from a spreadsheet, as a clerk, an approver and a reader of the report meet it. */
import type { Execution } from '../../../dev/n8n/api.mts';
import { formLogin } from '../../../dev/n8n/examples.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { succeeded, until, versions } from '../setUp.mts';
import { activateForm, formAddress, sendForm } from './forms.mts';
import { smtpData, useMailServer, type Mail } from './mail.mts';
import { useExamples } from './setUp.mts';
import { fromXlsx, toXlsx } from './spreadsheets.mts';

jest.setTimeout(5 * 60_000);

const mail = useMailServer();
const draft = exampleWorkflow('hours-from-spreadsheet.json');

const columns = ['Employee ID', 'Hour Code', 'Hours', 'Name'];
const rows = [
	[1001, 2200, 4.25, 'new'],
	['1002', '2100', '8,0', 'same'],
	[1002, 2300, '7,5', 'new, too'],
	[1003, 2100, 6, 'other hours'],
	[9999, 2200, 1, 'unknown'],
	[1004, 'U001', 1, '<b>a</b>'],
	[1005, 2200, '1.250', 'one or a thousand'],
	[null, null, null, null],
	[1006, 22, 3, 'refused by the service'],
	[1007, 2200, 1, 'twice'],
	['01007', 2200, 2, 'twice'],
	['Total', null, 40, ''],
];

describe.each(versions)('hours from a spreadsheet, in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;
	let workflow: string;

	beforeAll(async () => {
		const smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
		workflow = await activateForm(stage, draft, { smtp });
	});

	/** A message to somebody, as soon as it is there; there is no other. */
	const mailTo = async (address: string): Promise<Mail> => {
		let found: Mail[] = [];
		await until(`there is a mail to ${address}`, () => (found = mail.received()).length > 0);
		expect(found.map(({ to }) => to)).toEqual([[address]]);
		return found[0] as Mail;
	};

	const upload = async (file: Uint8Array<ArrayBuffer> | string, name: string): Promise<void> => {
		const address = await formAddress(stage, workflow);
		const answers = { Spreadsheet: new File([file], name), Period: '6', Year: '2026' };
		await sendForm(address, answers, formLogin);
	};

	/** The link to the approver's form; a mail arrives a moment before n8n has stored the execution. */
	const linkIn = async ({ html }: Mail): Promise<string> => {
		await until('the execution waits', async () => {
			const all = await stage.api.executions({ workflowId: workflow });
			return all.every(({ status }) => status !== 'running');
		});
		return (/href="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
	};

	/** Answers as the approver. */
	const decide = async (asked: Mail, Approve: 'Yes' | 'No'): Promise<void> => {
		await sendForm(await linkIn(asked), { Approve });
	};

	/** The rows that a message asks to approve. */
	const linesIn = ({ html }: Mail): string[] => html.match(/^.*Employee \d.*hours\b/gm) ?? [];

	/** The rows of the report: what was uploaded, and what came of it. */
	const report = async ({ files }: Mail): Promise<unknown[][]> => {
		const [header = [], ...all] = await fromXlsx(files.get('hours-report.xlsx') ?? Buffer.alloc(0));
		expect(header).toEqual(['Row', ...columns, 'Result', 'Reason']);
		return all.map((row) => [row[0], row[1], row[5], row[6] ?? '']);
	};

	const inserts = async (): Promise<string[]> =>
		(await examples.sent()).filter((body) => body.startsWith('<HourComponentVar_Insert>'));

	const ended = async (): Promise<Execution> => {
		const [last] = await stage.api.ended(workflow, 1);
		return succeeded(last);
	};

	it('are added after approval, and not again from the same sheet', async () => {
		await upload(await toXlsx([columns, ...rows]), 'hours.xlsx');
		const asked = await mailTo('approver@example.com');
		expect(asked.subject).toBe('Approve hours of period 6 of 2026');
		expect(asked.text).toContain('Rows to add: 3. Other rows of the sheet: 8.');
		expect(linesIn(asked)).toEqual([
			'Employee 1001, hour code 2200: 4.25 hours',
			'Employee 1002, hour code 2300: 7.5 hours',
			'Employee 1006, hour code 22: 3 hours',
		]);
		expect(await inserts()).toEqual([]);

		await decide(asked, 'Yes');
		const told = await mailTo('clerk@example.com');
		await ended();
		const unknown = expect.stringMatching(
			/^TWK exception: Employee 9999 does not exist\./,
		) as string;
		const expected = [
			[1, 1001, 'added', ''],
			[2, 1002, 'same', ''],
			[3, 1002, 'added', ''],
			[4, 1003, 'differs', 'The service has 8 of this code'],
			[5, 9999, 'refused', unknown],
			[6, 1004, 'refused', 'Hour Code is no number'],
			[7, 1005, 'refused', 'Hours is no number with at most two decimals'],
			[8, 1006, 'refused', expect.stringMatching(/no such code/) as string],
			[9, 1007, 'refused', 'The sheet has this employee and hour code twice'],
			[10, 1007, 'refused', 'The sheet has this employee and hour code twice'],
			[11, 'Total', 'refused', 'Employee ID is no number'],
		];
		expect(await report(told)).toEqual(expected);
		expect(told.text).toMatch(
			/^added: 2\nsame: 1\ndiffers: 1\nrefused: 7\nnot approved: 0\nunknown: 0/,
		);
		const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';
		expect((await inserts())[0]).toBe(
			'<HourComponentVar_Insert><EmployeeId>1001</EmployeeId><Hourcomponent><Id>0</Id>' +
				`<HourCode>2200</HourCode><Hours>4.25</Hours><CostCenterId ${xsi}/><CostUnitId ${xsi}/>` +
				'</Hourcomponent><Period>6</Period><Year>2026</Year>' +
				'<UnprotectedMode>false</UnprotectedMode></HourComponentVar_Insert>',
		);
		expect(await inserts()).toHaveLength(3);

		// Only the row that the service refused is still to be added.
		await upload(await toXlsx([columns, ...rows]), 'hours.xlsx');
		const again = await mailTo('approver@example.com');
		expect(linesIn(again)).toHaveLength(1);
		await decide(again, 'No');
		const last = await mailTo('clerk@example.com');
		const results = (await report(last)).map((row) => row[2]);
		expect(results.slice(0, 4)).toEqual(['same', 'same', 'same', 'differs']);
		expect(results[7]).toBe('not approved');

		// A clerk may as well upload the report.
		await upload(Uint8Array.from(last.files.get('hours-report.xlsx') ?? []), 'hours.xlsx');
		const third = await mailTo('approver@example.com');
		expect(linesIn(third)).toEqual(linesIn(again));
		await decide(third, 'No');
		expect((await report(await mailTo('clerk@example.com'))).map((row) => row[2])).toEqual(results);
		expect(await inserts()).toHaveLength(3);
	});

	it('are added once if the same sheet is approved twice', async () => {
		const csv = '\uFEFFEmployee ID;Hour Code;Hours;Name\r\n1001;2200;4,25;X';
		const asked: Mail[] = [];
		for (const _ of [1, 2]) {
			await upload(csv, 'hours.CSV');
			asked.push(await mailTo('approver@example.com'));
		}
		for (const [index, one] of asked.entries()) {
			await decide(one, 'Yes');
			const [row] = await report(await mailTo('clerk@example.com'));
			expect(row).toEqual([1, 1001, index === 0 ? 'added' : 'same', '']);
		}
		expect(await inserts()).toHaveLength(1);
	});

	it('are not added without the answer of the approver, and by nobody who guesses the link', async () => {
		await upload('Employee ID,Hour Code,Hours,Name\n1001,2200,4.25,X', 'hours.csv');
		const link = new URL(await linkIn(await mailTo('approver@example.com')));
		// Whoever checks the links of a mail opens them, and decides nothing.
		expect(await (await fetch(link)).text()).toContain('Approve hours');
		link.searchParams.delete('signature');
		expect((await fetch(link)).status).toBe(401);
		const body = new FormData();
		body.set('field-0', 'Yes');
		expect((await fetch(link, { method: 'POST', body })).status).toBe(401);
		const [waiting] = await stage.api.executions({ workflowId: workflow });
		expect(waiting?.status).toBe('waiting');
		expect(await inserts()).toEqual([]);
	});

	it('are reported without an approval if there is nothing to add', async () => {
		await upload('Employee ID,Hour Code,Hours,Name\n1001,2100,8,X\n,2100,8,Y', 'hours.csv');
		expect(await report(await mailTo('clerk@example.com'))).toEqual([
			[1, 1001, 'same', ''],
			[2, '', 'refused', 'Employee ID is no number'],
		]);
		await upload('Employee ID,Hour Code,Hours,Name\nx,2100,8,X', 'hours.csv');
		expect(await report(await mailTo('clerk@example.com'))).toEqual([
			[1, 'x', 'refused', 'Employee ID is no number'],
		]);
		await upload('Employee ID;Hour code;Hours;Name\n1001;2200;8;X', 'hours.csv');
		const { files } = await mailTo('clerk@example.com');
		const [, row] = await fromXlsx(files.get('hours-report.xlsx') ?? Buffer.alloc(0));
		expect(row?.at(-1)).toBe('The first row of the sheet has no Hour Code');
		expect(await inserts()).toEqual([]);
	});

	it('are wage components if other operations are chosen', async () => {
		const other = (text: string): string =>
			text
				.replaceAll('HourComponentVar_', 'WageComponentVar_')
				.replaceAll('Hourcomponent.HourCode', 'WageComponent.Code')
				.replaceAll('Hourcomponent.Hours', 'WageComponent.Value')
				.replaceAll('Hourcomponent.', 'WageComponent.');
		const nodes = JSON.parse(other(JSON.stringify(draft.nodes))) as typeof draft.nodes;
		const form = nodes.find(({ webhookId }) => webhookId);
		if (form) form.webhookId = '7d7a4d0c-52f4-4c0b-9b8e-2f4a8e1c6bff';
		const smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
		workflow = await activateForm(stage, { ...draft, nodes }, { smtp });
		await upload('Employee ID,Hour Code,Hours,Name\n1001,2100,125.5,X\n1001,2300,-12.5,Y', 'a.csv');
		await decide(await mailTo('approver@example.com'), 'Yes');
		expect(await report(await mailTo('clerk@example.com'))).toEqual([
			[1, 1001, 'same', ''],
			[2, 1001, 'added', ''],
		]);
		expect(await examples.executed()).toMatchObject({ WageComponentVar_Insert: 1 });
	});
});
