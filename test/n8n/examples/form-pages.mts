/** The pages of an example's form, as somebody with its login goes through them in a browser. */
import type { Browser, Page } from 'playwright-core';
import { formLogin } from '../../../dev/n8n/examples.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import type { WorkflowDraft } from '../../../dev/package/workflow-file.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { activateForm, formAddress } from './forms.mts';

/** A spreadsheet: the path of one, or its content. */
type Sheet = string | Uint8Array<ArrayBuffer>;

export class FormPages {
	constructor(
		readonly page: Page,
		readonly workflow: string,
		private readonly address: string,
	) {}

	/** The cells of the table on the page, row by row, without the names of the columns. */
	async table(): Promise<string[][]> {
		await this.page.getByRole('table').waitFor();
		const [, ...rows] = await this.page.getByRole('row').all();
		return await Promise.all(
			rows.map(async (row) => {
				const cells = await row.getByRole('cell').allInnerTexts();
				return cells.map((cell) => cell.trim());
			}),
		);
	}

	/** Uploads a spreadsheet with these numbers; gives the table of the next page. */
	async upload(sheet: Sheet, numbers: readonly number[]): Promise<string[][]> {
		await this.page.goto(this.address);
		const file =
			typeof sheet === 'string'
				? sheet
				: { name: 'sheet.xlsx', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(sheet) };
		await this.page.locator('input[type=file]').setInputFiles(file);
		const fields = await this.page.locator('input[type=number]').all();
		for (const [i, value] of numbers.entries()) await fields[i]?.fill(String(value));
		await this.page.locator('#submit-btn').click();
		return await this.table();
	}

	/** Answers the question of the page. */
	async answer(option: 'Yes' | 'No'): Promise<void> {
		await this.page.locator('select').selectOption(option);
		await this.page.locator('#submit-btn').click();
	}

	/** The table of the last page. */
	async results(): Promise<string[][]> {
		await this.page.getByText('Done').waitFor();
		return await this.table();
	}
}

/** Opens the form of an example for the tests of a block. */
export function useFormPages(stage: Stage, draft: WorkflowDraft): () => FormPages {
	let browser: Browser | undefined;
	let pages: FormPages | undefined;
	beforeAll(async () => {
		browser = await openBrowser();
		const page = await openWindow(browser, stage.api.session);
		const { user: username, password } = formLogin;
		await page.context().setHTTPCredentials({ username, password });
		const workflow = await activateForm(stage, draft);
		pages = new FormPages(page, workflow, await formAddress(stage, workflow));
	});
	afterAll(async () => await browser?.close());
	return () => pages as FormPages;
}
