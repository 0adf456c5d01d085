/** The tarball brings everything it needs: npm installs it without a registry. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { runNpm, npmPack } from './pack.mts';

let temporary: string;
let tarball: string;

beforeAll(() => {
	temporary = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-install-'));
	tarball = npmPack(temporary);
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** The environment without the settings that `npm run` hands down from this checkout. */
function ownEnvironment(): NodeJS.ProcessEnv {
	const others = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
	return {
		...Object.fromEntries(others),
		// Nobody listens there, so everything that is installed comes from the tarball.
		npm_config_registry: 'http://127.0.0.1:9/',
		npm_config_fetch_retries: '0',
		npm_config_audit: 'false',
		npm_config_update_notifier: 'false',
	};
}

it('in an empty folder adds exactly one package, and nothing is downloaded', () => {
	const folder = join(temporary, 'empty');
	mkdirSync(folder);
	expect(runNpm(['install', tarball], folder, ownEnvironment())).toMatch(/^added 1 package\b/m);
	const modules = join(folder, 'node_modules');
	expect(readdirSync(modules).filter((entry) => !entry.startsWith('.'))).toEqual([
		'n8n-nodes-payroll',
	]);
	expect(readdirSync(join(modules, 'n8n-nodes-payroll')).sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist',
		'package.json',
	]);
	const saved = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as IDataObject;
	expect(Object.keys(saved.dependencies as object)).toEqual(['n8n-nodes-payroll']);
});
