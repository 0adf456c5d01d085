/**
 * `npm run n8n`: the package in a real n8n on this machine, connected to the sandbox, with the example workflows.
 *
 * --version 1.123.81  another of the versions that are tested
 * --port 5678         where n8n listens; by default this port or, if it is taken, a free one
 * --watch             compiles changed sources, which the editor then shows: `npm run dev`
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { exampleWorkflows } from '../package/workflow-file.mts';
import { owner } from './api.mts';
import { createExample, formLogin, unknownNodes } from './examples.mts';
import { freePort } from '../listen.mts';
import { n8nVersions, type N8nVersion } from './host.mts';
import { openStage, type Stage } from './stage.mts';
import { HOT_RELOAD, watchSources } from './watch.mts';

const usualPort = 5678;

function isTaken(port: number): Promise<boolean> {
	return new Promise((answer) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => answer(true)).once('error', () => answer(false));
		socket.once('connect', () => socket.destroy());
	});
}

function known(version: string): N8nVersion {
	const found = n8nVersions.find((one) => one === version);
	if (found) return found;
	throw new Error(`Unknown version ${version}; there are ${n8nVersions.join(' and ')}.`);
}

/** Creates the example workflows that this n8n has all nodes for; gives their ids by file name. */
async function importExamples(stage: Stage): Promise<Map<string, string>> {
	const ids = new Map<string, string>();
	for (const [file, draft] of exampleWorkflows()) {
		const missing = await unknownNodes(stage, draft);
		if (missing.length === 0) ids.set(file, await createExample(stage, draft));
		else console.log(`${file}: left out, n8n ${stage.n8n.version} lacks ${missing.join(', ')}`);
	}
	return ids;
}

function introduction({ n8n, sandbox }: Stage, examples: Map<string, string>): string {
	return `
n8n ${n8n.version} is ready, with this package in it:

  Address    ${n8n.url}
  E-mail     ${owner.email}
  Password   ${owner.password}

The credential "Payroll account" is connected to a payroll service on this machine, and these workflows use it:
${[...examples].map(([file, id]) => `\n  ${n8n.url}/workflow/${id}   ${file}`).join('')}

The note in each workflow says what it does. A form, a schedule and an approval need the workflow to be published. A form asks
for the user ${formLogin.user} and the password ${formLogin.password}. The agent needs a credential of a chat model. What
sends mail is deactivated, since there is no mail server here.

To connect a credential of your own, as a first-time user would, fill in:

  Identity, REST and SOAP Address   ${sandbox.url}
  SOAP Namespace                    ${sandbox.namespace}
  Client ID                         ${sandbox.clientId}
  Client Secret                     ${sandbox.clientSecret}
  Subscription Key                  ${sandbox.subscriptionKey}
  Domain                            ${sandbox.domain}

and log in there as ${sandbox.user}, with the password ${sandbox.password}.

Log: ${n8n.logFile}
Ctrl-C stops everything; nothing is kept.
`;
}

/** Resolves when the user wants to end. */
function interrupted(): Promise<'interrupted'> {
	return new Promise((done) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => done('interrupted'));
		}
	});
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			version: { type: 'string', default: n8nVersions[0] },
			port: { type: 'string' },
			watch: { type: 'boolean', default: false },
		},
	});
	const version = known(values.version);
	const wanted = Number(values.port ?? usualPort);
	const port = (await isTaken(wanted)) ? await freePort() : wanted;
	const end = interrupted();
	console.log(`Starting n8n ${version} …`);
	const opening = openStage({ version, port, env: values.watch ? HOT_RELOAD : {} });
	// n8n is a process of its own that has to be stopped, even if it is only starting.
	const stage = await opening;
	let endWatch: (() => void) | undefined;
	try {
		console.log(introduction(stage, await importExamples(stage)));
		if (values.watch) {
			endWatch = watchSources(process.cwd(), stage.n8n.userFolder, console.log);
		}
		const ended = await Promise.race([end, stage.n8n.exited]);
		if (ended !== 'interrupted') throw new Error(`n8n ended by itself (${ended})`);
		console.log('Stopping …');
	} finally {
		endWatch?.();
		await stage.close();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
