/** In queue mode, every process needs the package: how a worker gets it, and what happens without it. */
import { rmSync } from 'node:fs';
import { CREDENTIAL_TYPE, credentialData } from '../../../dev/package/payroll.mts';
import { getHourCodes } from '../../../dev/package/calls.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { N8nApi } from '../../../dev/n8n/api.mts';
import type { N8n } from '../../../dev/n8n/host.mts';
import { installN8n } from '../../../dev/n8n/install.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { Home, commandsBelow } from '../install/commands.mts';
import { localNpm } from '../install/programs.mts';
import { startRegistry, type Registry } from '../install/registry.mts';
import { startOn } from '../install/setUp.mts';
import { INSTALLING, until, versions } from '../setUp.mts';
import { createServices, type Services } from '../../../dev/n8n/services.mts';

jest.setTimeout(10 * 60_000);

const name = 'n8n-nodes-payroll';

describe.each(versions)('n8n %s', (version) => {
	const cleanups: Array<() => Promise<void> | void> = [];
	let services: Services;
	let registry: Registry;
	let sandbox: SandboxClient;
	let api: N8nApi;
	let main: N8n;
	let worker: N8n;
	let mainHome: Home;
	let workerHome: Home;
	let workflow: string;

	/** Starts a process of n8n whose user has a home folder of its own. */
	const start = async (command: 'start' | 'worker'): Promise<[Home, N8n]> => {
		const home = new Home();
		cleanups.push(() => home.remove());
		const env = { ...services.env, ...(await localNpm(home, registry, version)) };
		return [home, await startOn(home, version, env, command)];
	};

	beforeAll(async () => {
		services = await createServices(await installN8n(version));
		cleanups.push(() => services.remove());
		registry = await startRegistry();
		cleanups.push(() => registry.stop());
		// The main process sets the database up; a worker that starts first would fail.
		[mainHome, main] = await start('start');
		cleanups.push(() => main.stop());
		[workerHome, worker] = await start('worker');
		cleanups.push(() => worker.stop());
		sandbox = await launchSandbox({ redirectUris: [main.callbackUrl] });
		cleanups.push(() => sandbox.stop());
		api = await N8nApi.open(main);
	}, INSTALLING);
	afterAll(async () => {
		for (const cleanup of cleanups.reverse()) await cleanup();
	});

	const expectSuccess = async (): Promise<void> => {
		const execution = await api.run(workflow);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Payroll')).toHaveLength(37);
	};
	const expectUnrecognized = async (): Promise<void> => {
		const { error } = await api.run(workflow);
		expect(error?.message).toBe(`Unrecognized node type: ${name}.payrollHourCodes`);
	};

	it('installs the package in a running worker, too, when n8n installs it', async () => {
		const body = { name: `${name}@${registry.latest()}` };
		await api.session.rest('POST', '/community-packages', body);
		const installed = `Community package installed: ${name}`;
		await until('the worker has the package', () => worker.log().includes(installed));
		const credential = await api.createCredential(CREDENTIAL_TYPE, credentialData(sandbox));
		await api.connect(credential, sandbox);
		const codes = payrollNode('payrollHourCodes', { ...getHourCodes, companyId: '100' });
		const draft = chain('Hour codes', manualTrigger, codes);
		workflow = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		await expectSuccess();
	});

	it('fails on a worker that starts with an empty folder, unless it reinstalls what is missing', async () => {
		await worker.stop();
		rmSync(workerHome.nodes, { recursive: true });
		worker = await worker.restart();
		await expectUnrecognized();
		worker = await worker.restart({ env: { N8N_REINSTALL_MISSING_PACKAGES: 'true' } });
		await expectSuccess();
	});

	it('needs the package on each process where npm installs it', async () => {
		await api.session.rest('DELETE', `/community-packages?name=${name}`);
		const uninstalled = `Community package uninstalled: ${name}`;
		await until('the worker has removed it', () => worker.log().includes(uninstalled));
		const commands = commandsBelow('docs/installation.md', 'With npm');
		await mainHome.run(commands);
		main = await main.restart();
		// n8n 1 sometimes misses the end of its first execution after a start, if that one fails at once.
		await api.run(await api.createWorkflow(chain('First', manualTrigger, ...itemsNode([{}]))));
		await expectUnrecognized();
		await workerHome.run(commands);
		worker = await worker.restart();
		await expectSuccess();
	});
});
