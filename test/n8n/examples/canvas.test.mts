/** Every example as a person sees it who has imported the file in the editor. */
import type { Browser, Locator, Page } from 'playwright-core';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { exampleWorkflows } from '../../../dev/package/workflow-file.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { Canvas } from '../editor/canvas.mts';
import { picture } from '../editor/pictures.mts';
import { useStage } from '../setUp.mts';

/** The examples whose workflows docs/examples.md shows. */
const shown = [
	'addresses-from-spreadsheet',
	'changed-cost-centers',
	'cost-center-changes-with-audit',
	'fan-out',
];

/** A common screen. */
const screen = { width: 1920, height: 1080 };

/** The smallest text of a note that can be read, in pixels. */
const READABLE = 10;

const stage = useStage({ version: newestN8n });
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await openBrowser();
	page = await openWindow(browser, stage.api.session);
	await page.setViewportSize(screen);
});
afterAll(async () => await browser?.close());

/** Where a part stands on the screen, with its name. */
interface Place {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
}

const overlap = (one: Place, other: Place): boolean =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

/** The pairs of parts of which one covers the other. */
async function covered(parts: ReadonlyArray<readonly [string, Locator]>): Promise<string[]> {
	const places = await Promise.all(
		parts.map(async ([name, part]) => ({ name, ...(await boxOf(part)) })),
	);
	return places.flatMap((one, index) =>
		places
			.slice(index + 1)
			.filter((other) => overlap(one, other))
			.map((other) => `${one.name}, ${other.name}`),
	);
}

async function boxOf(part: Locator): Promise<Omit<Place, 'name'>> {
	const box = await part.boundingBox();
	if (!box) throw new Error('A part is not shown');
	return box;
}

it.each([...exampleWorkflows()])('%s has a note that can be read', async (file, draft) => {
	const canvas = new Canvas(page, stage.n8n.url);
	await canvas.importFile(`examples/${file}`);
	const names = draft.nodes.filter(({ id }) => id !== 'note').map(({ name }) => name);
	const nodes = names.map(
		(name) =>
			[name, page.locator(`[data-node-name="${name}"][data-test-id="canvas-node"]`)] as const,
	);
	for (const [, node] of nodes) await node.waitFor();
	const note = page.getByTestId('sticky');
	await canvas.deselect();
	await picture(page, `canvas-${file.replace('.json', '')}`);

	expect(await covered([['the note', note], ...nodes])).toEqual([]);
	for (const [, part] of [['', note] as const, ...nodes]) {
		const { x, y, width, height } = await boxOf(part);
		expect(Math.min(x, y)).toBeGreaterThan(0);
		expect(x + width).toBeLessThan(screen.width);
		expect(y + height).toBeLessThan(screen.height);
	}
	const { size, hidden } = await note.evaluate((element) => {
		const text = element.querySelector('p');
		const wrapper = element.firstElementChild;
		const scale = element.getBoundingClientRect().width / element.offsetWidth;
		return {
			size: parseFloat(element.ownerDocument.defaultView.getComputedStyle(text).fontSize) * scale,
			hidden: wrapper.scrollHeight - wrapper.clientHeight,
		};
	});
	expect(size).toBeGreaterThan(READABLE);
	expect(hidden).toBe(0);

	const name = file.replace('.json', '');
	if (shown.includes(name)) {
		// The page has the note as text.
		await note.evaluate((element) => element.remove());
		const ends = await page.getByTestId('canvas-handle-plus').all();
		const parts = [...nodes.map(([, node]) => node), ...ends];
		await picture(page, `example-${name}`, parts, { docs: true, margin: 55 });
	}
});
