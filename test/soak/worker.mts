/** The measured process, seen from the soak. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Done, Order } from './protocol.mts';

/** A process that does one order after the other. */
export interface Worker {
	order(order: Order): Promise<Done>;
	/** Settles when the process has ended by itself; gives its exit code. */
	readonly ended: Promise<number | null>;
	/** Ends it, whatever it is doing. */
	kill(): void;
}

/** Starts a measured process in the repository's root. */
export function startWorker(): Worker {
	const child = fork(join(process.cwd(), 'test', 'soak', 'main.mts'), {
		execArgv: ['--expose-gc', '--import', 'tsx'],
		env: { ...process.env, NODE_OPTIONS: '' },
		serialization: 'advanced',
	});
	const ended = once(child, 'exit').then(([code]) => code as number | null);
	return {
		ended,
		async order(order) {
			const answer = once(child, 'message');
			child.send(order);
			const gone = ended.then((code) => {
				throw new Error(`The measured process ended with ${code}`);
			});
			const [done] = (await Promise.race([answer, gone])) as [Done];
			if (done.error !== undefined) throw new Error(done.error);
			return done;
		},
		kill: () => void child.kill('SIGKILL'),
	};
}
