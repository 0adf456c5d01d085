/** The examples that begin with a form, filled in as an employee and a clerk do, in a real n8n. */
import { readFileSync } from 'node:fs';
import { exampleWorkflow } from '../../dev/package/workflow-file.mts';
import { openBrowser } from './editor/browser.mts';
import { picture } from './editor/pictures.mts';
import {
	activateForm,
	approveAddress,
	askForAddress,
	formAddress,
	formLogin,
	uploadAddresses,
} from '../../dev/n8n/examples.mts';
import { succeeded, useStage } from './setUp.mts';
import { fromXlsx, toXlsx } from './spreadsheets.mts';

jest.setTimeout(5 * 60_000);

describe('the examples with a form in n8n 2.41.1', () => {
	const stage = useStage({ version: '2.41.1' });

	/** How often each SOAP operation was executed in this test. */
	const executed = async () => (await stage.sandbox.stats()).soapExecuted;

	describe('an address change', () => {
		const draft = exampleWorkflow('address-change-with-approval.json');
		let workflow: string;

		beforeAll(async () => {
			workflow = await activateForm(stage, draft);
		});

		it('is asked only of those who have the login', async () => {
			const address = await formAddress(stage, workflow);
			expect((await fetch(address)).status).toBe(401);
			const body = new FormData();
			body.set('field-0', '1001');
			expect((await fetch(address, { method: 'POST', body })).status).toBe(401);
			const Authorization = `Basic ${Buffer.from('clerk:guess').toString('base64')}`;
			expect((await fetch(address, { headers: { Authorization } })).status).toBe(401);
			expect(await stage.api.executions({ workflowId: workflow })).toEqual([]);
		});

		afterAll(async () => await stage.api.deactivate(workflow));

		it('is inserted once it is approved', async () => {
			const asked = await askForAddress(stage, workflow, { Street: '<a href="/">Gracht</a>' });
			// The employee's own execution has ended, so that the employee cannot approve.
			expect(asked.employee.mode).toBe('webhook');
			expect(asked.employee.runs('Wait for Approval')).toEqual([]);
			const page = await (await fetch(asked.approve)).text();
			// What the employee typed is shown without its HTML.
			expect(/<p style="white-space: pre-line">(.*?) *<\/p>/.exec(page)?.[1]).toBe(
				'Employee 1001: a href="/"Gracht/a 12 3512 LC Utrecht NL',
			);
			expect(await executed()).toEqual({});

			const done = succeeded(await approveAddress(stage, asked));
			expect(done.items('Insert Address')).toEqual([
				{
					...{ EmployeeId: 1001, Period: 6, Year: 2026 },
					...{ Id: expect.any(Number) as number, created: true },
				},
			]);
			const requests = await stage.sandbox.requests();
			const body = requests.find((request) => request.body.includes('<Address_Insert '))?.body;
			expect(body).toContain('<Street>&lt;a href="/"&gt;Gracht&lt;/a&gt;</Street>');
			expect(body).toContain('<Type>HomeAddress</Type></Address><Period>6</Period>');

			// The link works once.
			expect(await (await fetch(asked.approve)).text()).not.toContain('Approve');
			expect(await executed()).toEqual({ Address_GetListCurrent: 1, Address_Insert: 1 });
		});

		it('is not inserted if the approver rejects it, or by anybody without the link', async () => {
			const asked = await askForAddress(stage, workflow);
			const withoutToken = new URL(asked.approve);
			withoutToken.search = '';
			expect((await fetch(withoutToken)).status).toBe(401);
			const done = succeeded(await approveAddress(stage, asked, { Approve: 'No' }));
			expect(done.items('Not Approved')).toHaveLength(1);
			expect(done.runs('Insert Address')).toEqual([]);
			expect(await executed()).toEqual({});
		});
	});

	describe('a spreadsheet of addresses', () => {
		const columns = [
			...['Employee ID', 'Street', 'House Number', 'House Number Addition', 'Postal Code'],
			...['City', 'Country ISO Code', 'Name'],
		];
		const rows = [
			[1001, 'Nieuwe Gracht & Kade', 12, '', '3512 LC', 'Utrecht', 'NL', 'X'],
			['1002', 'Hauptstraße', '007', 'B', '01067', 'Dresden', 'DE', 'Y'],
			[9999, 'Dorpsstraat', 1, null, '1234 AB', 'Ons Dorp', 'NL', 'Z'],
			[1003, 'Oude Gracht', null, null, '3511 AP', 'Utrecht', 'NL', ''],
		];
		const bom = '\uFEFF';
		const csv = (delimiter: string): string =>
			bom + [columns, ...rows].map((row) => row.join(delimiter)).join('\r\n');
		const insert = 'Insert the addresses';
		let workflow: string;

		beforeAll(async () => {
			workflow = await activateForm(stage, exampleWorkflow('addresses-from-spreadsheet.json'));
		});

		afterAll(async () => await stage.api.deactivate(workflow));

		it.each<[string, () => Promise<Uint8Array | string>]>([
			['addresses.xlsx', async () => await toXlsx([columns, ...rows])],
			['Semicolons.CSV', async () => csv(';')],
			['commas.csv', async () => csv(',')],
		])('is tried, inserted, corrected and started again: %s', async (name, content) => {
			const upload = async (
				file: Uint8Array | string,
				run: Parameters<typeof uploadAddresses>[3],
				fileName = name,
			) => await uploadAddresses(stage, workflow, new File([file], fileName), run);
			const dry = await upload(await content(), 'Dry run: insert nothing');
			succeeded(dry.execution);
			expect(dry.page.title).toBe('2 of 4 rows failed');
			expect(dry.page.message).toMatch(/^This was a dry run: nothing was inserted\. /);
			expect(Object.keys(await executed())).toEqual(['Address_GetListCurrent']);

			const wet = await upload(await content(), insert);
			succeeded(wet.execution);
			expect(wet.page.title).toBe('2 of 4 rows failed');
			expect((await executed()).Address_Insert).toBe(2);
			const bodies = (await stage.sandbox.requests()).map(({ body }) => body);
			const inserts = bodies.filter((body) => body.includes('<Address_Insert '));
			for (const [index, address] of [
				'<Street>Nieuwe Gracht &amp; Kade</Street><HouseNumber>12</HouseNumber>' +
					'<HouseNumberAddition></HouseNumberAddition><PostalCode>3512 LC</PostalCode>',
				'<Street>Hauptstraße</Street><HouseNumber>007</HouseNumber>' +
					'<HouseNumberAddition>B</HouseNumberAddition><PostalCode>01067</PostalCode>',
			].entries()) {
				expect(inserts[index]).toContain(address);
			}

			const failures = wet.page.files.get('addresses-to-correct.xlsx') ?? Buffer.alloc(0);
			const table = await fromXlsx(failures);
			const [header = [], ...failed] = table;
			expect([...header].sort()).toEqual([...columns, 'Error'].sort());
			const cell = (row: unknown[], column: string): unknown => row[header.indexOf(column)];
			expect(failed.map((row) => [cell(row, 'Employee ID'), cell(row, 'Name') ?? ''])).toEqual([
				['9999', 'Z'],
				['1003', ''],
			]);
			expect(cell(failed[0] ?? [], 'Error')).toMatch(/^Employee 9999 does not exist\./);
			expect(cell(failed[1] ?? [], 'Error')).toBe('No value in: House Number');

			const correct = (row: unknown[]): unknown[] =>
				row.map((value, index) => {
					if (header[index] === 'Employee ID' && value === '9999') return '1004';
					return header[index] === 'House Number' ? (value ?? '5') || '5' : value;
				});
			const corrected = await toXlsx([header, ...failed.map(correct)]);
			const last = await upload(corrected, insert, 'addresses-to-correct.xlsx');
			succeeded(last.execution);
			expect(last.page).toEqual({
				title: 'The addresses are inserted',
				message: '2 new, 0 already there.',
				files: new Map(),
			});
			expect((await executed()).Address_Insert).toBe(4);

			const again = await upload(await content(), insert);
			expect(again.execution.items('Insert Address')).toMatchObject([
				{ EmployeeId: 1001, created: false },
				{ EmployeeId: 1002, created: false },
			]);
			expect((await executed()).Address_Insert).toBe(4);
		});

		it('is uploaded by a clerk in a browser, which saves the rows that failed', async () => {
			const browser = await openBrowser();
			try {
				const { user: username, password } = formLogin;
				const context = await browser.newContext({ httpCredentials: { username, password } });
				const page = await context.newPage();
				await page.setViewportSize({ width: 900, height: 700 });
				await page.goto(await formAddress(stage, workflow));
				await page.getByLabel('Spreadsheet').setInputFiles({
					...{ name: 'addresses.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(';')) },
				});
				await page.getByLabel('Period').fill('6');
				await page.getByLabel('Year').fill('2026');
				await picture(page, 'example-form', [page.locator('#n8n-form')], {
					docs: true,
					margin: 20,
				});
				await page.getByLabel('Run').selectOption(insert);
				const download = page.waitForEvent('download');
				await page.getByRole('button', { name: 'Submit' }).click();
				expect((await download).suggestedFilename()).toBe('addresses-to-correct.xlsx');
				await page.getByRole('heading', { name: '2 of 4 rows failed' }).waitFor();
				const file = readFileSync(await (await download).path());
				expect(await fromXlsx(file)).toHaveLength(3);
				await picture(page, 'example-failures', [page.locator('.card')], { margin: 20 });
			} finally {
				await browser.close();
			}
			expect((await executed()).Address_Insert).toBe(2);
		});

		it('is not taken without the login, nor its last page shown without the link', async () => {
			const address = await formAddress(stage, workflow);
			expect((await fetch(address)).status).toBe(401);
			const [last] = await stage.api.executions({ workflowId: workflow });
			const page = await fetch(`${stage.n8n.url}/form-waiting/${last?.id}`);
			expect(page.status).toBe(401);
		});

		it('fails without inserting anything if it has no rows', async () => {
			const file = new File([await toXlsx([columns])], 'addresses.xlsx');
			await expect(uploadAddresses(stage, workflow, file, insert)).rejects.toThrow('ended: error');
			const [last] = await stage.api.ended(workflow, 1);
			expect(last?.error?.message).toContain('has no rows');
			expect(await executed()).toEqual({});
		});
	});
});
