/** Every example as a person sees it who has imported the file in the editor. */
import type { Browser, Page } from 'playwright-core';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { exampleWorkflows } from '../../../dev/package/workflow-file.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { Canvas } from '../editor/canvas.mts';
import { picture } from '../editor/pictures.mts';
import { useStage } from '../setUp.mts';

/** A common screen. */
const screen = { width: 1920, height: 1080 };

const stage = useStage({ version: newestN8n });
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await openBrowser();
	page = await openWindow(browser, stage.api.session);
	await page.setViewportSize(screen);
});
afterAll(async () => await browser?.close());

it.each([...exampleWorkflows()])('%s has a note that can be read', async (file, draft) => {
	const canvas = new Canvas(page, stage.n8n.url);
	await canvas.importFile(`examples/${file}`);
	const names = draft.nodes.filter(({ id }) => id !== 'note').map(({ name }) => name);
	for (const name of names) {
		await page.locator(`[data-node-name="${name}"][data-test-id="canvas-node"]`).waitFor();
	}
	const note = page.getByTestId('sticky');
	await canvas.deselect();
	await picture(page, `canvas-${file.replace('.json', '')}`);

	// Nothing of the note is cut off.
	const hidden = await note.evaluate(({ firstElementChild: wrapper }) => {
		return wrapper.scrollHeight - wrapper.clientHeight;
	});
	expect(hidden).toBe(0);
});
