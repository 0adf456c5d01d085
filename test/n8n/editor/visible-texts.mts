/** The texts that a person reads in a part of the page. */
import type { Page } from 'playwright-core';

/** A part of the page, in its own pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The texts in this part that nothing covers, and the contents of its fields, sorted; without ports and times, which change. */
export async function visibleTexts(page: Page, clip: Clip): Promise<string[]> {
	const found = await page.locator('body').evaluate((body, { x, y, width, height }) => {
		const document = body.ownerDocument;
		const texts: string[] = [];
		const isShown = (element: typeof body, box: Clip): boolean => {
			const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
			if (left < x || left > x + width || top < y || top > y + height) return false;
			const hit = document.elementFromPoint(left, top);
			if (hit?.contains(element) || element.contains(hit)) return true;
			// The canvas lets clicks through to what is behind its labels.
			return hit?.closest('.vue-flow')?.contains(element) === true;
		};
		const walker = document.createTreeWalker(body, 4);
		while (walker.nextNode()) {
			const node = walker.currentNode;
			if (!node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
				continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			const [line] = range.getClientRects();
			if (line && isShown(node.parentElement, line)) texts.push(node.data);
		}
		for (const field of body.querySelectorAll('input:not([type=password]), textarea')) {
			if (field.checkVisibility() && isShown(field, field.getBoundingClientRect()))
				texts.push(field.value || field.placeholder);
		}
		return texts;
	}, clip);
	const plain = found.map((text) =>
		text
			.replace(/\s+/g, ' ')
			.replace(/(?<=127\.0\.0\.1):\d+/, '')
			.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/, 'a time')
			.trim(),
	);
	return [...new Set(plain)].filter((text) => /\p{L}/u.test(text)).sort();
}
