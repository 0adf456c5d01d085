/** The package from an npm registry, installed, updated and removed by the commands of the pages. */
import type { IDataObject } from 'n8n-workflow';
import { join } from 'node:path';
import { CREDENTIAL_TYPE, credentialData } from '../../../dev/package/payroll.mts';
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { commandsBelow } from './commands.mts';
import { addDocker, restarted } from './programs.mts';
import { RENAMED, startRegistry, type Registry } from './registry.mts';
import { versions } from '../setUp.mts';
import { EVERYTHING, useUserN8n } from './setUp.mts';

const PAGE = 'docs/installation.md';

/** Shows the installed version. */
const VERSION = 'npm ls --prefix ~/.n8n/nodes';

/** A credential that no service has to accept. */
const filledIn = credentialData({
	url: 'https://payroll.example',
	namespace: 'https://payroll.example/soap',
	clientId: 'client',
	clientSecret: 'secret',
	subscriptionKey: 'key',
	domain: 'domain',
	scopes: ['offline_access'],
});

const example = exampleWorkflow('keep-connection-alive.json');

describe.each(versions)('n8n %s', (version) => {
	let registry: Registry;
	let workflow: string;
	let credential: string;
	const user = useUserN8n(version, async (home) => {
		registry = await startRegistry();
		home.env.npm_config_registry = registry.url;
		home.env.npm_config_cache = join(home.folder, '.npm');
		addDocker(home);
		return {};
	});
	afterAll(async () => await registry?.stop());

	it('has the package after the commands and a restart, without any setting', async () => {
		expect(await user.loaded()).toEqual([]);
		await user.home.run(commandsBelow(PAGE, 'With npm'));
		expect(await user.loaded()).toEqual([]);
		await user.restart();
		expect(await user.loaded()).toEqual(EVERYTHING);
		const announced =
			'N8N_UNVERIFIED_PACKAGES_ENABLED -> The default for this variable will change';
		expect(user.n8n.log().includes(announced)).toBe(version.startsWith('2.'));
	});

	it.each([
		[{ N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' }, { loads: false, offers: true }],
		[
			{ N8N_UNVERIFIED_PACKAGES_ENABLED: 'false', N8N_COMMUNITY_PACKAGES_ENABLED: 'false' },
			{ loads: true, offers: false },
		],
	])('started with %j, it does what the page says: %j', async (settings, { loads, offers }) => {
		await user.restart(settings);
		expect(await user.loaded()).toEqual(loads ? EVERYTHING : []);
		const { communityNodesEnabled } = await user.api.session.rest<IDataObject>('GET', '/settings');
		expect(communityNodesEnabled).toBe(offers);
	});

	it('has a later version after an update and a restart', async () => {
		const before = await user.home.run(VERSION);
		const next = registry.publishNext();
		expect(before).not.toContain(`n8n-nodes-payroll@${next}`);
		await user.home.run(commandsBelow(PAGE, 'Update'));
		expect(await user.home.run(VERSION)).toContain(`n8n-nodes-payroll@${next}`);
		await user.restart();
		const codes = (await user.api.types()).get('n8n-nodes-payroll.payrollHourCodes');
		expect(codes?.displayName).toBe(RENAMED);
	});

	it('has no node of it after its removal and a restart', async () => {
		workflow = await user.api.createWorkflow(example);
		credential = await user.api.createCredential(CREDENTIAL_TYPE, filledIn);
		await user.home.run(commandsBelow(PAGE, 'Remove'));
		await user.restart();
		expect(await user.loaded()).toEqual([]);
	});

	it('has the package after the commands for Docker, and still has workflows and credentials', async () => {
		await user.home.run(commandsBelow(PAGE, 'With Docker'));
		expect(restarted(user.home)).toBe(true);
		await user.restart();
		expect(await user.loaded()).toEqual(EVERYTHING);
		expect((await user.api.workflow(workflow)).nodes).toHaveLength(example.nodes.length);
		expect((await user.api.credential(credential)).type).toBe(CREDENTIAL_TYPE);
	});
});
