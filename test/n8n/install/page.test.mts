/** The package from an npm registry by n8n's own page of community nodes: installed, updated, lost and removed. */
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { localNpm } from './programs.mts';
import { startRegistry, type Registry } from './registry.mts';
import { versions } from '../setUp.mts';
import { EVERYTHING, useUserN8n } from './setUp.mts';

const name = 'n8n-nodes-payroll';

describe.each(versions)('n8n %s', (version) => {
	let registry: Registry;
	let browser: Browser;
	let page: Page;
	const user = useUserN8n(version, async (home) => {
		registry = await startRegistry();
		const env = await localNpm(home, registry, version);
		return { ...env, N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };
	});
	beforeAll(async () => (browser = await openBrowser()));
	afterAll(async () => {
		await browser?.close();
		await registry?.stop();
	});

	/** n8n 1 looks up by itself, not by npm, which version is the latest, and has no network here. */
	const looksUpLatest = version.startsWith('1.');

	const packages = async () => await user.api.session.rest('GET', '/community-packages');

	const openPage = async (): Promise<void> => {
		page = await openWindow(browser, user.api.session);
		await page.goto(`${user.n8n.url}/settings/community-nodes`);
	};
	const card = (): Locator => page.getByTestId('community-package-card');

	const install = async (): Promise<unknown> =>
		await user.api.session.rest('POST', '/community-packages', {
			name: `${name}@${registry.latest()}`,
		});

	it('does not install the package where unverified ones are forbidden', async () => {
		await expect(install()).rejects.toThrow('unverified community packages is forbidden');
		await user.restart({ N8N_UNVERIFIED_PACKAGES_ENABLED: undefined });
	});

	it('installs the package by the clicks of the page, without a restart', async () => {
		await openPage();
		await page.getByRole('button', { name: 'Install a community node' }).click();
		const wanted = looksUpLatest ? `${name}@${registry.latest()}` : name;
		await page.getByPlaceholder('e.g. n8n-nodes-').fill(wanted);
		await page.getByText('I understand the risks').click();
		await page.getByTestId('install-community-package-button').click();
		await page.getByText('Package installed').waitFor();
		expect(await card().innerText()).toContain(name);
		expect(await user.loaded()).toEqual(EVERYTHING);
		expect(await packages()).toMatchObject([
			{ packageName: name, installedVersion: registry.latest() },
		]);
	});

	it('removes the package without a restart', async () => {
		await openPage();
		await card().getByTestId('action-toggle').click();
		await page.getByText('Uninstall package').click();
		await page.getByRole('button', { name: 'Confirm uninstall' }).click();
		await page.getByText('Package uninstalled').waitFor();
		expect(await user.loaded()).toEqual([]);
		expect(await packages()).toEqual([]);
	});
});
