/** The package from its source, by the commands of the pages, and what a person then sees in n8n. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { n8nVersions } from '../../../dev/n8n/install.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { Canvas } from '../editor/canvas.mts';
import { INSTALLING } from '../setUp.mts';
import { commandsBelow } from './commands.mts';
import { addDocker, restarted } from './docker.mts';
import { EVERYTHING, useUserN8n } from './setUp.mts';

describe(`n8n ${n8nVersions[0]}`, () => {
	const version = n8nVersions[0];
	let browser: Browser;
	let page: Page;
	const user = useUserN8n(version, (home) => {
		const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
			repository: { url: string };
		};
		addDocker(home);
		home.cloneCheckoutFor(repository.url.replace('git+', ''));
		return {};
	});
	beforeAll(async () => {
		browser = await openBrowser();
		page = await openWindow(browser, user.api.session);
	});
	afterAll(async () => await browser?.close());

	it(
		'has the package after the commands and a restart',
		async () => {
			await user.home.run(commandsBelow('README.md', 'From source'));
			await user.restart();
			expect(await user.loaded()).toEqual(EVERYTHING);
		},
		INSTALLING,
	);

	it('lists the nodes in its nodes panel', async () => {
		const canvas = new Canvas(page, user.n8n.url);
		await canvas.newWorkflow();
		await canvas.search('payroll');
		const nodes = ['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes'];
		expect(await canvas.listed('Payroll Employee')).toEqual(nodes);
	});

	it('has nothing on its page of community nodes', async () => {
		await page.goto(`${user.n8n.url}/settings/community-nodes`);
		await page.getByText('Install a community node').waitFor();
		expect(await page.getByTestId('community-package-card').count()).toBe(0);
	});

	it('has the package after the commands that copy it into Docker', async () => {
		await user.home.run(commandsBelow('docs/installation.md', 'Remove'));
		await user.home.run(
			`cd n8n-nodes-payroll\n${commandsBelow('docs/installation.md', 'From source into Docker')}`,
		);
		expect(restarted(user.home)).toBe(true);
		await user.restart();
		expect(await user.loaded()).toEqual(EVERYTHING);
	});
});
