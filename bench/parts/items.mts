/** Many items in one node: how the cost of an item changes as their number grows. */
import { connectionOf, launchSandbox } from '../../dev/sandbox/client.mts';
import { startWorker } from '../../dev/worker.mts';
import type { Cost, Measured, Memory, Order } from '../measured/items.mts';
import { figureOf, type Figure } from '../measure.mts';
import { goal, type Cell, type Goal, type Part } from '../report.mts';
import type { Start } from '../service/employees.mts';

const FEW = 1_000;
const MANY = 100_000;
/** Longer than the benchmark takes, so that no token is renewed. */
const TOKEN_SECONDS = 86_400;

type Operation = Order['operation'];

const operations: ReadonlyArray<readonly [Operation, string]> = [
	['read', 'Cost Center: Get Many'],
	['write', 'Cost Center: Update'],
];

/** What was measured of an operation. */
interface Results {
	readonly time: Pick<Measured, 'few' | 'many'>;
	readonly memory: Memory;
}

type Service = Pick<Order, 'sandbox' | 'serviceUrl'>;

/** Runs work with an identity server and a service of employees. */
async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
	const employees = startWorker<Start, { url: string }>('bench/service/employees.mts');
	const sandbox = await launchSandbox({ accessTokenSeconds: TOKEN_SECONDS });
	try {
		const { url: serviceUrl } = await employees.order({ namespace: sandbox.namespace });
		return await work({ sandbox: connectionOf(sandbox), serviceUrl });
	} finally {
		employees.kill();
		await sandbox.stop();
	}
}

/** Measures once, in a separate process. */
async function measureOnce(
	service: Service,
	choice: Pick<Order, 'operation' | 'quantity'>,
): Promise<Measured> {
	const measured = startWorker<Order, Measured>('bench/measured/items.mts');
	try {
		return await measured.order({ ...service, ...choice, few: FEW, many: MANY });
	} finally {
		measured.kill();
	}
}

async function measureOperation(service: Service, operation: Operation): Promise<Results> {
	const time = await measureOnce(service, { operation, quantity: 'time' });
	const { memory } = await measureOnce(service, { operation, quantity: 'memory' });
	if (memory === undefined) throw new Error('The memory was not measured');
	return { time, memory };
}

const one = (value: number): Figure => figureOf([value]);

/** Many items against the median of few, per item. */
function growth({ few, many }: Results['time'], of: keyof Cost): Figure {
	const { median } = figureOf(few.map((cost) => cost[of]));
	return figureOf(many.map((cost) => cost[of] / median));
}

function timeCells({ time }: Results): Cell[] {
	return (['wall', 'cpu'] as const).flatMap((of): Cell[] => [
		{ figure: figureOf(time.few.map((cost) => cost[of])), unit: 'µs' },
		{ figure: figureOf(time.many.map((cost) => cost[of])), unit: 'µs' },
		{ figure: growth(time, of), unit: '×' },
	]);
}

function memoryCells({ memory: { items, live } }: Results): Cell[] {
	return [
		{ figure: one(items / MANY), unit: 'B' },
		{ figure: one(live / MANY), unit: 'B' },
		{ figure: one(live / items), unit: '×' },
	];
}

function goalsOf(title: string, { time, memory: { items, live } }: Results): Goal[] {
	return [
		goal(`${title}: time per item of 100,000 against 1,000`, growth(time, 'wall'), '×', {
			atMost: 1.2,
		}),
		goal(`${title}: memory in use for 100,000 against their items`, one(live / items), '×', {
			atMost: 3,
		}),
	];
}

export const items: Part = {
	name: 'items',
	title: 'Items in one node',
	about: [
		"Employees with an ID alone, one call each and ten calls at a time, on n8n's engine, in a fresh",
		'process for each measurement, after a warm-up. The service answers at once. *Get Many* keeps no',
		'record of the run; *Update* writes and records each call. The time of 100,000 items is that of',
		'one run, against the median of runs of 1,000 items in the same process, before and after it.',
		'Memory *in use* is the most that a full collection leaves (heap and buffers) during the run,',
		'against the input and output items alone, copied without n8n.',
	].join(' '),
	async measure() {
		return await withService(async (service) => {
			const results: Array<{ name: string; of: Results }> = [];
			for (const [operation, name] of operations) {
				results.push({ name, of: await measureOperation(service, operation) });
			}
			return {
				tables: [
					{
						title: 'Time per item',
						columns: [
							...['Of 1,000', 'Of 100,000', 'Ratio'],
							...['CPU of 1,000', 'CPU of 100,000', 'Ratio'],
						],
						rows: results.map(({ name, of }) => ({ name, cells: timeCells(of) })),
					},
					{
						title: 'Memory per item of 100,000',
						columns: ['Items alone', 'In use at most', 'Ratio'],
						rows: results.map(({ name, of }) => ({ name, cells: memoryCells(of) })),
					},
				],
				goals: results.flatMap(({ name, of }) => goalsOf(name, of)),
			};
		});
	},
};
