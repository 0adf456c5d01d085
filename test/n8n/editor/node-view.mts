/** The opened node: its input on the left, its form in the middle, its output on the right. */
import type { Locator, Page } from 'playwright-core';
import { CredentialWindow } from './credential-window.mts';
import { dismissMessages } from './messages.mts';

/** The part of a form that holds certain fields: the whole form, a row of it, a collection in it. */
export class Form {
	constructor(
		readonly page: Page,
		readonly root: Locator,
	) {}

	/** A field, by its parameter's name. */
	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`);
	}

	/** Types a value into a field. */
	async type(name: string, value: string): Promise<void> {
		await this.field(name).locator('input, textarea').first().fill(value);
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

	/** Makes a field an expression, and types it. */
	async express(name: string, expression: string): Promise<void> {
		const field = this.page.getByTestId(`parameter-input-${name}`);
		const place = this.root.getByTestId('parameter-item').filter({ has: field }).last();
		await place.hover();
		await place.getByTestId('radio-button-expression').last().click();
		const editor = this.field(name).locator('.cm-content');
		await editor.click();
		await this.page.keyboard.press('ControlOrMeta+A');
		// Not typed key by key: the editor closes brackets by itself.
		await this.page.keyboard.insertText(`{{ ${expression} }}`);
		// The result is shown over the fields below as long as this one is edited.
		await this.page.getByTestId('ndv').getByTestId('tab-params').click();
	}

	/** Adds fields to a collection ("Add Field"), by their labels. */
	async addFields(...labels: string[]): Promise<void> {
		for (const label of labels) {
			await this.root.getByTestId('collection-parameter-add').first().click();
			await this.option(label).click();
		}
	}

	/** What a field's list offers, while it is open. */
	option(label: string): Locator {
		const exact = new RegExp(`^\\s*${label}\\s*$`);
		return this.page.locator('.el-popper:visible [role=option]').filter({ hasText: exact });
	}
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

	/** The name of the credential that is chosen. */
	async credentialName(): Promise<string> {
		return await this.root.getByTestId('node-credentials-select').locator('input').inputValue();
	}

	/** A collection of fields that are added on demand, by its label. */
	collection(label: string): Form {
		const item = this.root.getByTestId('parameter-item');
		const title = this.page.getByText(label, { exact: true });
		return new Form(this.page, item.filter({ has: title }).last());
	}

	/** A repeated record, by its parameter's name: adds a row and gives its form. */
	async addRow(name: string): Promise<Form> {
		const rows = this.root.getByTestId(`fixed-collection-${name}`);
		// Beside the fields that each row shows stands the collection of the others.
		const more = this.page.getByTestId('collection-parameter-add');
		const added = rows.getByTestId('parameter-item').filter({ has: more });
		const row = added.locator('xpath=..');
		const count = await row.count();
		await rows.getByTestId('fixed-collection-add').click();
		return new Form(this.page, row.nth(count));
	}

	/** "Connect to …" in a node that has no credential yet. */
	async createCredential(): Promise<CredentialWindow> {
		await this.root.getByTestId('node-credentials-empty-state').click();
		return new CredentialWindow(this.page);
	}

	/** "Execute step", to its end, good or bad. */
	async execute(): Promise<void> {
		await dismissMessages(this.page);
		await this.root.getByTestId('node-execute-button').click();
		const message = this.page.locator('.el-notification');
		await message
			.filter({ hasText: /executed|Problem/ })
			.first()
			.waitFor();
	}

	/** Shows the output as a table; gives its rows, the heading among them. */
	async table(): Promise<Locator> {
		await this.output.getByTestId('radio-button-table').click();
		return this.output.locator('table tr');
	}

	/** Back to the canvas. */
	async close(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.root.waitFor({ state: 'hidden' });
	}
}
