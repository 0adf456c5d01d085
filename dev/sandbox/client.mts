/** Runs the sandbox in its own process and controls it, for tests and the demo. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RequestEntry, Stats } from './journal.mts';
import type { Connection, Modes, SandboxOptions } from './options.mts';
import type { Service } from './schemas.mts';

export type { RequestEntry, Stats } from './journal.mts';
export type { Connection, Modes, SandboxOptions } from './options.mts';

/** A running sandbox: how to connect to it, and how to control it. */
export interface SandboxControl extends Connection {
	/** Every request received since the last reset, in order. */
	requests(): Promise<RequestEntry[]>;
	/** Counts since the last reset. */
	stats(): Promise<Stats>;
	/** Forgets requests and counts, and restores the sample data; modes and tokens stay. */
	reset(): Promise<void>;
	/** Changes modes from now on; rejects naming one that does not exist. */
	configure(changes: Partial<Modes>): Promise<void>;
	/** Treats every access token issued up to now as expired. */
	expireAccessTokens(): Promise<void>;
	/** Checks a document of a service against the XML schemas; gives what is wrong with it. */
	validate(service: Service, xml: string): Promise<string[]>;
}

/** A sandbox that runs in a process of its own. */
export interface SandboxClient extends SandboxControl {
	/** Stops the process. */
	stop(): Promise<void>;
}

/**
 * Takes start options; gives the running sandbox once it is ready. Works from the repository's
 * root (`process.cwd()`); the process also ends when this one does.
 */
export async function launchSandbox(options: SandboxOptions = {}): Promise<SandboxClient> {
	const main = join(process.cwd(), 'dev', 'sandbox', 'main.mts');
	const child = spawn(
		process.execPath,
		['--import', 'tsx', main, '--stdin-lifetime', '--options', JSON.stringify(options)],
		{ stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
	);
	const exited = new Promise<void>((done) => child.once('exit', () => done()));
	let errors = '';
	child.stderr.on('data', (chunk) => {
		errors += String(chunk);
		process.stderr.write(`sandbox: ${String(chunk)}`);
	});
	const line = await new Promise<string>((ready, failed) => {
		createInterface(child.stdout).once('line', ready);
		child.once('error', failed);
		child.once('exit', (code) => failed(new Error(`The sandbox ended with ${code}: ${errors}`)));
	});
	return {
		...controlOf(JSON.parse(line) as Connection),
		async stop() {
			child.kill('SIGTERM');
			await exited;
		},
	};
}

/** Controls a running sandbox. */
export function controlOf(connection: Connection): SandboxControl {
	const control = async (method: 'GET' | 'POST', name: string, body?: string): Promise<unknown> => {
		const response = await fetch(`${connection.url}/sandbox/${name}`, {
			method,
			...(body !== undefined && { body }),
		});
		const answer: unknown = await response.json();
		if (!response.ok) throw new Error(`Sandbox: ${JSON.stringify(answer)}`);
		return answer;
	};
	return {
		...connection,
		requests: async () => (await control('GET', 'requests')) as RequestEntry[],
		stats: async () => (await control('GET', 'stats')) as Stats,
		reset: async () => void (await control('POST', 'reset')),
		configure: async (changes) =>
			void (await control('POST', 'configure', JSON.stringify(changes))),
		expireAccessTokens: async () => void (await control('POST', 'expire-access-tokens')),
		validate: async (service, xml) =>
			(await control('POST', `validate/${service}`, xml)) as string[],
	};
}
