/** Starts a real n8n with this package in it, for tests and for trying things out. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../listen.mts';
import { environment, type Place } from './environment.mts';
import { installN8n, type Installation, type N8nVersion } from './install.mts';
import { installTarball, packTarball } from './nodes-folder.mts';

export { n8nVersions, type N8nVersion } from './install.mts';

/** How to start an n8n. */
export interface N8nOptions {
	version: N8nVersion;
	/** `start` is the editor and everything (the default); `worker` belongs to queue mode. */
	command?: 'start' | 'worker';
	/** More words on the command line, for example `--concurrency=5` of a worker. */
	args?: string[];
	/** A free one by default; see `freePort` where it has to be known before. */
	port?: number;
	/** A temporary one by default, which `remove` deletes; a given one is kept and may have been used before. */
	userFolder?: string;
	/** Whether the user folder stays as it is; by default, the checkout is packed and installed there. */
	isBare?: boolean;
	/** Environment variables beside the usual ones, such as those of the database and the queue. */
	env?: NodeJS.ProcessEnv;
	/** How much n8n writes to its log; `info` by default. */
	logLevel?: Place['logLevel'];
}

/** A running n8n. */
export interface N8n {
	readonly version: N8nVersion;
	readonly port: number;
	/** Where it answers, without a slash at the end. */
	readonly url: string;
	/** Where an identity server sends the user back to. */
	readonly callbackUrl: string;
	readonly userFolder: string;
	/** The file that everything it prints is appended to, over restarts too. */
	readonly logFile: string;
	readonly pid: number;
	/** Resolves with the exit code, or the signal's name, once the process has ended. */
	readonly exited: Promise<number | string>;
	/** Everything printed up to now. */
	log(): string;
	/** Asks it to end (SIGTERM) and waits until it has; kills it after 30 seconds. */
	stop(): Promise<void>;
	/** Ends it and its runners at once (SIGKILL), as a crash of the machine would. */
	kill(): Promise<void>;
	/** Stops it if it still runs, and starts another on the same folder and port. */
	restart(changes?: Pick<N8nOptions, 'env'>): Promise<N8n>;
	/** Stops it and deletes its user folder, unless that was given. */
	remove(): Promise<void>;
}

/** Fixed, so that several processes on one database, and a process started again, read the same credentials. */
const encryptionKey = 'n8n-nodes-payroll-tests-only-0123456789';

/** How long a start may take on a slow and busy machine, in milliseconds. */
const startLimit = 180_000;

/** How long a running n8n may take to end by itself, in milliseconds. */
const stopLimit = 30_000;

/**
 * Starts an n8n, installing what is missing, and gives it once it answers.
 *
 * @throws Error with the end of its log when it does not come up
 */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const installation = await installN8n(options.version);
	const temporary = options.userFolder === undefined;
	const userFolder = options.userFolder ?? mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-host-'));
	if (options.isBare !== true) {
		await installTarball(userFolder, await packTarball(join(userFolder, 'package')));
	}
	const port = options.port ?? (await freePort());
	return await launch(installation, { ...options, userFolder, port }, temporary);
}

type Launch = N8nOptions & { userFolder: string; port: number };

async function launch(
	installation: Installation,
	options: Launch,
	temporary: boolean,
): Promise<N8n> {
	const { version, command = 'start', args = [], port, userFolder, env } = options;
	const { node } = installation.runtime;
	const logFile = join(userFolder, `${command}-${port}.log`);
	const output = openSync(logFile, 'a');
	const place = { version, node, port, userFolder, encryptionKey };
	const brokerPort = await freePort();
	const guard = join(process.cwd(), 'dev', 'n8n', 'guard.cjs');
	const child = spawn(node, ['--require', guard, installation.program, command, ...args], {
		cwd: userFolder,
		env: environment({ ...place, brokerPort, logLevel: options.logLevel ?? 'info' }, env),
		stdio: ['pipe', output, output],
		// A process group of its own: n8n's task runners must not outlive it.
		detached: true,
	});
	closeSync(output);
	const exited = new Promise<number | string>((done, failed) => {
		child.once('error', failed);
		child.once('exit', (code, signal) => done(code ?? signal ?? -1));
	});
	const log = (): string => readFileSync(logFile, 'utf8');
	const url = `http://127.0.0.1:${port}`;
	try {
		const paths = ['/healthz/readiness', ...(command === 'worker' ? [] : ['/rest/settings'])];
		await untilReady(
			paths.map((path) => url + path),
			exited,
		);
	} catch (error) {
		await end(child, exited, 'SIGKILL');
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\n${log().split('\n').slice(-40).join('\n')}`);
	}
	return {
		version,
		port,
		url,
		callbackUrl: `${url}/rest/oauth2-credential/callback`,
		userFolder,
		logFile,
		pid: child.pid ?? 0,
		exited,
		log,
		stop: () => end(child, exited, 'SIGTERM'),
		kill: () => end(child, exited, 'SIGKILL'),
		async restart(changes = {}) {
			await end(child, exited, 'SIGTERM');
			const next = { ...options, env: { ...env, ...changes.env } };
			return await launch(installation, next, temporary);
		},
		async remove() {
			await end(child, exited, 'SIGTERM');
			if (temporary) rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** Waits until each of these addresses of n8n answers. */
async function untilReady(addresses: string[], exited: Promise<number | string>): Promise<void> {
	let ended: number | string | undefined;
	exited.then(
		(code) => (ended = code),
		(error: unknown) => (ended = String(error)),
	);
	const limit = Date.now() + startLimit;
	for (const address of addresses) {
		while (!(await answers(address))) {
			if (ended !== undefined) throw new Error(`n8n ended with ${ended} instead of starting`);
			if (Date.now() > limit) throw new Error(`n8n was not ready after ${startLimit / 1000} s`);
			await sleep(150);
		}
	}
}

/** Whether an address answers well; while n8n starts, it shows a page instead of its API. */
async function answers(address: string): Promise<boolean> {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
		await response.body?.cancel();
		return response.ok && (response.headers.get('content-type') ?? '').includes('json');
	} catch {
		return false;
	}
}

/** Ends a process and, when it is gone, whatever is left of its group. */
async function end(
	child: ChildProcess,
	exited: Promise<number | string>,
	signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) {
		if (signal === 'SIGTERM') {
			child.kill('SIGTERM');
			const late = setTimeout(() => killGroup(child), stopLimit);
			await exited;
			clearTimeout(late);
		} else {
			killGroup(child);
			await exited;
		}
	}
	killGroup(child);
	child.stdin?.destroy();
}

function killGroup({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// ESRCH: nobody is left.
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}
