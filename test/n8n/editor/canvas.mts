/** The editor's canvas and its panel of nodes. */
import type { Locator, Page } from 'playwright-core';
import { NodeView } from './node-view.mts';

/** The canvas of a workflow. */
export class Canvas {
	constructor(
		readonly page: Page,
		readonly origin: string,
	) {}

	/** Opens a new workflow with a manual trigger. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.origin}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').click();
		await this.panel.getByText('Trigger manually', { exact: true }).click();
		await this.node('When clicking').waitFor();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** Opens a new workflow and imports a file into it. */
	async importFile(file: string): Promise<void> {
		await this.page.goto(`${this.origin}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
		await this.page.getByTestId('workflow-import-input').setInputFiles(file);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** The panel of nodes. */
	get panel(): Locator {
		return this.page.getByTestId('node-creator');
	}

	/** The names in the panel, from top to bottom, once this one is among them. */
	async listed(expected: string): Promise<string[]> {
		await this.panel.getByText(expected, { exact: true }).waitFor();
		return await this.panel.getByTestId('node-creator-item-name').allInnerTexts();
	}

	/** Opens the panel, and types words into its search. */
	async search(words: string): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** Chooses a node from the panel, which then lists its actions. */
	async pickNode(name: string): Promise<void> {
		await this.panel.getByText(name, { exact: true }).click();
		// Wait until the list of nodes is gone; only nodes have descriptions.
		const nodes = this.panel.getByTestId('node-creator-item-description');
		await nodes.first().waitFor({ state: 'detached' });
	}

	/** Chooses an action; gives the view of the new node. */
	async pickAction(name: string): Promise<NodeView> {
		await this.panel.getByText(name, { exact: true }).click();
		return await this.opened();
	}

	/** Adds a node with an action after the last one; gives its view. */
	async add(node: string, action: string): Promise<NodeView> {
		await this.search('payroll');
		await this.pickNode(node);
		return await this.pickAction(action);
	}

	/** A node on the canvas, by a part of its name. */
	node(name: string): Locator {
		return this.page.getByTestId('canvas-node').filter({ hasText: name });
	}

	/** Opens a node that is on the canvas. */
	async open(name: string): Promise<NodeView> {
		await this.node(name).dblclick();
		return await this.opened();
	}

	/** The view of the node that is open, or is being opened. */
	async opened(): Promise<NodeView> {
		const view = new NodeView(this.page);
		await view.root.waitFor();
		return view;
	}

	/** Clicks "Execute workflow", and waits until the last node has succeeded. */
	async execute(last: string): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').first().waitFor();
		await this.node(last).getByTestId('canvas-node-status-success').waitFor();
	}
}
