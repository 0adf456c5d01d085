/** The messages that n8n shows in a corner for a while. */
import type { Page } from 'playwright-core';

/** Closes all messages, so that the next one is new. */
export async function dismissMessages(page: Page): Promise<void> {
	const messages = page.locator('.el-notification');
	for (const message of (await messages.all()).reverse()) {
		// It may have disappeared in the meantime.
		await message
			.locator('.el-notification__closeBtn')
			.click({ timeout: 2_000 })
			.catch(() => undefined);
	}
	await messages.first().waitFor({ state: 'hidden' });
}
