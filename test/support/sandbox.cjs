/** One sandbox for all test files of a process: a start takes as long as several tests. */
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createInterface } = require('node:readline');

let starting;

async function start() {
	// It ends when its stdin does: with this process, however that ends.
	const sandbox = spawn(
		process.execPath,
		['--import', 'tsx', 'dev/sandbox/main.mts', '--stdin-lifetime'],
		{ stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
	);
	const ended = once(sandbox, 'exit').then(([code]) => {
		throw new Error(`The sandbox ended with ${code}`);
	});
	// It ends with the process, too, when no test is waiting.
	ended.catch(() => undefined);
	const [line] = await Promise.race([once(createInterface(sandbox.stdout), 'line'), ended]);
	// It must not keep the process alive.
	for (const handle of [sandbox, sandbox.stdin, sandbox.stdout]) handle.unref();
	return line;
}

/** Resolves to how to connect, as JSON. */
exports.sharedSandbox = async () => await (starting ??= start());
