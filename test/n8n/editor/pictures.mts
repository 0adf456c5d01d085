/** Screenshots: all in the build folder, those of the pages in `docs` on request, with their texts. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { labelsIn } from '../../support/labels.mts';
import { PICTURES, recordedTexts, type PictureTexts } from '../../support/pictures.mts';
import { dismissMessages } from './messages.mts';
import { visibleTexts, type Clip } from './visible-texts.mts';

/** The folder of the pictures, which git ignores. */
const folder = join(process.cwd(), '.build', 'screenshots');

/** The pictures in `docs` are replaced only on request: their pixels differ a little each time. */
const replacesDocs = process.env.README_PICTURES === '1';

/** How to take a picture. */
interface PictureOptions {
	/** Whether a page uses it: its texts must be those of the picture in `docs`. */
	docs?: boolean;
	/** Space around the parts, in pixels. */
	margin?: number;
	/** Size of the window for this picture. */
	window?: { width: number; height: number };
}

/** Takes a picture of the page, or of the given parts of it. */
export async function picture(
	page: Page,
	name: string,
	parts: Locator[] = [],
	{ docs = false, margin = 0, window }: PictureOptions = {},
): Promise<void> {
	const usual = page.viewportSize();
	if (window) await page.setViewportSize(window);
	// Remove what the pointer and messages show.
	await page.mouse.move(1, 1);
	await dismissMessages(page);
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `${name}.png`);
	const clip = await around(page, parts, margin);
	await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip && { clip }) });
	if (docs) {
		if (!clip) throw new Error('A picture of a page shows parts of the window');
		const texts = await textsIn(page, clip);
		if (replacesDocs) replaceInDocs(path, `${name}.png`, texts);
		else expect({ [name]: texts }).toEqual({ [name]: recordedTexts()[`${name}.png`] });
	}
	if (window && usual) await page.setViewportSize(usual);
}

/** What can be read in a part of the page. */
async function textsIn(page: Page, clip: Clip): Promise<PictureTexts> {
	const all = await visibleTexts(page, clip);
	return {
		width: clip.width,
		labels: [...new Set(all.flatMap(labelsIn))].sort(),
		others: all.filter((text) => labelsIn(text).length === 0),
	};
}

/** Replaces a picture of the pages, and what can be read in it. */
function replaceInDocs(path: string, name: string, texts: PictureTexts): void {
	copyFileSync(path, join('docs', name));
	const all = Object.entries({ ...recordedTexts(), [name]: texts });
	const sorted = Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
	writeFileSync(PICTURES, `${JSON.stringify(sorted, null, '\t')}\n`);
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
