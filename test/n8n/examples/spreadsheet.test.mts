/** The example that inserts addresses from a spreadsheet, filled in as a clerk does. */
import { readFileSync } from 'node:fs';
import { formLogin } from '../../../dev/n8n/examples.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { openBrowser } from '../editor/browser.mts';
import { picture } from '../editor/pictures.mts';
import { succeeded } from '../setUp.mts';
import { activateForm, formAddress, uploadAddresses } from './forms.mts';
import { useExamples } from './setUp.mts';
import { fromXlsx, toXlsx } from './spreadsheets.mts';

jest.setTimeout(5 * 60_000);

const examples = useExamples(newestN8n);
const { stage } = examples;

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
const csv = (delimiter: string): string =>
	[columns, ...rows].map((row) => row.join(delimiter)).join('\r\n');
const insert = 'Insert the addresses';

/** The requests that insert the first two rows. */
const inserts = [
	[1001, 'Nieuwe Gracht &amp; Kade', '12', '', '3512 LC', 'Utrecht', 'NL'],
	[1002, 'Hauptstraße', '007', 'B', '01067', 'Dresden', 'DE'],
].map(
	([id, street, number, addition, postalCode, city, country]) =>
		`<Address_Insert><EmployeeId>${id}</EmployeeId><Address><Street>${street}</Street>` +
		`<HouseNumber>${number}</HouseNumber>${addition && `<HouseNumberAddition>${addition}</HouseNumberAddition>`}` +
		`<PostalCode>${postalCode}</PostalCode><City>${city}</City>` +
		`<CountryISOCode>${country}</CountryISOCode><Type>HomeAddress</Type></Address>` +
		'<Period>6</Period><Year>2026</Year><UnprotectedMode>false</UnprotectedMode></Address_Insert>',
);

/** The inserts that were sent in this test. */
const inserted = async (): Promise<string[]> =>
	(await examples.sent()).filter((body) => body.startsWith('<Address_Insert>'));

let workflow: string;
beforeAll(async () => {
	workflow = await activateForm(stage, exampleWorkflow('addresses-from-spreadsheet.json'));
});

const upload = async (
	file: Uint8Array<ArrayBuffer> | string,
	name: string,
	run: Parameters<typeof uploadAddresses>[3] = insert,
) => await uploadAddresses(stage, workflow, new File([file], name), run);

/** The rows of the spreadsheet with those that failed; the first has the names of the columns. */
const failures = async ({ page }: Awaited<ReturnType<typeof upload>>): Promise<unknown[][]> =>
	await fromXlsx(page.files.get('addresses-to-correct.xlsx') ?? Buffer.alloc(0));

it('is tried, inserted, corrected and started again', async () => {
	const file = await toXlsx([columns, ...rows]);
	const dry = await upload(file, 'addresses.xlsx', 'Dry run: insert nothing');
	succeeded(dry.execution);
	expect(dry.page.title).toBe('2 of 4 rows failed');
	expect(dry.page.message).toMatch(/^This was a dry run: nothing was inserted\. /);
	expect(await inserted()).toEqual([]);

	const wet = await upload(file, 'addresses.xlsx');
	succeeded(wet.execution);
	expect(wet.page.title).toBe('2 of 4 rows failed');
	expect(await inserted()).toEqual(inserts);

	const [header = [], ...failed] = await failures(wet);
	expect([...header].sort()).toEqual([...columns, 'Error'].sort());
	const cell = (row: unknown[], column: string): unknown => row[header.indexOf(column)];
	expect(failed.map((row) => [cell(row, 'Employee ID'), cell(row, 'Name') ?? ''])).toEqual([
		['9999', 'Z'],
		['1003', ''],
	]);
	expect(cell(failed[0] ?? [], 'Error')).toMatch(/^TWK exception: Employee 9999 does not exist\./);
	expect(cell(failed[1] ?? [], 'Error')).toBe('No value in: House Number');

	const correct = (row: unknown[]): unknown[] =>
		row.map((value, index) => {
			if (header[index] === 'Employee ID' && value === '9999') return '1004';
			return header[index] === 'House Number' ? (value ?? '5') || '5' : value;
		});
	const corrected = await toXlsx([header, ...failed.map(correct)]);
	const last = await upload(corrected, 'addresses-to-correct.xlsx');
	succeeded(last.execution);
	expect(last.page).toEqual({
		title: 'The addresses are inserted',
		message: '2 new, 0 already there.',
		files: new Map(),
	});

	const again = await upload(file, 'addresses.xlsx');
	expect(again.execution.items('Insert Address')).toMatchObject([
		{ EmployeeId: 1001, created: false },
		{ EmployeeId: 1002, created: false },
	]);
	expect(await inserted()).toHaveLength(4);
});

it.each([
	['semicolons', `\uFEFF${csv(';')}`],
	['commas and empty rows', `${csv(',')}\r\n,,,,,,,\r\n`],
])('is inserted from CSV with %s', async (_, content) => {
	const { page } = await upload(content, 'Addresses.CSV');
	expect(page.title).toBe('2 of 4 rows failed');
	expect(await inserted()).toEqual(inserts);
});

it('is not inserted from CSV in another encoding than UTF-8', async () => {
	const latin = Buffer.from(csv(';'), 'latin1');
	const [header = [], ...failed] = await failures(await upload(Uint8Array.from(latin), 'a.csv'));
	const errors = failed.map((row) => row[header.indexOf('Error')]);
	expect(errors).toContain('Save the file as XLSX, or as CSV in UTF-8');
	expect(await inserted()).toEqual(inserts.slice(0, 1));
});

it.each([
	['it has no rows', columns.join(';'), 'has no rows'],
	['a cell has a delimiter', csv(';').replace('Kade', 'Kade, hoog'), 'not in csv format'],
])('fails without inserting anything if %s', async (_, content, message) => {
	await expect(upload(content, 'addresses.csv')).rejects.toThrow('ended: error');
	const [last] = await stage.api.ended(workflow, 1);
	expect(last?.error?.message).toContain(message);
	expect(await examples.sent()).toEqual([]);
});

it('is uploaded by a clerk in a browser, which saves the rows that failed', async () => {
	const browser = await openBrowser();
	try {
		const { user: username, password } = formLogin;
		const context = await browser.newContext({
			httpCredentials: { username, password },
			deviceScaleFactor: 2,
		});
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
			margin: 12,
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
	expect(await inserted()).toEqual(inserts);
});

it('is not taken without the login, nor its last page shown without the link', async () => {
	const address = await formAddress(stage, workflow);
	expect((await fetch(address)).status).toBe(401);
	const [last] = await stage.api.executions({ workflowId: workflow });
	const page = await fetch(`${stage.n8n.url}/form-waiting/${last?.id}`);
	expect(page.status).toBe(401);
});
