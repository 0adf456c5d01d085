/**
 * Starts the sandbox: `node --import tsx dev/sandbox/main.mts`. Once it is ready, one JSON line
 * on stdout says how to connect.
 *
 * --options '{"accessTokenSeconds":60}'  start options and modes, see options.mts
 * --validate                             the mode schemaValidation
 * --stdin-lifetime                       stop when stdin ends, that is when the parent has ended
 */
import { parseArgs } from 'node:util';
import type { SandboxOptions } from './options.mts';
import { startSandbox } from './sandbox.mts';

const { values } = parseArgs({
	options: {
		options: { type: 'string', default: '{}' },
		validate: { type: 'boolean', default: false },
		'stdin-lifetime': { type: 'boolean', default: false },
	},
});
const sandbox = await startSandbox({
	...(values.validate && { schemaValidation: true }),
	...(JSON.parse(values.options) as SandboxOptions),
});

let stopping = false;
const stop = (): void => {
	if (stopping) return;
	stopping = true;
	void sandbox.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values['stdin-lifetime']) process.stdin.once('end', stop).once('close', stop).resume();

process.stdout.write(`${JSON.stringify(sandbox.connection)}\n`);
