/** A Chromium that can reach this machine only. */
import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import type { Session } from '../../../dev/n8n/session.mts';

/** The path of Chromium: `CHROMIUM_PATH`, or that of Debian's package. */
function chromiumPath(): string {
	const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
	if (existsSync(path)) return path;
	throw new Error(
		`The editor's tests need Chromium: there is none at ${path}. ` +
			'On Debian: apt-get install chromium; elsewhere set CHROMIUM_PATH.',
	);
}

/** How long a step may take on a slow and busy machine, in milliseconds. */
const stepLimit = 60_000;

/** Starts the browser. */
export async function openBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath: chromiumPath(),
		args: [
			'--headless',
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--no-proxy-server',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
		],
	});
}

/** Opens a window whose user is logged in to n8n. */
export async function openWindow(browser: Browser, session: Session): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1400, height: 900 },
		deviceScaleFactor: 2,
		locale: 'en-US',
		colorScheme: 'light',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(stepLimit);
	const cookies = session.cookies.entries();
	await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: session.origin })));
	return await context.newPage();
}
