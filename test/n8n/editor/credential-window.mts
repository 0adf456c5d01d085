/** The window in which a credential is filled in and connected. */
import type { Locator, Page } from 'playwright-core';
import type { Connection } from '../../../dev/sandbox/options.mts';

/** The credential's window. */
export class CredentialWindow {
	constructor(readonly page: Page) {}

	get root(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	/** The redirect URL to register for the app. */
	get redirectUrl(): Locator {
		return this.root.getByTestId('copy-input');
	}

	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`);
	}

	/** The message that the account is connected. */
	get connected(): Locator {
		return this.root.getByTestId('oauth-connect-success-banner');
	}

	/** Types what the sandbox accepts. */
	async fillIn(sandbox: Connection): Promise<void> {
		const values: Record<string, string> = {
			appId: sandbox.clientId,
			appSecret: sandbox.clientSecret,
			subscriptionKey: sandbox.subscriptionKey,
			identityUrl: sandbox.url,
			restUrl: sandbox.url,
			soapUrl: sandbox.url,
			soapNamespace: sandbox.namespace,
			domain: sandbox.domain,
		};
		for (const [name, value] of Object.entries(values)) {
			await this.field(name).locator('input').fill(value);
		}
	}

	/** Chooses from a drop-down list. */
	async choose(name: string, option: string): Promise<void> {
		await this.field(name).click();
		const options = this.page.locator('.el-popper:visible [role=option]');
		await options
			.filter({ hasText: new RegExp(`^\\s*${option}`) })
			.first()
			.click();
	}

	/** Clicks "Connect"; gives the pop-up with the identity server's page. */
	async connect(): Promise<Page> {
		const popup = this.page.waitForEvent('popup');
		await this.root.getByTestId('oauth-not-connected-banner').getByRole('button').click();
		const page = await popup;
		await page.getByLabel('User name').waitFor();
		return page;
	}

	/** Opens the credential of the open node. */
	static async edit(page: Page): Promise<CredentialWindow> {
		await page.getByTestId('ndv').getByTestId('credential-edit-button').click();
		const window = new CredentialWindow(page);
		await window.root.waitFor();
		return window;
	}

	/**
	 * Closes it. n8n asks first: n8n 2 regards a multi-select as changed once it is shown, n8n 1 a changed account as
	 * not connected.
	 */
	async close(): Promise<void> {
		await this.root.locator('.el-dialog__headerbtn').click();
		const question = this.page.getByRole('dialog', {
			name: /Close without (?:saving|connecting)\?/,
		});
		const hidden = this.root.waitFor({ state: 'hidden' });
		await Promise.race([hidden, question.waitFor().catch(() => undefined)]);
		if (await question.isVisible()) {
			await question.getByRole('button', { name: 'Close', exact: true }).click();
		}
		await hidden;
	}
}
