/** Counts what a user clicks, to compare ways through a form. */
import type { Page } from 'playwright-core';

/** Begins to count the clicks in a window, from the next page on; gives a function that tells how many there were. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
	let clicks = 0;
	await page.exposeFunction('countClick', () => {
		clicks += 1;
	});
	await page.addInitScript(
		"addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)",
	);
	return async () => {
		// What was clicked last is told by then.
		await page.evaluate('countClick.name');
		return clicks;
	};
}
