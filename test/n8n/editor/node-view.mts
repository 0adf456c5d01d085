/** The view of an open node: its input on the left, its form in the middle, its output on the right. */
import type { Locator, Page } from 'playwright-core';
import { CredentialWindow } from './credential-window.mts';
import { dismissMessages } from './messages.mts';

/** A form or a part of it: a row, a collection. */
export class Form {
	constructor(
		readonly page: Page,
		readonly root: Locator,
	) {}

	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`);
	}

	/** Types a value into a field. */
	async type(name: string, value: string): Promise<void> {
		await this.field(name).locator('input, textarea').first().fill(value);
	}

	/** Types values into fields, by their names. */
	async typeAll(values: Readonly<Record<string, string>>): Promise<void> {
		for (const [name, value] of Object.entries(values)) await this.type(name, value);
	}

	/** Chooses from a drop-down list. */
	async choose(name: string, option: string): Promise<void> {
		await this.field(name).click();
		await this.option(option).click();
	}

	/** Turns a switch. */
	async turn(name: string): Promise<void> {
		await this.field(name).locator('.el-switch').click();
	}

	/** Turns a field into an expression, and types it. */
	async express(name: string, expression: string): Promise<void> {
		const field = this.page.getByTestId(`parameter-input-${name}`);
		const place = this.root.getByTestId('parameter-item').filter({ has: field }).last();
		await place.hover();
		await place.getByTestId('radio-button-expression').last().click();
		const editor = this.field(name).locator('.cm-content');
		await editor.click();
		await this.page.keyboard.press('ControlOrMeta+A');
		// Inserted as a whole, since the editor adds closing brackets to typed ones.
		await this.page.keyboard.insertText(`{{ ${expression} }}`);
		// The preview of the result covers the fields below while this one has the focus.
		await this.page.getByTestId('ndv').getByTestId('tab-params').click();
	}

	/** Adds fields to a collection ("Add Field"), by their labels. */
	async addFields(...labels: string[]): Promise<void> {
		for (const label of labels) {
			await this.root.getByTestId('collection-parameter-add').first().click();
			await this.option(label).click();
		}
	}

	/** An option of the drop-down list that is open. */
	option(label: string): Locator {
		const exact = new RegExp(`^\\s*${label.replace(/[()]/g, '\\$&')}\\s*$`);
		return this.page.locator('.el-popper:visible [role=option]').filter({ hasText: exact });
	}
}

/** A resource locator: a value that is chosen from a list or typed. */
export class ResourceLocator {
	constructor(
		readonly page: Page,
		readonly root: Locator,
	) {}

	get input(): Locator {
		return this.root.locator('input[data-test-id=rlc-input]');
	}

	/** The entries of the open list. */
	get entries(): Locator {
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	/** Opens the list. */
	async open(): Promise<void> {
		await this.input.click();
	}

	/** Types words into the search of the open list, and waits until it has this many entries. */
	async search(words: string, count: number): Promise<void> {
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(words);
		await this.entries.nth(count).waitFor({ state: 'hidden' });
		await this.entries.nth(count - 1).waitFor();
	}

	/** Chooses from the list, by the beginning of an entry. */
	async pick(beginning: string): Promise<void> {
		await this.open();
		await this.entries.filter({ hasText: new RegExp(`^\\s*${beginning}\\b`) }).click();
	}
}

/** A resource mapper: fields of which some are added as needed. */
export class ResourceMapper extends Form {
	/** The names of the fields, from top to bottom. */
	async names(): Promise<string[]> {
		const fields = this.root.locator('.parameter-item [data-test-id^="parameter-input-"]');
		const ids = await fields.evaluateAll((all) =>
			all.map((field) => field.getAttribute('data-test-id') ?? ''),
		);
		const names = ids.map((id) => id.replace('parameter-input-', ''));
		// A text field has an inner one.
		return names.filter((name) => name !== 'field');
	}

	/** Adds a field, by its label. */
	async add(label: string): Promise<void> {
		const adder = this.root.getByTestId('add-fields-select');
		await adder.locator('button, input').first().click();
		await shownOption(this.page, label).click();
	}
}

/** An option of an open list or menu. */
function shownOption(page: Page, label: string): Locator {
	const options = page.locator('[role=option], [role=menuitem]');
	const exact = page.getByText(label, { exact: true });
	return options.filter({ visible: true, has: exact });
}

/** The opened node. */
export class NodeView extends Form {
	constructor(page: Page) {
		super(page, page.getByTestId('ndv'));
	}

	get input(): Locator {
		return this.root.getByTestId('ndv-input-panel');
	}

	get output(): Locator {
		return this.root.getByTestId('output-panel');
	}

	/** The node's own form, between its input and its output. */
	get main(): Locator {
		return this.root.getByTestId('node-parameters').locator('xpath=..');
	}

	get errorMessage(): Locator {
		return this.output.getByTestId('node-error-message');
	}

	get errorDescription(): Locator {
		return this.output.getByTestId('node-error-description');
	}

	async credentialName(): Promise<string> {
		return await this.root.getByTestId('node-credentials-select').locator('input').inputValue();
	}

	resourceLocator(name: string): ResourceLocator {
		return new ResourceLocator(this.page, this.root.getByTestId(`resource-locator-${name}`));
	}

	/** The resource mapper; no node has two. */
	get mapper(): ResourceMapper {
		return new ResourceMapper(this.page, this.root.getByTestId('resource-mapper-container'));
	}

	/** Adds a row to a repeated record, by its parameter's name; gives its form. */
	async addRow(name: string): Promise<Form> {
		const rows = this.root.getByTestId(`fixed-collection-${name}`);
		// Each row has a button that deletes it.
		const button = rows.getByTestId('fixed-collection-delete');
		// Around it is the row: `parameterItemWrapper` in n8n 2, `parameter-item-wrapper` in n8n 1.
		const isRow = 'contains(translate(@class, "IW-", "iw"), "parameteritemwrapper")';
		const row = button.locator(`xpath=ancestor::div[${isRow}][1]`);
		const count = await row.count();
		await rows.getByTestId('fixed-collection-add').click();
		return new Form(this.page, row.nth(count));
	}

	/** Clicks "Connect to …" in a node that has no credential yet. */
	async createCredential(): Promise<CredentialWindow> {
		await this.root.getByTestId('node-credentials-empty-state').click();
		return new CredentialWindow(this.page);
	}

	/** Clicks "Execute step", and waits for its success or failure. */
	async execute(): Promise<void> {
		await dismissMessages(this.page);
		await this.root.getByTestId('node-execute-button').click();
		const message = this.page.locator('.el-notification');
		await message
			.filter({ hasText: /executed|Problem/ })
			.first()
			.waitFor();
	}

	/** Shows the output as a table; gives its rows as text, the heading first. */
	async rows(): Promise<string[]> {
		await this.output.getByTestId('radio-button-table').click();
		return await this.output.locator('table tr').allInnerTexts();
	}

	/** Shows the output as a tree of fields, which is narrower than a table. */
	async showSchema(): Promise<void> {
		await this.output.getByTestId('radio-button-schema').click();
		await this.output.getByTestId('run-data-schema-item').first().waitFor();
	}

	/** Back to the canvas. */
	async close(): Promise<void> {
		// n8n 1 has a link instead of a button.
		const link = this.page.getByTestId('back-to-canvas');
		await this.page.getByTestId('ndv-close-button').or(link).click();
		await this.root.waitFor({ state: 'hidden' });
	}
}
