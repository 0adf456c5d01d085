/** Screenshots: all in the build folder, those of the pages in `docs` on request. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { dismissMessages } from './messages.mts';

/** The folder of the pictures, which git ignores. */
const folder = join(process.cwd(), '.build', 'screenshots');

/** The pictures in `docs` are replaced only on request: their pixels differ a little each time. */
const replacesDocs = process.env.README_PICTURES === '1';

/** How to take a picture. */
interface PictureOptions {
	/** Whether a page uses it. */
	docs?: boolean;
	/** Space around the parts, in pixels. */
	margin?: number;
	/** Size of the window for this picture. */
	window?: { width: number; height: number };
	/** Whether a menu is open, which would close if the pointer moved. */
	hasMenu?: boolean;
}

/** Takes a picture of the page, or of the given parts of it. */
export async function picture(
	page: Page,
	name: string,
	parts: Locator[] = [],
	{ docs = false, margin = 0, window, hasMenu = false }: PictureOptions = {},
): Promise<void> {
	const usual = page.viewportSize();
	if (window) await page.setViewportSize(window);
	// Remove what the pointer and messages show.
	if (!hasMenu) {
		await page.mouse.move(1, 1);
		await dismissMessages(page);
	}
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `${name}.png`);
	const clip = await around(page, parts, margin);
	await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip && { clip }) });
	if (docs && replacesDocs) copyFileSync(path, join('docs', `${name}.png`));
	if (window && usual) await page.setViewportSize(usual);
}

/** A part of the page, in its own pixels. */
interface Clip {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** The rectangle that holds all parts, inside the window, in whole pixels. */
async function around(page: Page, parts: Locator[], margin: number): Promise<Clip | undefined> {
	const boxes = (await Promise.all(parts.map((part) => part.boundingBox()))).filter(
		(box) => box !== null,
	);
	if (boxes.length === 0) return undefined;
	const { width, height } = page.viewportSize() ?? { width: Infinity, height: Infinity };
	const left = Math.floor(Math.max(0, Math.min(...boxes.map((box) => box.x)) - margin));
	const top = Math.floor(Math.max(0, Math.min(...boxes.map((box) => box.y)) - margin));
	const right = Math.ceil(
		Math.min(width, Math.max(...boxes.map((box) => box.x + box.width)) + margin),
	);
	const bottom = Math.ceil(
		Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)) + margin),
	);
	return { x: left, y: top, width: right - left, height: bottom - top };
}
