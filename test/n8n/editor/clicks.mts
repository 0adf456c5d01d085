/** Counts a user's clicks. */
import type { Page } from 'playwright-core';

/** Counts the clicks in a window from the next page on; gives a function that returns their number. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
	let clicks = 0;
	await page.exposeFunction('countClick', () => {
		clicks += 1;
	});
	await page.addInitScript(
		"addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)",
	);
	return async () => {
		// The last click has been counted once this returns.
		await page.evaluate('countClick.name');
		return clicks;
	};
}
