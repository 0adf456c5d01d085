/** Counts what a user clicks, to compare ways through a form. */
import type { Page } from 'playwright-core';

/** Begins to count the clicks in a window; gives a function that tells how many there were. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
	let clicks = 0;
	const name = `countClick${Date.now()}`;
	await page.exposeFunction(name, () => {
		clicks += 1;
	});
	await page.addInitScript((listener) => {
		const tell = (globalThis as unknown as Record<string, () => void>)[listener];
		document.addEventListener('click', ({ isTrusted }) => isTrusted && tell?.(), true);
	}, name);
	return async () => {
		await page.waitForTimeout(100);
		return clicks;
	};
}
