/** The commands of the pages, run as a reader would paste them into a shell. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** How long the commands of one section may take, in milliseconds: a build from source downloads its dependencies. */
const LIMIT = 8 * 60_000;

/**
 * The shell commands below a heading of a page.
 *
 * @throws Error when the section has none
 */
export function commandsBelow(page: string, heading: string): string {
	const text = readFileSync(join(process.cwd(), page), 'utf8');
	const [, below = ''] = text.split(new RegExp(`^#+ ${heading}\n`, 'm'));
	const [section = ''] = below.split(/^#+ /m);
	const commands = /^```sh\n([^]*?)^```$/m.exec(section)?.[1];
	if (commands) return commands;
	throw new Error(`${page} has no commands below "${heading}"`);
}

/** A user's home folder, and a shell whose `~` it is. */
export class Home {
	readonly folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-home-'));
	/** Programs that come before those of this machine. */
	readonly programs = join(this.folder, 'bin');
	/** Variables of the shell beside those of this process. */
	readonly env: NodeJS.ProcessEnv = {};

	constructor() {
		mkdirSync(this.programs);
	}

	/** Where n8n keeps community packages. */
	get nodes(): string {
		return join(this.folder, '.n8n', 'nodes');
	}

	/** Puts a shell script before a program of the same name. */
	addProgram(name: string, script: string): void {
		const file = join(this.programs, name);
		writeFileSync(file, `#!/bin/sh\n${script}`);
		chmodSync(file, 0o755);
	}

	/** Lets git clone this checkout, as it is committed, instead of an address. */
	cloneCheckoutFor(address: string): void {
		// A configuration file, since git does not pass variables on to the other end of a local clone.
		const lines = [
			`[url "${pathToFileURL(process.cwd()).href}"]`,
			`insteadOf = ${address}`,
			'[safe]',
			'directory = *',
		];
		writeFileSync(join(this.folder, '.gitconfig'), `${lines.join('\n')}\n`);
	}

	/**
	 * Runs commands until one fails; gives what they print.
	 *
	 * @throws Error with everything that was printed, when one fails
	 */
	async run(commands: string): Promise<string> {
		const PATH = [this.programs, process.env.PATH].join(delimiter);
		const env = { ...userEnvironment(), ...this.env, HOME: this.folder, PATH };
		try {
			const { stdout } = await promisify(execFile)('sh', ['-ec', commands], {
				cwd: this.folder,
				env,
				timeout: LIMIT,
			});
			return stdout;
		} catch (error) {
			const { stdout, stderr } = error as { stdout?: string; stderr?: string };
			throw new Error(`Failed:\n${commands}\n${stdout ?? ''}\n${stderr ?? ''}`, { cause: error });
		}
	}

	/** Deletes the folder. */
	remove(): void {
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** This process's variables without what jest and `npm run` added, but with npm's own settings on this machine. */
function userEnvironment(): NodeJS.ProcessEnv {
	const added = /^(npm_|NODE_ENV$|JEST_)/i;
	const registry = process.env.npm_config_registry;
	return {
		...Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name))),
		npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
		npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
		...(registry && { npm_config_registry: registry }),
	};
}
