/** Runs orders in a separate process, which the soak test measures. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that carries out one order at a time. */
export interface Worker<Order, Done> {
	order(order: Order): Promise<Done>;
	/** Settles when the process has ended by itself; gives its exit code. */
	readonly ended: Promise<number | null>;
	/** Ends it, whatever it is doing. */
	kill(): void;
}

/** What a process answers to an order. */
type Answer<Done> = { readonly done: Done } | { readonly error: string };

/**
 * Starts a module in its own process, in the repository's root, with garbage collection on demand.
 *
 * @param module path of the module from the root; it answers orders with {@link handleOrders}
 */
export function startWorker<Order extends object, Done>(module: string): Worker<Order, Done> {
	const child = fork(join(process.cwd(), module), {
		execArgv: ['--expose-gc', '--import', 'tsx'],
		env: { ...process.env, NODE_OPTIONS: '' },
		serialization: 'advanced',
	});
	const ended = once(child, 'exit').then(([code]) => code as number | null);
	return {
		ended,
		async order(order) {
			const answered = once(child, 'message');
			child.send(order);
			const gone = ended.then((code) => {
				throw new Error(`The process of ${module} ended with ${code}`);
			});
			const [answer] = (await Promise.race([answered, gone])) as [Answer<Done>];
			if ('error' in answer) throw new Error(answer.error);
			return answer.done;
		},
		kill: () => void child.kill('SIGKILL'),
	};
}

/**
 * Handles the orders of the parent process.
 *
 * @param isLast whether the process is to end after an order, unless something else keeps it alive
 */
export function handleOrders<Order extends object, Done>(
	handle: (order: Order) => Promise<Done>,
	isLast: (order: Order) => boolean = () => false,
): void {
	// Without its parent nobody needs it. After the last order it has to end by itself.
	const leave = () => process.exit();
	process.once('disconnect', leave);
	process.on('message', (order: Order) => {
		void handle(order)
			.then((done): Answer<Done> => ({ done }))
			.catch((error: unknown): Answer<Done> => ({ error: String(error) }))
			.then((answer) => {
				process.send?.(answer, () => {
					if (!isLast(order)) return;
					process.off('disconnect', leave);
					process.disconnect();
				});
			});
	});
}
