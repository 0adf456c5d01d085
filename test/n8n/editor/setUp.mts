/** The editor of a connected n8n, in a browser. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { newestN8n, type N8nVersion } from '../../../dev/n8n/install.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { useStage } from '../setUp.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';

/** An editor in which tests click. */
export class Editor {
	page!: Page;

	constructor(
		readonly stage: Stage,
		private readonly version: N8nVersion,
	) {}

	get canvas(): Canvas {
		return new Canvas(this.page, this.stage.n8n.url);
	}

	/** Whether pictures of this n8n are those of the pages. */
	get isNewest(): boolean {
		return this.version === newestN8n;
	}

	/** The name of a picture. */
	named(name: string): string {
		return this.isNewest ? name : `${name}-${this.version}`;
	}

	/** Opens the node of a new workflow, whose other parameters have their defaults. */
	async open(
		type: Parameters<typeof payrollNode>[0],
		parameters: INodeParameters,
		{ input = [{ id: 1001 }], ...more }: Partial<INode> & { input?: object[] } = {},
	): Promise<{ view: NodeView; id: string }> {
		const node = payrollNode(type, parameters, more);
		const id = await this.stage.create(chain('Opened', manualTrigger, ...itemsNode(input), node));
		await this.page.goto(`${this.stage.n8n.url}/workflow/${id}`);
		return { view: await this.canvas.open('Payroll'), id };
	}

	/** A test that takes a picture if it fails. */
	step(name: string, go: () => Promise<void>): void {
		it(name, async () => {
			try {
				await go();
			} catch (error) {
				await picture(this.page, this.named(`failure ${name}`)).catch(() => undefined);
				throw error;
			}
		});
	}
}

/** Opens the editor of an n8n of this version. */
export function useEditor(version: N8nVersion): Editor {
	const editor = new Editor(useStage({ version }), version);
	let browser: Browser | undefined;
	beforeAll(async () => {
		browser = await openBrowser();
		editor.page = await openWindow(browser, editor.stage.api.session);
	});
	afterAll(async () => await browser?.close());
	return editor;
}
